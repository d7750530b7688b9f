"""Where a debate stands and what its agents do, in the words that the terminal and the pages share."""

import asyncio
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.define.capabilities import LiveView
from moot.engine.define.registry import get_protocol
from moot.engine.define.shipped import OFFERED
from moot.engine.staging.activity import calls_of, doing, place, planned_calls
from tests.kit.duels import staged
from tests.kit.panels import panel


@pytest.mark.parametrize(
    ("protocol", "key", "told"),
    [
        ("duel", "B/plan", "is planning the case"),
        ("duel", "A/think/3", "is thinking about turn 3"),
        ("duel", "judge/score/2", "is scoring turn 2"),
        ("duel", "judge@verdict/confirm", "is naming the winner"),
        ("duel", "A/turn/3/summary", "is summing up what came before"),
        ("panel", "critic@2/round/1", "is taking a position in round 1"),
        ("chaired", "chair@promoter.r1/conduct", "is weighing the conduct"),
        ("chaired", "reporter/summary", "is writing the summary"),
        ("persuasion", "moderator@0/look", "is looking at the move"),
        ("arena", "judge@8-2/judging", "is judging the proposals"),
        ("council", "member-2@rank/ranking", "is ranking the answers"),
        ("oxford", "listener-1@before/vote/before", "is voting"),
        ("duel", "A/something-else", "is answering"),
    ],
)
def test_what_an_agent_does_is_told_in_words(protocol: str, key: str, told: str) -> None:
    assert doing(get_protocol(protocol).live, key) == told


def test_no_protocol_shows_the_number_that_is_to_be_put_in() -> None:
    for name in OFFERED:
        words = get_protocol(name).live
        told = [doing(words, f"x/{step}{more}") for step in words.steps for more in ("", "/2")]
        assert [one for one in told if "{" in one or not one.startswith("is ")] == [], name


def stations(run: moot.Run) -> list[str]:
    """Where the debate stood after each entry, each place once."""
    entries = run.entries()
    words = run.config.protocol.live
    return [at for at, _ in groupby(place(words, entries[: number + 1]) for number in range(len(entries)))]


STATIONS: dict[Callable[[Path], Any], list[str]] = {
    lambda folder: staged(folder, 2): ["turn 1 of 2", "turn 2 of 2", "the verdict"],
    lambda folder: panel(folder)[0]: [
        "the beginning",
        "round 1 of at most 3",
        "round 2 of at most 3",
        "the ruling",
        "the decision",
    ],
}


@pytest.mark.parametrize("make", STATIONS, ids=["duel", "panel"])
def test_a_debate_says_where_it_stands(tmp_path: Path, make: Callable[[Path], Any]) -> None:
    made = make(tmp_path)
    run = made if isinstance(made, moot.Run) else moot.find_run(made.run)
    assert stations(run) == STATIONS[make]


def test_calls_are_counted_where_the_protocol_says_nothing() -> None:
    assert calls_of(3, 9) == "3 of about 9 calls"
    assert calls_of(1, 1) == "1 of about 1 call"
    assert calls_of(11, 9) == "11 calls, 9 were planned"
    assert calls_of(1, None) == "1 call so far"


def test_the_plan_says_how_many_calls_there_are(tmp_path: Path) -> None:
    run = staged(tmp_path, 2)
    assert asyncio.run(planned_calls(run)) == sum(one.kind == "reply" for one in run.records())


def test_a_protocol_that_fails_to_say_it_says_nothing(tmp_path: Path) -> None:
    def fail(_: object) -> str:
        raise LookupError

    assert place(LiveView(place=fail), staged(tmp_path, 2).entries()) == ""
