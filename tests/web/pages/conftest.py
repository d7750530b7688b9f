from collections.abc import Iterator

import httpx
import pytest

import moot
from tests.web.library import library
from tests.web.serving import serving


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, moot.Run]:
    return library(tmp_path_factory.mktemp("library") / "runs")


@pytest.fixture(scope="session")
def client(runs: dict[str, moot.Run]) -> Iterator[httpx.Client]:
    """A client of a server over these, for tests that leave it as it was."""
    with serving(runs["duel"].path.parent) as site, site.client() as client:
        yield client
