"""A receiver of webhooks on this machine, which keeps what it got."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(slots=True)
class Receiver:
    """`status` is what it answers; None hangs up without an answer."""

    url: str
    status: int | None = 200
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


@contextmanager
def receiver(status: int | None = 200) -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            found.got.append((dict(self.headers), body))
            found.paths.append(self.path.partition("?")[0])
            if found.status is None:
                self.close_connection = True
                return
            self.send_response(found.status)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nobody wants to read it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = False  # so that it closes when everybody was heard out
    found = Receiver(f"http://127.0.0.1:{server.server_address[1]}/hook?token=s3cret", status)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
