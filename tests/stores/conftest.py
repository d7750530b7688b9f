from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from moot.stores.database import close_databases
from tests.postgresql import running_server


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with running_server() as address:
        yield address


@pytest.fixture
def database(server: str) -> Iterator[str]:
    """A new, empty database of a real server."""
    name = f"moot_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    yield server.replace("/postgres?", f"/{name}?")
    close_databases()


@pytest.fixture(params=["folder", "postgresql"])
def out(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where runs go."""
    if request.param == "folder":
        return str(tmp_path / "debates")
    address: str = request.getfixturevalue("database")
    return address
