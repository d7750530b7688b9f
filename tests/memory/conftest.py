from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from tests.postgresql import running_server


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with running_server() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty store is: a new file, or a new database of a real server."""
    if request.param == "sqlite":
        return str(tmp_path / "memory.db")
    import psycopg

    address: str = request.getfixturevalue("server")
    name = f"moot_{uuid4().hex}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return address.replace("/postgres?", f"/{name}?")
