"""A real PostgreSQL for all tests that want one: one server, and a database of its own for each."""

from collections.abc import Iterator

import pytest

from tests.kit.databases import new_database, running_server


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with running_server() as address:
        yield address


@pytest.fixture
def database(server: str) -> Iterator[str]:
    """The address of a new, empty database."""
    from moot.stores.database import close_databases

    yield new_database(server)
    close_databases()
