"""What an arena's agents are shown and asked: no names, objections with their answers, and a way to abstain."""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import pytest

import moot
from moot.protocols.arena.payloads import ArenaProposal, ArenaVote, Critique
from moot.testing import Scripted
from moot.text.masking import masked
from tests.kit.arenas import arena, letter_of, outcome, payloads, plain_reply, revision, shown
from tests.kit.runs import asked

ONCE: dict[str, Any] = {"max_extra_rounds": 0}
GRAVE = {"quote": "faster machines", "issue": "They cost too much.", "suggestion": "", "severity": 80}
SLIGHT = {"quote": "words that are not there", "issue": "It is vague.", "suggestion": "Say how.", "severity": 20}


def with_objections(request: moot.Request) -> Scripted:
    """Ada objects twice to what Bo proposes, and Bo accepts one of it."""
    if request.key == "ada/critique":
        return {"agent 2": [SLIGHT, GRAVE], "agent 3": []}
    if request.key == "bo/revise/3":
        answer = {"to": ["O1"], "reason": "They do cost more than a cache.", "verdict": "accepted"}
        moved = {"changed_mind": True, "because_of": "O1", "would_change": "A cheaper offer."}
        return {"answers": [answer], **revision("Rent machines for everybody who waits for a compiler."), **moved}
    if request.key.startswith("bo/revise"):
        return revision("Rent machines for everybody who waits for a compiler.")
    return plain_reply(request)


def test_no_request_names_an_agent(tmp_path: Path) -> None:
    agents = [{"name": name, "personality": "You think."} for name in ("Ada", "Bo", "Cy")]
    watchers: dict[str, Any] = {"trickster": True, "observer": True, "agents": agents}
    _, model = arena(tmp_path, plain=with_objections, max_extra_rounds=1, vote="unanimous", **watchers)
    for request in model.requests:
        sent = "\n".join(message.content for message in request.messages if message.role != "assistant")
        assert not any(name in sent for name in ("Ada", "Bo", "Cy")), request.key


def test_objections_are_numbered_by_gravity_and_answered(tmp_path: Path) -> None:
    result, model = arena(tmp_path, plain=with_objections, **ONCE)
    prompt = asked(model, "bo/revise/3")
    assert "O1 (severity 80): on “faster machines”: They cost too much." in prompt
    assert "(severity 20): It is vague. Suggestion: Say how." in prompt, (
        "words that are not in the proposal are left out"
    )
    criticism = next(one for one in payloads(result, Critique) if one.of == "Bo")
    assert [issue.quote for issue in criticism.issues] == [None, "faster machines"]
    revised = next(one for one in payloads(result, ArenaProposal) if one.answers)
    assert [(one.by, one.issue, one.verdict) for one in revised.answers] == [("Ada", "They cost too much.", "accepted")]
    assert (revised.would_change, revised.because_of) == ("A cheaper offer.", "Ada"), "it is moved by an objection"


@pytest.mark.parametrize("key", ["cy@7/vote", "judge@8-1/judging"])
def test_voters_and_judges_see_criticism(tmp_path: Path, key: str) -> None:
    _, model = arena(tmp_path, plain=with_objections, **ONCE)
    prompt = asked(model, key)
    assert "each with the gravest objections to its first version" in prompt
    gone = (
        "They cost too much. The words that it quotes are gone. The author: accepted. They do cost more than a cache."
    )
    assert gone in prompt
    assert "It is vague. The author: passed over it." in prompt


def test_every_request_of_a_round_begins_alike(tmp_path: Path) -> None:
    _, model = arena(tmp_path, **ONCE)
    ada, bo = asked(model, "ada/revise/4"), asked(model, "bo/revise/4")
    own = ada.index("You are agent 1.")
    assert ada[:own] == bo[:own]
    assert len({request.messages[0].content for request in model.requests}) == 1


def abstaining(*parts: str) -> Any:
    def reply(request: moot.Request) -> Scripted:
        if request.key.endswith("/vote") and request.agent.partition("@")[0] in parts:
            ranked = "ranking" in (request.schema or {})["properties"]
            return {
                "reason": "They are alike.",
                "confidence": 50,
                **({"ranking": []} if ranked else {"choice": "abstain"}),
            }
        if request.key.endswith("/vote") and "ranking" in (request.schema or {})["properties"]:
            first = letter_of(request, "Cache")
            rest = [letter for letter in shown(request) if letter != first]
            return {"reason": "So.", "ranking": [first, *rest], "confidence": 80}
        return plain_reply(request)

    return reply


@pytest.mark.parametrize("rule", ["majority", "borda"])
def test_a_voter_may_abstain(tmp_path: Path, rule: str) -> None:
    result, _ = arena(tmp_path, plain=abstaining("ada"), vote=rule, **ONCE)
    found = outcome(result)
    assert result.status == "done"
    assert found.tally is not None
    assert (found.tally.winner, found.tally.abstained, found.tally.voters) == ("Ada", ["Ada"], 3)
    vote = next(one for one in payloads(result, ArenaVote) if not one.ranking)
    assert (vote.failure, vote.reason, vote.confidence) == (None, "They are alike.", None)


def test_too_few_votes_elect_nobody(tmp_path: Path) -> None:
    result, _ = arena(tmp_path, plain=abstaining("bo", "cy"), vote="borda", **ONCE)
    tally = outcome(result).tally
    assert tally is not None
    assert tally.winner is None
    assert "2 votes are needed, and 1 were cast" in tally.reason


def test_covering_names_grows_with_the_texts_and_not_with_the_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a ring every agent reads one other, so that twice the agents are twice the texts."""
    seen: set[str] = set()

    def counting(text: str, covers: Mapping[str, str]) -> str:
        seen.add(f"{covers}{text}")
        return masked(text, covers)

    monkeypatch.setattr("moot.protocols.arena.board.masked", counting)
    passes = []
    for number in (5, 10, 20):
        agents = [{"name": f"Agent{letter}", "personality": "So."} for letter in ascii_uppercase[:number]]
        arena(tmp_path / str(number), agents=agents, critique="ring", reports=False, **ONCE)
        passes.append(len(seen))
        seen.clear()
    assert all(more <= 2.1 * few for few, more in pairwise(passes)), passes
