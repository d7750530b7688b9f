from collections.abc import Iterator
from pathlib import Path

import pytest

import moot
from tests.web.serving import Site, ready_runs, serving


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> dict[str, moot.Run]:
    """A finished run of each protocol. Tests that change one make their own."""
    return ready_runs(tmp_path_factory.mktemp("web") / "runs")


@pytest.fixture(scope="session")
def site(finished: dict[str, moot.Run]) -> Iterator[Site]:
    """A server over these, for tests that leave it as it was."""
    with serving(next(iter(finished.values())).path.parent) as found:
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs"
