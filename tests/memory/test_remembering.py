"""What a new arena is told of earlier ones."""

import asyncio
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import pytest

from moot.engine.define.remembered import Proposed
from moot.memory.remember import recall
from moot.memory.store import Meaning, Outcome, open_store
from moot.stats.similarity import embed_here, shipped_backend

QUESTION = "Should the cache be shared?"
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DISSENT = [{"agent": "Bo", "reason": "voted for Cy: it is stale"}]


class Still(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        assert tz is UTC
        return NOW


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.memory.remember.datetime", Still)


def reminded(folder: Path, age: timedelta = timedelta(), right: str | None = None, **settings: Any) -> dict[str, Any]:
    """What is told of an earlier debate of that age that came to this, and of which this turned out right."""
    backend = shipped_backend()
    known: dict[str, Any] = {"confidence": None, "finished": NOW - age, "dissent": DISSENT, **settings}
    memory = str(folder / "memory.db")
    with open_store(memory) as store:
        store.record(
            Outcome("ab", "r", QUESTION, **known), meaning=Meaning(backend, embed_here([QUESTION], backend)[0])
        )
        if right is not None:
            store.settle("ab", right)
    (found,) = asyncio.run(recall(QUESTION, memory))
    return found


@pytest.mark.parametrize(
    ("verdict", "came_to"),
    [("approved", "decided this"), ("needs_review", "left this to a person"), ("rejected", "rejected this")],
)
def test_a_decision_is_told_with_its_verdict_and_why(tmp_path: Path, verdict: str, came_to: str) -> None:
    receipt = {"reasons": ["Ada has 67 % of the votes", "the judge puts Cy first"]}
    found = reminded(tmp_path, decision="Share it.", verdict=verdict, decided_by="vote", receipt=receipt)
    assert found == {
        "title": f"Earlier decision of {NOW:%Y-%m-%d}",
        "source": "memory",
        "text": f"An earlier debate, of {NOW:%Y-%m-%d}, {came_to}. It is what was thought then, not a fact.\n"
        f"Question: {QUESTION}\n"
        "Decision, by vote: Share it.\n"
        f"Verdict on it: {verdict.replace('_', ' ')} (Ada has 67 % of the votes; the judge puts Cy first)\n"
        "Dissent of Bo: voted for Cy: it is stale",
    }


@pytest.mark.parametrize("reasons", [["nobody has a majority", "the judge gives Ada 2.1; 4 is needed"], []])
def test_what_was_left_undecided_is_no_decision(tmp_path: Path, reasons: list[str]) -> None:
    why = {"reasons": reasons} if reasons else {}
    found = reminded(tmp_path, decision="", verdict="rejected", decided_by="none", receipt=why)
    assert found["title"] == f"Earlier debate of {NOW:%Y-%m-%d}"
    assert found["text"].splitlines() == [
        f"An earlier debate, of {NOW:%Y-%m-%d}, left this undecided. It is what was thought then, not a fact.",
        f"Question: {QUESTION}",
        *(["Why nothing was decided: nobody has a majority; the judge gives Ada 2.1; 4 is needed"] if reasons else []),
        "Dissent of Bo: voted for Cy: it is stale",
    ]


@pytest.mark.parametrize(
    ("age", "told", "left_out"),
    [
        (timedelta(minutes=1), ["Decision, by vote: Share it.", "Verdict", "Dissent", "Evidence: It pays."], []),
        (timedelta(hours=2), ["Decision, by vote: Share it.", "Verdict", "Dissent"], ["Evidence"]),
        (timedelta(days=400), ["Decision, by vote: Share it."], ["Verdict", "Dissent", "Evidence"]),
    ],
)
def test_yesterday_exists_and_is_told_more_briefly(
    tmp_path: Path, age: timedelta, told: list[str], left_out: list[str]
) -> None:
    settings: dict[str, Any] = {"verdict": "approved", "decided_by": "vote", "evidence": ["It pays."]}
    found = reminded(tmp_path, age, decision="Share it.", **settings)
    assert all(words in found["text"] for words in told)
    assert not any(words in found["text"] for words in left_out)


@pytest.mark.parametrize("age", [timedelta(), timedelta(days=400)])
def test_a_refuted_decision_is_never_recalled_without_its_refutation(tmp_path: Path, age: timedelta) -> None:
    proposals = {"Ada": Proposed("Share it.", "Ada"), "Bo": Proposed("Split it.", "Bo")}
    settings = {"winner": "Ada", "proposals": proposals, "verdict": "rejected", "decided_by": "vote"}
    found = reminded(tmp_path, age, "Bo", decision="Share it. " * 300, **settings)
    assert found["text"].startswith("Turned out wrong: right was Bo’s: Split it.\nAn earlier debate, ")
    assert "decided this" not in found["text"]


def test_where_there_is_no_memory_yet_nothing_is_recalled(tmp_path: Path) -> None:
    assert asyncio.run(recall(QUESTION, str(tmp_path / "memory.db"))) == []
    assert list(tmp_path.iterdir()) == []
