"""What is there for all tests: the rule for skipped ones, and a real PostgreSQL with a database of its own for each."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.kit.databases import new_database, running_server

pytest_plugins = ["tests.kit.skips"]
# How long an example takes says how busy the machine is.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with running_server() as address:
        yield address


@pytest.fixture
def database(server: str) -> Iterator[str]:
    """The address of a new, empty database."""
    from moot.record.stores.database import close_databases

    yield new_database(server)
    close_databases()
