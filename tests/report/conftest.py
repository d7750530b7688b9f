from dataclasses import dataclass

import pytest

import moot
from tests.kit.hostile import mild, reported, worst


@dataclass(frozen=True)
class Runs:
    """Two reported duels of one shape: one in plain words, one full of traps."""

    plain: moot.Run
    hostile: moot.Run


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    folder = tmp_path_factory.mktemp("runs")
    return Runs(reported(mild(folder)), reported(worst(folder)))
