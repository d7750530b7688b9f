"""A real PostgreSQL for all tests that want one: one server, and a database of its own for each."""

from collections.abc import Iterator
from uuid import uuid4

import pytest

from tests.postgresql import running_server


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with running_server() as address:
        yield address


@pytest.fixture
def database(server: str) -> str:
    """The address of a new, empty database."""
    import psycopg

    name = f"moot_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return server.replace("/postgres?", f"/{name}?")
