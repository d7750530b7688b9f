"""The engine benchmark plays whole duels: each contestant makes the calls of the script and no others."""

import subprocess
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.waiting import PATIENCE

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
import engine


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("benchmark") / "script.json"
    with engine.endpoint(0) as url:
        subprocess.run([sys.executable, engine.CONTESTANTS / "record.py", url, path], check=True, timeout=PATIENCE)
    yield path


@pytest.mark.parametrize("player", engine.PLAYERS, ids=lambda one: one.name)
def test_a_contestant_plays_a_duel_of_the_script(player: engine.Contestant, script: Path) -> None:
    figures = engine.play(player, script, Namespace(latency_ms=0.1, singles=1, many=1))
    assert (figures.surplus_calls, figures.most_in_flight > 0) == (0, True)
