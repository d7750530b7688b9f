"""`moot tournament --queue`: the same leaderboard, by workers; stopped, they go on, and so does the tournament."""

import asyncio
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from moot.engine.play.limits import Limits
from moot.studies.batch import QueueExecutor
from moot.studies.tournament import Ended, Tournament, create_tournament, read_tournament, run_tournament
from moot.testing.endpoint import FakeEndpoint, Fault, say
from tests.kit.command import moot_alone
from tests.kit.filler import prose
from tests.kit.leagues import CALLS, write_league
from tests.kit.waiting import PATIENCE, until
from tests.kit.workers import workers

MODELS = ["fake/ada", "fake/bo", "fake/cy"]
MOTIONS = [f"Motion {number} is right." for number in range(6)]
LEAGUE: dict[str, Any] = {"models": MODELS, "motions": MOTIONS, "jury": ["fake/kim"], "looks": [3]}
DEBATES = 36


def reply(asked: dict[str, Any]) -> Fault | None:
    """Debaters say which model they are, and the judge is for the first by name."""
    if "response_format" not in asked:
        return say(f"Spoken by {asked['model']}. {prose(json.dumps(asked['messages']), 40)}")
    shown = list(dict.fromkeys(re.findall(r"Spoken by (\w+)\.", asked["messages"][-1]["content"])))
    winner = "AB"[shown.index(min(shown))]
    return say(json.dumps({"reasoning": "x", "scores": {"A": 5, "B": 5}, "winner": winner, "confidence": 50}))


def endpoint() -> FakeEndpoint:
    return FakeEndpoint(0.0, lambda _, asked: reply(asked))


async def held(tournament: Tournament, url: str, **options: Any) -> Ended:
    async with asyncio.timeout(PATIENCE):
        return await run_tournament(tournament, QueueExecutor(url), **options)


def test_workers_hold_the_tournament_that_one_process_holds(database: str, tmp_path: Path) -> None:
    file = write_league(tmp_path, **LEAGUE)

    async def go() -> None:
        async with endpoint() as models:
            environment = {**os.environ, "FAKE_BASE_URL": models.url}
            here, there = tmp_path / "here", tmp_path / "there"
            alone = await asyncio.to_thread(
                moot_alone, "tournament", str(file), "--out", str(here), "-q", env=environment
            )
            assert alone.code == 0, alone.err
            calls = models.count
            assert calls == DEBATES * (CALLS - 2)
            with workers(database, models, 2):
                options = ("--out", str(there), "--queue", database, "--json")
                ended = await asyncio.to_thread(moot_alone, "tournament", str(file), *options)
            assert ended.code == 0, ended.err
            assert models.count == 2 * calls, "nothing is asked twice"
        board = json.loads(ended.out)["leaderboard"]
        assert board == json.loads((here / "leaderboard.json").read_text("utf-8"))
        assert [one["model"] for one in board["places"]] == MODELS and board["counted"] == DEBATES

    asyncio.run(go())


def test_a_budget_is_kept_over_stages_and_who_comes_back_goes_on(database: str, tmp_path: Path) -> None:
    tournament = create_tournament(read_tournament(write_league(tmp_path, **LEAGUE)), "league.yaml", tmp_path / "held")
    most = 20 * (CALLS - 2)

    async def go() -> None:
        async with endpoint() as models:
            with workers(database, models, 1):
                ended = await held(tournament, database, limits=Limits(max_calls=most))
                assert (ended.status, len(tournament.stages())) == ("limit", 2), "18 debates are the first stage"
                assert models.count <= most and ended.board.level == pytest.approx(0.001)
                models.hold()
                left = asyncio.create_task(held(tournament, database))
                await until(lambda: models.held > 0)
                left.cancel()
                await asyncio.gather(left, return_exceptions=True)
                models.let_go()
                ended = await held(tournament, database)
            assert (ended.status, ended.board.counted) == ("done", DEBATES)
            assert models.count == DEBATES * (CALLS - 2)

    asyncio.run(go())
