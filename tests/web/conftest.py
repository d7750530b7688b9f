from collections.abc import Iterator
from pathlib import Path

import pytest

import moot
from tests.kit.library import Runs, library, long_duel
from tests.kit.servers import Site, elsewhere, ready_runs, serving


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> dict[str, moot.Run]:
    """A finished run of each protocol. Tests that change one make their own."""
    folder = tmp_path_factory.mktemp("web") / "runs"
    return elsewhere(lambda: ready_runs(folder))


@pytest.fixture(scope="session")
def shelves(finished: dict[str, moot.Run], tmp_path_factory: pytest.TempPathFactory) -> Runs:
    """Those, and debates that pages find hard."""
    folder = tmp_path_factory.mktemp("library") / "runs"
    return elsewhere(lambda: library(folder, finished))


@pytest.fixture(scope="session")
def long_run(tmp_path_factory: pytest.TempPathFactory) -> moot.Run:
    """A duel of a thousand entries."""
    folder = tmp_path_factory.mktemp("long")
    return elsewhere(lambda: long_duel(folder))


@pytest.fixture(scope="module")
def site(finished: dict[str, moot.Run]) -> Iterator[Site]:
    """A server over these, for tests that leave it as it was."""
    with serving(next(iter(finished.values())).path.parent) as found:
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs"
