"""Whatever a reader must know before relying on an arena is a flag of its result, by its code."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.errors import Rejected
from moot.present import Flag
from moot.testing import Scripted
from tests.kit.arenas import (
    CAST,
    HOLLOW,
    LEVEL,
    OWN,
    SOLID,
    WORDS,
    arena,
    each_for,
    letter_of,
    plain_reply,
    reading,
    revision,
    saying,
)

ALL_FOR_ADA = dict.fromkeys(OWN, "Cache")
ONCE: dict[str, Any] = {"max_extra_rounds": 0}


def flags(folder: Path, replies: dict[str, Any] | None = None, **settings: Any) -> dict[str, Flag]:
    result, _ = arena(folder, replies, **settings)
    assert result.status == "done", result.reason
    document = result.document()
    assert document["flags"] == [flag.model_dump(mode="json") for flag in result.flags]
    return {flag.code: flag for flag in result.flags}


def flips(request: moot.Request) -> Scripted:
    """The judge puts first what it is shown first."""
    if not request.key.endswith("/judging"):
        return plain_reply(request)
    words = sorted(("Cache", "Buy", "Delete"), key=request.messages[-1].content.index)
    return reading(request, dict(zip(words, (9, 6, 3), strict=True)), 90)


def in_a_circle(request: moot.Request) -> Scripted:
    """Each ranks the next one first and its own last, so that everybody is beaten."""
    words = ["Cache", "Buy", "Delete"]
    part = request.agent.partition("@")[0]
    if not request.key.endswith("/vote"):
        return plain_reply(request)
    start = words.index(LEVEL[part])
    ranking = [letter_of(request, word) for word in (*words[start:], *words[:start])][:2]
    return {"reason": "So.", "ranking": ranking, "confidence": 50}


def judges_apart(request: moot.Request) -> Scripted:
    if request.agent.startswith("judge-2@"):
        return reading(request, {"Cache": 5, "Buy": 9, "Delete": 4})
    return plain_reply(request)


def hollow_at_first(request: moot.Request) -> Scripted:
    found: Scripted = revision(SOLID) if request.key.endswith("/revise/4") else saying(HOLLOW)(request)
    return found


def two_the_same(request: moot.Request) -> Scripted:
    """Bo decides as Ada does, word for word."""
    if request.key == "bo/revise/6":
        return {**revision("Buy machines too."), "decision": f"{WORDS['ada']} Round 6."}
    return plain_reply(request)


def upside_down(request: moot.Request) -> Scripted:
    """A judge that ranks the other way round than it scores."""
    given = plain_reply(request)
    if request.key.endswith("/judging") and isinstance(given, dict):
        return {**given, "ranking": given["ranking"][::-1]}
    return given


SURE = {"Cache": 5, "Buy": 9, "Delete": 4}
LOW = {"Cache": 3, "Buy": 2, "Delete": 1}
NO_JUDGE = {f"judge@8-{number}/judging": Rejected("down") for number in (1, 2)}
JUDGES = [*CAST["judges"], {"name": "Lu", "personality": "Lu is stern."}]
CASES: list[tuple[str, str, str, dict[str, Any]]] = [
    ("below_pass_mark", "warning", "judge gives Ada 3.0; 4 is needed", {"plain": each_for(ALL_FOR_ADA, LOW)}),
    ("not_settled", "warning", "Neither the vote nor the judge", {"plain": each_for(LEVEL), **ONCE}),
    ("vote_tied", "warning", "Ada, Bo and Cy are tied", {"plain": each_for(LEVEL), **ONCE}),
    ("vote_tied", "note", "are tied", {"plain": each_for(LEVEL, SURE, 85)}),
    (
        "everybody_voted_for_itself",
        "warning",
        "All 2 who voted, of 3",
        {"plain": each_for({**OWN, "cy": ""}, SURE, 85), "self_votes": True},
    ),
    ("vote_short", "warning", "nobody voted", {"plain": each_for(dict.fromkeys(OWN, ""), SURE, 85), **ONCE}),
    (
        "vote_short",
        "warning",
        "Ada has 1 of 2 votes; every vote is needed",
        {"plain": each_for({**ALL_FOR_ADA, "bo": "", "ada": ""}, SURE, 85), "vote": "unanimous", **ONCE},
    ),
    ("vote_cycle", "warning", "there is a cycle", {"plain": in_a_circle, "vote": "condorcet", **ONCE}),
    (
        "judges_against_vote",
        "warning",
        "vote is for Ada, and the judge puts Bo first, with confidence 0.85",
        {"plain": each_for(ALL_FOR_ADA, SURE, 85), **ONCE},
    ),
    ("same_decision", "note", "Ada and Bo decide the same", {"plain": two_the_same, **ONCE}),
    ("ranking_contradicts_scores", "warning", "The ranking of Kim contradicts", {"plain": upside_down, **ONCE}),
    ("requirement_not_met", "warning", "“approved” was required", {"plain": each_for(LEVEL), "require": "approved"}),
    ("decided_by_vote_alone", "warning", "no first place", {"replies": NO_JUDGE, **ONCE}),
    ("judge_unstable", "warning", "depends on the order of the proposals", {"plain": flips, **ONCE}),
    (
        "judgement_incomplete",
        "warning",
        "1 of 2 readings are missing: gone",
        {"replies": {"judge@8-2/judging": Rejected("gone")}},
    ),
    ("judges_disagree", "note", "Kim is for Ada and Lu is for Bo", {"plain": judges_apart, "judges": JUDGES, **ONCE}),
    ("abstained", "warning", "Bo abstained: busy", {"replies": {"bo@7/vote": Rejected("busy")}, **ONCE}),
    (
        "proposal_missing",
        "warning",
        "There is no proposal of Cy",
        {"replies": {"cy/propose": Rejected("down")}},
    ),
    (
        "hollow_consensus",
        "warning",
        "on thin evidence",
        {"plain": saying(HOLLOW), "trickster": True, "revision_rounds": 5},
    ),
    ("thin_evidence", "note", "was challenged", {"plain": hollow_at_first, "trickster": True}),
]


@pytest.mark.parametrize(("code", "severity", "text", "settings"), CASES, ids=[one[0] for one in CASES])
def test_it_is_flagged(tmp_path: Path, code: str, severity: str, text: str, settings: dict[str, Any]) -> None:
    found = flags(tmp_path, **settings)
    assert code in found, list(found)
    assert (found[code].severity, text in found[code].text) == (severity, True), found[code]


def test_the_docs_name_every_code() -> None:
    page = (Path(__file__).parents[3] / "docs" / "arena.md").read_text("utf-8")
    assert [code for code, *_ in CASES if f"`{code}`" not in page] == []


def test_a_plain_arena_has_no_warning(tmp_path: Path) -> None:
    result, _ = arena(tmp_path)
    assert [flag.code for flag in result.flags] == ["scripted_replies"]
    assert (
        result.summary.headline
        == "Cache the compiled modules between runs, keyed by their sources. Round 6 (2 of 2 votes)"
    )
    assert result.summary.reached == (
        "Approved, by vote and judge, confidence 0.80. The proposal of Ada. Ada has 2 of 2 votes."
    )


def test_a_debate_that_is_under_way_decides_nothing_yet(tmp_path: Path) -> None:
    result, _ = arena(tmp_path, max_calls=4)
    assert (result.summary.headline, result.summary.decided) == ("No decision yet", False)
    assert result.flags[0].code == "unfinished"
