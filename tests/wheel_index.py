"""A package index on this machine that serves one wheel, as slowly as asked, and others at once."""

from __future__ import annotations

import hashlib
import io
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from idlepool.engine.models.catalogue import PartsModel, Wheel, WheelModel

MEMBER = "tiny_gguf/tiny.gguf"
WHEEL = "tiny_gguf-1.0-py3-none-any.whl"


def make_wheel(content: bytes) -> tuple[bytes, WheelModel]:
    """A wheel that holds `content` as its GGUF file, and the catalogue entry that fits it."""
    wheel = _wheel("tiny_gguf", MEMBER, content)
    return wheel, WheelModel(**_facts("tiny_gguf", MEMBER, content, wheel), name="tiny", licence="Apache-2.0")


def make_parts(content: bytes, count: int) -> tuple[dict[str, bytes], PartsModel]:
    """Wheels by file name, each with a part of `content`, and the catalogue entry that fits them."""
    wheels, parts = dict[str, bytes](), list[Wheel]()
    for number in range(count):
        part = content[len(content) * number // count : len(content) * (number + 1) // count]
        package, member = f"tiny_part{number}", f"tiny_part{number}/tiny.gguf.part{number}"
        wheel = wheels[f"{package}-1.0-py3-none-any.whl"] = _wheel(package, member, part)
        parts.append(Wheel(**_facts(package, member, part, wheel)))
    digest = hashlib.sha256(content).hexdigest()
    return wheels, PartsModel(
        "tiny", "Tiny", "Tiny Terms", "the terms", tuple(parts), "tiny.gguf", len(content), digest
    )


def _wheel(package: str, member: str, content: bytes) -> bytes:
    buffer = io.BytesIO()
    metadata = f"Metadata-Version: 2.1\nName: {package.replace('_', '-')}\nVersion: 1.0\n"
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(member, content)
        archive.writestr(f"{package}-1.0.dist-info/METADATA", metadata)
        archive.writestr(f"{package}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{package}-1.0.dist-info/RECORD", "")
    return buffer.getvalue()


def _facts(package: str, member: str, content: bytes, wheel: bytes) -> dict[str, object]:
    return {
        "title": "Tiny",
        "requirement": f"{package.replace('_', '-')}==1.0",
        "wheel_bytes": len(wheel),
        "wheel_sha256": hashlib.sha256(wheel).hexdigest(),
        "member": member,
        "member_bytes": len(content),
        "member_sha256": hashlib.sha256(content).hexdigest(),
    }


class WheelIndex:
    """Serves `wheel`; while `slow` is set it stops in the middle of the file. `others`: more wheels, by file name."""

    def __init__(self, wheel: bytes) -> None:
        self.wheel = wheel
        self.others: dict[str, bytes] = {}
        self.slow = threading.Event()
        self.halfway = threading.Event()
        """Set when half of the wheel was sent."""
        index = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                wheels = {WHEEL: index.wheel, **index.others}
                asked = self.path.strip("/").split("/")[-1]
                links = [name for name in wheels if name.startswith(f"{asked.replace('-', '_')}-1.0")]
                if asked in wheels:
                    self._send("application/octet-stream", wheels[asked])
                elif links:
                    self._send("text/html", "".join(f'<a href="/{name}">{name}</a>' for name in links).encode())
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
