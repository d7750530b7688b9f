"""A PostgreSQL of one's own that can be stopped, crashed, paused and started again."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from tests.kit.databases import NOBODY, find_server

PATIENCE = 300.0


@dataclass(slots=True)
class Server:
    """A PostgreSQL that can be stopped, killed, paused and started again."""

    folder: Path
    user: int | None
    most: int = 100
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def address(self) -> str:
        return f"postgresql://moot@/postgres?host={self.folder}"

    def start(self) -> None:
        programs = find_server()
        assert programs is not None
        options = [f"max_connections={self.most}", "listen_addresses=", "shared_buffers=32MB"]
        command: list[str | Path] = [programs / "postgres", "-D", self.folder / "data", "-k", str(self.folder)]
        command += [part for option in options for part in ("-c", option)]
        null = subprocess.DEVNULL
        self.process = subprocess.Popen(
            command, user=self.user, env=_environment(self.folder), cwd=self.folder, stdout=null, stderr=null
        )
        until = time.monotonic() + PATIENCE
        while True:
            try:
                psycopg.connect(self.address).close()
            except psycopg.OperationalError:
                assert time.monotonic() < until, "PostgreSQL does not start"
                time.sleep(0.1)
            else:
                return

    def end(self, how: signal.Signals) -> None:
        """SIGINT ends it in order, SIGQUIT as a crash does."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """It stands still, with all its processes."""
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        os.kill(self.process.pid, signal.SIGSTOP)
        still = [self.process.pid, *(int(one) for one in children.read_text("ascii").split())]
        for one in still:
            os.kill(one, signal.SIGSTOP)
        try:
            yield
        finally:
            for one in reversed(still):
                os.kill(one, signal.SIGCONT)


@contextmanager
def server(most: int = 100) -> Iterator[Server]:
    programs = find_server()
    assert programs is not None, "no PostgreSQL: install one, or the development requirements"
    user = NOBODY if os.getuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="moot-pg-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        data = folder / "data"
        data.mkdir(mode=0o700)
        if user is not None:
            os.chown(folder, user, user)
            os.chown(data, user, user)
        make: list[str | Path] = [programs / "initdb", "-D", data, "-U", "moot", "-A", "trust", "-E", "UTF8"]
        subprocess.run(make, user=user, env=_environment(folder), check=True, capture_output=True, cwd=name)
        made = Server(folder, user, most)
        made.start()
        try:
            yield made
        finally:
            made.end(signal.SIGINT)


def _environment(folder: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(folder)}
