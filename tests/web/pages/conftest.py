from collections.abc import Iterator

import httpx
import pytest

from tests.kit.library import Runs
from tests.kit.servers import serving


@pytest.fixture(scope="session")
def runs(shelves: Runs) -> Runs:
    return shelves


@pytest.fixture(scope="module")
def client(runs: Runs) -> Iterator[httpx.Client]:
    """A client of a server over these, for tests that leave it as it was."""
    with serving(runs["duel"].path.parent) as site, site.client() as client:
        yield client
