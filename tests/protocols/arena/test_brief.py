"""What an arena answers: the decision that won in its own words, with the reasons of those who chose it."""

from pathlib import Path
from typing import Any

import moot
from moot.protocols.arena.payloads import ArenaProposal, ArenaVote, Critique, JudgeReading
from moot.testing import Scripted
from tests.kit.arenas import OWN, alike_from, arena, each_for, letter_of, outcome, plain_reply, reading
from tests.kit.runs import entries

BY_SCORES = {"Cache": 8, "Buy": 6, "Delete": 5}


def advising(**advice: Any) -> Any:
    """Judges give this advice for their first place; `{first}` is the letter of the cache."""

    def reply(request: moot.Request) -> Scripted:
        if not request.key.endswith("/judging"):
            return plain_reply(request)
        first = letter_of(request, "Cache")
        because = [
            {"reason": one["reason"], "rests_on": [label.format(first=first) for label in one["rests_on"]]}
            for one in advice.get("because", [])
        ]
        return {**reading(request, BY_SCORES), **advice, "because": because}

    return reply


def test_the_judges_advice_is_the_brief_with_its_entries(tmp_path: Path) -> None:
    reason = {"reason": "It saves most for least.", "rests_on": ["{first}", "{first} O1", "Z"]}
    result, _ = arena(
        tmp_path, plain=advising(because=[reason], conditions=["Test it on one branch.", "Ask Cy."], next="Measure.")
    )
    brief, found = result.summary.brief, outcome(result)
    proposal = [one for one in entries(result) if isinstance(one.data, ArenaProposal) and one.speaker == "Ada"][-1]
    critiques = [one.seq for one in entries(result) if isinstance(one.data, Critique) and one.data.of == "Ada"]
    judged = [one.seq for one in entries(result) if isinstance(one.data, JudgeReading)]
    assert (brief.answer, brief.source) == (found.decision, proposal.seq)
    assert [(one.text, one.entries) for one in brief.because] == [(reason["reason"], [proposal.seq, critiques[0]])]
    assert brief.conditions is not None
    assert (brief.conditions.text, brief.conditions.entries) == ("Test it on one branch.; Ask Cy.", judged[:1])
    assert brief.next is not None
    assert brief.next.text == "Measure."
    assert brief.objection is not None
    assert brief.objection.entries == critiques[:1]
    assert (found.verdict, found.conditions) == ("approved_with_conditions", ["Test it on one branch.", "Ask Cy."])
    assert result.summary.headline.endswith(" (2 of 2 votes, with conditions)")
    assert result.gate is None or result.gate.passed is not False


def test_without_conditions_nothing_is_approved_with_any(tmp_path: Path) -> None:
    result, _ = arena(
        tmp_path, plain=each_for({"ada": "Cache", "bo": "Cache", "cy": "Delete"}, BY_SCORES), self_votes=True
    )
    assert (outcome(result).verdict, outcome(result).conditions) == ("approved", [])
    assert result.summary.headline.endswith(" (2 of 3 votes)")
    assert [one.who for one in result.summary.brief.dissent] == ["Cy"]
    assert result.summary.brief.firmness == (
        "Clear: 2 of 3 votes are for it; 1 of 1 judge put it first in both reading orders; it scores 8.0 of 10, the "
        "next 6.0."
    )


def test_a_winner_that_the_judge_does_not_prefer_has_its_voters_reasons(tmp_path: Path) -> None:
    result, _ = arena(tmp_path, plain=each_for(dict.fromkeys(OWN, "Buy"), BY_SCORES, 80), max_extra_rounds=0)
    brief = result.summary.brief
    votes = [one.seq for one in entries(result) if isinstance(one.data, ArenaVote) and one.data.ranking == ["Bo"]]
    assert [one.entries for one in brief.because] == [[seq] for seq in votes]
    assert result.summary.headline.startswith("Needs review: ")
    assert brief.answer == result.summary.headline
    assert brief.firmness.startswith("Narrow: 2 of 2 votes are for it")
    assert "the judges do not put it first" in brief.firmness


def test_an_early_consensus_is_the_answer(tmp_path: Path) -> None:
    result, _ = arena(tmp_path, plain=alike_from(3, {}))
    assert result.summary.headline.endswith(" (3 of 3 agents agree)")
    assert result.summary.brief.answer == outcome(result).decision
    assert result.summary.brief.firmness == "Firm: 3 of 3 agents agree, and nobody voted or judged."


def test_what_falls_short_is_no_answer(tmp_path: Path) -> None:
    result, _ = arena(tmp_path, pass_mark=9)
    assert result.summary.headline.startswith("Rejected: Cache the compiled modules")
    assert result.summary.brief.answer == result.summary.headline
