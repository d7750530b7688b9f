"""The arena's rounds, driven through the public API and judged by the log."""

from pathlib import Path
from typing import Any

from moot.errors import Rejected
from moot.protocols.arena.payloads import (
    ArenaProposal,
    Convergence,
    Critique,
    RoundOpened,
    SameDecision,
)
from tests.kit.arenas import SAME, TASK, WORDS, alike_from, arena, outcome, payloads, proposal, revision
from tests.kit.runs import asked, entries


def test_nine_rounds(tmp_path: Path) -> None:
    result, model = arena(tmp_path)
    assert result.status == "done"
    near = [request.key for request in model.requests if "/compare/" in request.key]
    assert near == ["ada/compare/7", "bo/compare/7"], "near enough to be asked whether they decide the same"
    assert len(model.requests) == 7 * 3 + 2 + 2 == result.spent.calls
    assert result.longest_chain == 8
    rounds = payloads(result, RoundOpened)
    assert [(one.number, one.name) for one in rounds] == [
        (1, "proposals"),
        (2, "critique"),
        (3, "revision"),
        (4, "revision"),
        (5, "revision"),
        (6, "refinement"),
        (7, "voting"),
        (8, "judgement"),
    ]
    found = outcome(result)
    assert (found.winner, found.decided_by, found.verdict, found.round) == ("Ada", "vote and judge", "approved", 8)
    assert found.decision == f"{WORDS['ada']} Round 6."
    assert [one.round for one in found.versions["Bo"]] == [1, 3, 4, 5, 6]


def test_the_first_round_is_blind(tmp_path: Path) -> None:
    _, model = arena(tmp_path)
    for part in ("ada", "bo", "cy"):
        request = next(one for one in model.requests if one.key == f"{part}/propose")
        text = "\n".join(message.content for message in request.messages)
        assert TASK in text
        assert not any(WORDS[other] in text for other in WORDS if other != part)


def test_critiques_and_who_sees_them(tmp_path: Path) -> None:
    result, model = arena(tmp_path)
    made = [(entry.speaker, entry.data.of) for entry in entries(result) if isinstance(entry.data, Critique)]
    assert made == [("Ada", "Bo"), ("Ada", "Cy"), ("Bo", "Ada"), ("Bo", "Cy"), ("Cy", "Ada"), ("Cy", "Bo")]
    prompt = asked(model, "ada/revise/3")
    assert "agent 2 doubts agent 1" in prompt
    assert "agent 3 doubts agent 1" in prompt
    assert "doubts agent 2" not in prompt
    for entry in entries(result):
        if isinstance(entry.data, Critique):
            target = entries(result)[entry.target_seq or 0]
            assert (target.speaker, target.type) == (entry.data.of, "proposal")
    assert (outcome(result).criticisms, outcome(result).mean_severity) == (6, 0.5)


def test_critiques_in_a_ring(tmp_path: Path) -> None:
    result, _ = arena(tmp_path, critique="ring")
    made = [(entry.speaker, entry.data.of) for entry in entries(result) if isinstance(entry.data, Critique)]
    assert made == [("Ada", "Bo"), ("Bo", "Cy"), ("Cy", "Ada")]


def test_early_consensus_needs_similarity_and_agreement(tmp_path: Path) -> None:
    result, model = arena(tmp_path, plain=alike_from(4, {}))
    found = outcome(result)
    assert (found.decided_by, found.verdict, found.agreed, found.round) == ("early consensus", "approved", 1.0, 4)
    assert found.decision == SAME
    assert not any("/vote" in request.key or "judging" in request.key for request in model.requests)
    early, late = payloads(result, Convergence)
    assert not early.passed
    assert late.passed
    assert late.minimum == late.mean == 1.0
    assert late.stability["Bo"] < 0.9
    # The author of the proposal that is shown is not asked whether it agrees with itself.
    assert len(payloads(result, SameDecision)) == 2


def test_alike_but_not_agreed_goes_on(tmp_path: Path) -> None:
    result, model = arena(tmp_path, plain=alike_from(3, {"cy": "no"}))
    found = outcome(result)
    assert found.decided_by != "early consensus"
    assert [one.passed for one in payloads(result, Convergence)] == [True, True, True]
    assert [(one.round, one.asked, one.same) for one in found.similarity] == [(3, True, 1), (4, True, 1), (5, True, 1)]
    assert "Differs from" in asked(model, "bo/revise/6")


def test_a_share_may_be_enough_and_dissent_is_kept(tmp_path: Path) -> None:
    result, _ = arena(tmp_path, plain=alike_from(3, {"cy": "no"}), convergence_agreement=0.6)
    found = outcome(result)
    assert (found.decided_by, found.verdict) == ("early consensus", "approved")
    assert [(one.agent, one.reason) for one in found.dissent] == [("Cy", "The key.")]


def test_an_agent_that_cannot_say_has_not_agreed(tmp_path: Path) -> None:
    result, _ = arena(tmp_path, {"bo/agree/3": Rejected("no")}, plain=alike_from(3, {}))
    first = [one for one in payloads(result, SameDecision) if one.round == 3]
    assert [one.same for one in first] == [None, True]
    assert outcome(result).round == 4


def test_who_changed_its_mind_and_why(tmp_path: Path) -> None:
    moved: dict[str, Any] = {
        "bo/revise/3": revision("Cache it all.", "Ada", "A cache hit rate of 93 %."),
        "cy/revise/5": revision("Wait."),
    }
    moved["cy/revise/5"] |= {"changed_mind": True, "because_of": "agent 3"}
    result, _ = arena(tmp_path, moved)
    bo, cy = outcome(result).changes_of_mind
    assert (bo.agent, bo.round, bo.because_of, bo.new_evidence) == ("Bo", 3, "Ada", "A cache hit rate of 93 %.")
    assert (bo.from_decision, bo.to_decision) == (WORDS["bo"], "Cache it all.")
    critique = entries(result)[bo.critique_seq or 0]
    assert (critique.speaker, critique.data.of) == ("Ada", "Bo")  # type: ignore[union-attr]
    assert (cy.agent, cy.round, cy.because_of, cy.critique_seq, cy.new_evidence) == ("Cy", 5, None, None, None)


def test_no_change_of_mind_where_the_decision_is_the_same(tmp_path: Path) -> None:
    same = revision(WORDS["bo"].upper(), "Ada", "The log of last month.")
    result, _ = arena(tmp_path, {"bo/revise/3": same})
    (claimed,) = [one for one in payloads(result, ArenaProposal) if one.changed_mind]
    assert claimed.because_of == "Ada", "the log has what the agent says of itself"
    assert outcome(result).changes_of_mind == []


def test_the_majority_of_the_blind_proposals_is_by_wording_and_waits_for_all(tmp_path: Path) -> None:
    first: dict[str, Any] = {
        "ada/propose": proposal("Let us cache.", "Cache it."),
        "bo/propose": proposal("Caching pays.", "cache  it"),
    }
    assert outcome(arena(tmp_path / "two", first)[0]).first_majority == "Cache it."
    assert outcome(arena(tmp_path / "none")[0]).first_majority is None
    stopped, _ = arena(tmp_path / "stopped", first, max_calls=2)
    assert outcome(stopped).versions["Ada"] and outcome(stopped).first_majority is None


def test_a_failed_revision_leaves_the_proposal_as_it_was(tmp_path: Path) -> None:
    result, model = arena(tmp_path, {"bo/revise/4": Rejected("down")})
    assert result.status == "done"
    missing = [one for one in payloads(result, ArenaProposal) if one.failure]
    assert [(one.round, one.decision) for one in missing] == [(4, None)]
    assert f"{WORDS['bo']} Round 3." in asked(model, "ada/revise/5")
    stability = [one.stability["Bo"] for one in payloads(result, Convergence)]
    assert stability[1] == 1.0
    assert max(stability[0], stability[2]) < 1.0
    assert any(failure.agent == "Bo" for failure in result.failures)


def test_an_agent_without_a_proposal_still_criticises_and_votes(tmp_path: Path) -> None:
    result, model = arena(tmp_path, {"cy/propose": Rejected("down")})
    keys = {request.key for request in model.requests}
    assert "cy/critique" in keys
    assert "cy/revise/3" not in keys
    assert any(key.startswith("cy@7") for key in keys)
    assert outcome(result).versions["Cy"] == []
    assert outcome(result).winner == "Ada"
