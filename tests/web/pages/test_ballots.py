"""Ballots of an arena beside the proposals that they were about, and what one that decided nothing says of itself."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

import moot
from moot.protocols.arena.payloads import ArenaVote, HollowChallenge, JudgeReading, SameDecision
from moot.testing import Scripted, ScriptedModel
from tests.kit import arenas
from tests.kit.library import text_of
from tests.kit.servers import serving

WORD = {"ada": "Cache", "bo": "Buy", "cy": "Delete"}
Staged = tuple[moot.Run, ScriptedModel, httpx.Client]


def divided(request: moot.Request) -> Scripted:
    """Everybody argues alike, decides otherwise, and votes for itself as long as it is asked; once Cy is moved."""
    part = request.agent.partition("@")[0]
    match request.key.split("/")[1:]:
        case ["propose", *_]:
            return arenas.proposal("As Ada knows, something must be done.", arenas.WORDS[part])
        case ["revise", number, *_]:
            moved = arenas.revision(f"As Ada knows, it must be done. Round {number}.", "Ada" if part == "cy" else None)
            return {**moved, "decision": f"{arenas.WORDS[part]} In round {number}."}
        case ["vote", *_]:
            return {"reason": "So.", "choice": arenas.letter_of(request, WORD[part]), "confidence": 60}
        case ["agree", *_]:
            return arenas.comparison(request, "no", "Ada, Bo and Cy differ.")
        case _:
            return arenas.plain_reply(request)


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staged]:
    """An arena that votes three times and decides nothing."""
    folder = tmp_path_factory.mktemp("divided") / "runs"
    result, model = arenas.arena(folder, plain=divided)
    assert (arenas.outcome(result).extra_rounds, arenas.outcome(result).decision) == (2, None)
    with serving(folder) as site, site.client() as client:
        yield moot.find_run(result.run), model, client


def plain(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def ballot(page: str, seq: int) -> tuple[str, str]:
    """What the page says was read from a reply, and what it says was added."""
    found = re.search(rf'id="b{seq}".*?Read from it(.*?)Added by moot(.*?)The reply', page, re.DOTALL)
    assert found is not None
    return found[1], found[2]


def test_what_was_read_and_what_was_added(staged: Staged) -> None:
    run, _, client = staged
    page = client.get(f"/runs/{run.name}/ballots").text
    for entry in run.entries():
        if isinstance(entry.data, ArenaVote | JudgeReading):
            read, added = ballot(page, entry.seq)
            assert "<dt>ranking</dt>" in read
            assert "ranking" not in added
            assert "<dt>labels</dt>" in added
            assert "<dt>round</dt>" in added
        if isinstance(entry.data, JudgeReading):
            assert re.search(r"scores \w+: soundness: \d, usefulness: \d, candour: \d; \w+:", plain(read))
            assert "<dt>reasons</dt>" in read


def test_an_answer_about_one_proposal_names_the_version(staged: Staged) -> None:
    run, _, client = staged
    page = client.get(f"/runs/{run.name}/ballots").text
    answers = [entry for entry in run.entries() if isinstance(entry.data, SameDecision)]
    assert answers
    for entry in answers:
        read, added = ballot(page, entry.seq)
        asked = getattr(entry.data, "round", 0)
        made = asked - 1 if entry.phase == "voting" else asked
        assert re.search(rf"of \w+ .*version of round {made}\b", plain(added))
        assert "<dt>of</dt>" not in read


def test_questions_are_read_and_what_they_rest_on_is_added(tmp_path: Path) -> None:
    def alike(request: moot.Request) -> Scripted:
        reply = divided(request)
        return {**reply, "decision": "Do it."} if isinstance(reply, dict) and "decision" in reply else reply

    run = moot.find_run(arenas.arena(tmp_path / "runs", plain=alike, trickster=True, max_extra_rounds=0)[0].run)
    challenge = next(entry for entry in run.entries() if isinstance(entry.data, HollowChallenge))
    with serving(tmp_path / "runs") as site, site.client() as client:
        read, added = ballot(client.get(f"/runs/{run.name}/ballots").text, challenge.seq)
    assert "questions Ada: What do you know, agent 1?; Bo: What" in plain(read)
    assert "source" not in read
    assert re.search(r"gaps Ada: [^;]*source", plain(added))


def test_a_debate_without_a_decision_says_what_it_changed(staged: Staged, tmp_path: Path) -> None:
    run, _, client = staged
    minds = (run.result() or {})["changes_of_mind"]
    assert len(minds) > 1
    told = f"The debate brought {len(minds)} changes of mind, by the agents’ own account"
    assert told in text_of(client.get(f"/runs/{run.name}"))
    stopped = moot.find_run(arenas.arena(tmp_path / "runs", max_calls=9)[0].run)
    early = moot.find_run(arenas.arena(tmp_path / "runs", max_calls=2)[0].run)
    with serving(tmp_path / "runs") as site, site.client() as other:
        told = "The debate brought no change of mind."
        assert told in text_of(other.get(f"/runs/{stopped.name}"))
        assert "brought" not in text_of(other.get(f"/runs/{early.name}"))
        compared = text_of(other.get(f"/compare?a={early.name}&b={stopped.name}"))
        assert "What debating changed – No majority of the blind proposals" in compared
