"""The Trickster and the observer."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.errors import Rejected
from moot.protocols.arena.payloads import Convergence, HollowChallenge, Observation
from moot.testing import Scripted
from tests.kit.arenas import (
    HOLLOW,
    SOLID,
    arena,
    outcome,
    payloads,
    plain_reply,
    reading,
    revision,
    saying,
)
from tests.kit.runs import asked, entries


def test_a_hollow_consensus_is_challenged_and_waits(tmp_path: Path) -> None:
    def reply(request: moot.Request) -> Scripted:
        found: Scripted = revision(SOLID) if request.key.endswith("/revise/4") else saying(HOLLOW)(request)
        return found

    result, model = arena(tmp_path, plain=reply, trickster=True)
    (challenge,) = payloads(result, HollowChallenge)
    assert challenge.round == 3
    assert [one.to for one in challenge.questions] == ["Ada", "Bo", "Cy"]
    assert "What do you know, agent 2?" in asked(model, "bo/revise/4")
    assert "What do you know, agent 1?" not in asked(model, "bo/revise/4")
    first, second = payloads(result, Convergence)
    assert (first.hollow, first.passed) == (True, True)
    assert (second.hollow, second.bar) == (False, None)
    found = outcome(result)
    assert (found.decided_by, found.round, found.verdict, found.challenges) == ("early consensus", 4, "approved", 1)


def test_a_solid_consensus_is_left_alone(tmp_path: Path) -> None:
    result, _ = arena(tmp_path, plain=saying(SOLID), trickster=True)
    assert payloads(result, HollowChallenge) == []
    assert (outcome(result).decided_by, outcome(result).round) == ("early consensus", 3)


def test_without_a_trickster_evidence_is_measured_and_nothing_is_called_hollow(tmp_path: Path) -> None:
    result, _ = arena(tmp_path, plain=saying(HOLLOW))
    (found,) = payloads(result, Convergence)
    assert (found.quality, found.bar, found.hollow) == (dict.fromkeys(("Ada", "Bo", "Cy"), 0.0), None, False)
    assert outcome(result).evidence["Ada"].quality == 0.0
    assert outcome(result).decided_by == "early consensus"


@pytest.mark.parametrize("rounds", [1, 3, 5])
def test_a_consensus_found_hollow_to_the_end_is_for_review(tmp_path: Path, rounds: int) -> None:
    def reply(request: moot.Request) -> Scripted:
        good = {"best for the team": 8}
        return reading(request, good) if request.key.endswith("/judging") else saying(HOLLOW)(request)

    result, model = arena(tmp_path, plain=reply, trickster=True, revision_rounds=rounds)
    assert [one.round for one in payloads(result, HollowChallenge)] == [*range(3, 3 + rounds)]
    found = outcome(result)
    assert (found.decided_by, found.verdict, found.hollow) == ("vote and judge", "needs_review", True)
    assert [doubt.code for doubt in found.doubts] == ["hollow_consensus"]
    assert "hollow_consensus" in [flag.code for flag in result.flags]
    assert sum("/challenge/" in request.key for request in model.requests) == rounds


def test_evidence_dropped_in_the_last_pass_is_missed(tmp_path: Path) -> None:
    """Solid through all revisions, hollow in what is voted on."""

    def reply(request: moot.Request) -> Scripted:
        match request.key.split("/")[1:]:
            case ["revise", number]:
                return revision(HOLLOW if int(number) > 5 else SOLID)
            case ["judging"]:
                return reading(request, {"best for the team": 8})
        return plain_reply(request)

    result, _ = arena(tmp_path, plain=reply, trickster=True)
    found = outcome(result)
    assert payloads(result, HollowChallenge) == []
    assert (found.decided_by, found.verdict, found.hollow) == ("vote and judge", "needs_review", True)


def test_a_trickster_that_fails_leaves_plain_questions(tmp_path: Path) -> None:
    result, model = arena(tmp_path, {"trickster/challenge/3": Rejected("down")}, plain=saying(HOLLOW), trickster=True)
    challenge = payloads(result, HollowChallenge)[0]
    assert challenge.failure == "down"
    assert "names no source" in challenge.questions[0].question
    assert "names no source" in asked(model, "ada/revise/4")


def test_the_observer_notes_what_no_agent_sees(tmp_path: Path) -> None:
    def reply(request: moot.Request) -> Scripted:
        if request.agent.startswith("observer"):
            turns = (request.schema or {})["properties"]
            noted: dict[str, Any] = {turn: {"kinds": ["evidence", "evidence"], "fallacies": []} for turn in turns}
            noted["T1"]["fallacies"] = [
                {"name": "equivocation", "words": "Cache the compiled modules"},
                {"name": "red herring", "words": "words that nobody said"},
            ]
            return noted
        return plain_reply(request)

    result, model = arena(tmp_path, plain=reply, observer=True)
    notes = {one.round: one for one in payloads(result, Observation)}
    assert set(notes) == {1, 2, 3, 4, 5, 6}
    assert notes[1].turns[0].of == "Ada"
    assert notes[1].turns[0].kinds == ["evidence"]
    assert [one.name for one in notes[1].turns[0].fallacies] == ["equivocation"]
    assert notes[1].unfounded == 1
    assert notes[2].unfounded == 2, "these are words of a proposal, not of a critique"
    assert all(entry.to == [] for entry in entries(result) if isinstance(entry.data, Observation))
    others = [request for request in model.requests if not request.agent.startswith("observer")]
    assert not any("equivocation" in message.content for request in others for message in request.messages)
    assert all(len(request.messages) == 2 for request in model.requests if request.agent.startswith("observer"))
    assert result.longest_chain == 8, "it holds nothing up"
