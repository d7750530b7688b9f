"""What is there for all tests: the rule for skipped ones, and a real PostgreSQL with a database of its own for each."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.kit.databases import new_database, running_server

pytest_plugins = ["tests.kit.skips"]
# How long an example takes says how busy the machine is.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture(scope="session", autouse=True)
def nobodys_lists(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What servers of tests offer is kept apart from what those of the user do."""
    folder = tmp_path_factory.mktemp("state")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_STATE_HOME", str(folder))
        yield folder


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
