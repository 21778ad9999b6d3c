"""A server on this PC that answers as the Hub does, for one repository, well or badly as asked."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from idlepool.engine.models.manifest import SMALL_FILES, WEIGHTS_FILE

REPOSITORY = "OpenVINO/tiny"
COMMIT = "c0ffee" + "0" * 34

PIECES_PER_S = 10
"""In so many pieces a second a slow answer comes."""


@contextmanager
def hub_with(folder: Path, environment: pytest.MonkeyPatch) -> Iterator[HubServer]:
    """A server with the model of a folder, which is the Hub for all processes that are started meanwhile; its user has
    no login."""
    for name in ("HF_TOKEN", "HF_HUB_OFFLINE", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        environment.delenv(name, raising=False)
    wanted = {WEIGHTS_FILE, *SMALL_FILES}
    with HubServer({path.name: path.read_bytes() for path in folder.iterdir() if path.name in wanted}) as server:
        environment.setenv("HF_ENDPOINT", server.url)
        yield server


class HubServer:
    """Serves `files` by name. Large ones lie elsewhere, and the way there is a redirect, as on the Hub."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.ranges = True
        """Whether ranges are served; without, whole files come."""
        self.status: dict[str, tuple[int, str]] = {}
        """Status and error code instead of an answer, for a file or, by "", for what is asked of the repository."""
        self.cut_after: list[int] = []
        """Bytes after which the next answers with a large file break off; 0: at once."""
        self.lengthen = 0
        """Bytes that are added to a large file."""
        self.asked: list[tuple[str, str]] = []
        """File and range of each request for a file's bytes."""
        self.searched: list[dict[str, str]] = []
        """What each search asked for."""
        self.bytes_per_s = 0
        """How fast large files come; 0: as fast as they can."""
        self.stalled = False
        """Whether slow answers stand still for the time being."""
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                server._answer(self)

            def do_HEAD(self) -> None:
                server._answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> HubServer:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        path = request.path.partition("?")[0]
        name = path.rpartition("/")[2]
        if path == "/api/models":
            self.searched.append(dict(parse_qsl(request.path.partition("?")[2])))
            status, code = self.status.get("", (200, ""))
            self._say(request, json.dumps(self._search()).encode() if status == 200 else b"", status, code)
        elif path.startswith("/api/models/"):
            self._say(request, json.dumps(self._listing()).encode(), *self.status.get("", (200, "")))
        elif name in self.status:
            self._say(request, b"", *self.status[name])
        elif path.startswith(f"/{REPOSITORY}/resolve/{COMMIT}/") and name.endswith(".bin"):
            self._say(request, b"", 302, "", Location=f"{self.url}/elsewhere/{name}")
        elif name in self.files:
            self._send_file(request, name)
        else:
            self._say(request, b"", 404, "EntryNotFound")

    def _search(self) -> list[dict[str, object]]:
        complete = [{"rfilename": name} for name in self.files]
        facts = {"pipeline_tag": "text-generation", "tags": ["openvino", "license:apache-2.0"], "private": False}
        return [
            {"_id": "1", "id": REPOSITORY, "modelId": REPOSITORY, "downloads": 1200, "siblings": complete, **facts},
            {"_id": "3", "id": "<b>bold</b>/../x", "modelId": "", "siblings": complete, **facts},
            {"_id": "2", "id": "someone/parts", "modelId": "someone/parts", "siblings": complete[:1], **facts},
        ]

    def _listing(self) -> dict[str, object]:
        siblings = []
        for name, data in self.files.items():
            blob = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
            entry: dict[str, object] = {"rfilename": name, "size": len(data), "blobId": blob}
            if name.endswith(".bin"):
                entry["lfs"] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest(), "pointerSize": 130}
            siblings.append(entry)
        return {
            "_id": "1",
            "id": REPOSITORY,
            "modelId": REPOSITORY,
            "sha": COMMIT,
            "siblings": siblings,
            "cardData": {"license": "apache-2.0"},
            "tags": [],
            "downloads": 0,
            "likes": 0,
            "private": False,
        }

    def _send_file(self, request: BaseHTTPRequestHandler, name: str) -> None:
        data, asked = self.files[name], request.headers.get("Range", "")
        self.asked.append((name, asked))
        status, headers = 200, {}
        if name.endswith(".bin"):
            data += bytes(self.lengthen)
        if asked and self.ranges:
            first, _, last = asked.removeprefix("bytes=").partition("-")
            status, headers = 206, {"Content-Range": f"bytes {first}-{last or len(data) - 1}/{len(data)}"}
            data = data[int(first) : int(last) + 1 if last else len(data)]
        cut = self.cut_after.pop(0) if self.cut_after and name.endswith(".bin") else None
        self._say(request, data, status, "", cut=cut, **headers)

    def _say(
        self,
        request: BaseHTTPRequestHandler,
        body: bytes,
        status: int,
        code: str,
        *,
        cut: int | None = None,
        **headers: str,
    ) -> None:
        request.send_response(status)
        for key, value in headers.items():
            request.send_header(key, value)
        if code:
            request.send_header("X-Error-Code", code)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        if request.command == "GET":
            self._write(request, body if cut is None else body[:cut])
        if cut is not None:
            request.close_connection = True

    def _write(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        step = self.bytes_per_s // PIECES_PER_S or max(1, len(body))
        for start in range(0, len(body), step):
            if start:
                time.sleep(1 / PIECES_PER_S)
            while self.stalled:
                time.sleep(1 / PIECES_PER_S)
            request.wfile.write(body[start : start + step])
