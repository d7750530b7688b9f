"""What texts of a persuasion dialogue refer to is on record, or is asked about and marked."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.protocols.persuasion.citations import unknown_ids
from moot.protocols.persuasion.payloads import DialogueJudgement, DialogueMove, TurnForfeited
from moot.protocols.persuasion.position import Dialogue
from moot.testing import ScriptedModel
from tests.kit.duels import assert_sound
from tests.kit.persuasions import GAME, Replies, outcome, persuade, say, since
from tests.kit.runs import asked, entries

FINDINGS: dict[str, Any] = GAME["moderator/findings"]  # type: ignore[assignment]
UNDERCUT = GAME["opponent/move/3"]


def calls(model: ScriptedModel, key: str) -> int:
    return sum(one.key == key for one in model.requests)


def move(result: moot.Result, name: str) -> DialogueMove:
    return next(one.data for one in entries(result) if isinstance(one.data, DialogueMove) and one.data.id == name)


def test_a_move_that_names_a_fact_nobody_has_goes_back(tmp_path: Path) -> None:
    invented = say("undercut P3", "As K99 shows, slow code can be made fast.")
    result, model = persuade(tmp_path, {"opponent/move/3": [invented, UNDERCUT]})  # type: ignore[list-item]
    assert "there is no fact K99 on record" in asked(model, "opponent/move/3")
    assert move(result, "O3").said == "Slow code can be made fast without a rewrite."
    assert outcome(result).unknown_ids == []
    assert_sound(moot.find_run(result.run))


@pytest.mark.parametrize("words", ["Take the road A44.", "K2 is a mountain.", "The P99 latency is what counts."])
def test_a_word_that_looks_like_an_id_costs_a_call_and_no_turn(tmp_path: Path, words: str) -> None:
    result, model = persuade(tmp_path, {"opponent/move/1": say("rebut A1", words)})
    assert calls(model, "opponent/move/1") == 2
    assert not any(isinstance(one.data, TurnForfeited) for one in entries(result))
    [found] = outcome(result).unknown_ids
    assert found.where == "O1"
    assert found.ids[0] in words


def test_a_later_reply_that_cannot_stand_does_not_cost_the_one_that_could(tmp_path: Path) -> None:
    doubtful = say("undercut P3", "The P99 latency is fine.")
    result, _ = persuade(tmp_path, {"opponent/move/3": [doubtful, "?", "?"]})
    assert move(result, "O3").said == "The P99 latency is fine."


def test_premises_are_read_too_and_a_move_may_name_itself(tmp_path: Path) -> None:
    given = since("since A1", "A3 and A4 carry P3.", "K7 says so.")
    result, _ = persuade(tmp_path, {"proponent/move/2": given})
    assert [(one.where, one.ids) for one in outcome(result).unknown_ids] == [("P3", ["K7"])]


def test_words_of_the_topic_and_of_facts_are_no_ids() -> None:
    dialogue = Dialogue("We should print on A4.", "We should not print on A4.", 1, {"K1": "The P99 latency is 3 s."})
    assert unknown_ids(dialogue, ["A4 is large, K1 says P99, and K2 does not; -O2, A5-sized, K3.5, XA9, O0."]) == ["K2"]


@pytest.mark.usefixtures("reports_are_read")
def test_final_statements_and_the_verdict_are_read(tmp_path: Path) -> None:
    replies: Replies = {
        "opponent/closing": {"statement": "K12 proves me right, and Pia conceded A77.", "give_up": []},
        "moderator/rationale": {"winner": "Pia", "rationale": "A3, K42 and P19.", "cites": ["A3"], "strongest": []},
        "moderator/findings": {
            **FINDINGS,
            "concessions_that_mattered": ["Pia conceded A77 in P31.", "Olaf conceded A3."],
            "valid_points_of_the_loser": ["A99 is right."],
        },
    }
    result, model = persuade(tmp_path, {**replies, "proponent/closing": {"statement": "It pays."}})
    assert [calls(model, key) for key in replies] == [2, 2, 2], "each was asked once more"
    assert "there is no argument A77 on record" in asked(model, "opponent/closing")
    assert "is no concession on record: name each by its move, one of O" in asked(model, "moderator/findings")
    found = outcome(result)
    assert [(one.where, one.ids) for one in found.unknown_ids] == [
        ("the final statement of the opponent", ["K12", "A77"]),
        ("the verdict", ["K42", "P19", "A99", "A77", "P31"]),
    ]
    assert found.verdict is not None
    assert (found.winner, result.summary.brief.answer) == ("Pia", "Yes: rewrite it."), "no verdict is lost for it"
    assert found.verdict.unfounded == ["Pia conceded A77 in P31.", "Olaf conceded A3."]
    for form in ("md", "html"):
        text = (moot.find_run(result.run).path / f"report.{form}").read_text("utf-8")
        assert "K12, A77 in the final statement of the opponent; K42, P19, A99, A77, P31 in the verdict" in text
        assert text.count("no move on record concedes it") == 2
    assert_sound(moot.find_run(result.run))


def test_a_concession_on_record_is_named_by_its_move_or_by_what_was_conceded(tmp_path: Path) -> None:
    told = ["O5 gave the case away.", "Olaf granted A3.", "Pia granted A5."]
    findings = {**FINDINGS, "concessions_that_mattered": told}
    result, model = persuade(tmp_path, {"moderator/findings": findings})
    assert "name each by its move, one of P5, O5, O6, O7" in asked(model, "moderator/findings")
    [judgement] = [one.data for one in entries(result) if isinstance(one.data, DialogueJudgement)]
    assert judgement.unfounded == ["Pia granted A5."]
    first = next(one for one in model.requests if one.key == "moderator/findings")
    assert "On record: P5 (concede A7), O5 (concede A3)" in first.messages[-1].content


NOTES = {"title": "Notes", "text": "The parser was patched twice last year.\nBoth patches failed within a week."}
RECALLED = {"title": "Earlier decision", "text": "We decided to rewrite it.", "source": "memory"}
TESTS = {"title": "Tests", "text": "All tests pass on every branch of the repository."}
JAPANESE = {"title": "メモ", "text": "この部品は昨年二度修正されましたが、どちらも一週間以内に失敗しました。"}


@pytest.mark.parametrize(
    ("document", "premise"),
    [
        (NOTES, "The notes say that “both patches failed within a week” [D1]."),
        (NOTES, "Patching does not help [D1]: 'Both patches … within a week'."),
        (NOTES, "It was “patched twice” [D1]."),
        (NOTES, "The notes say “Both patches failed … a week” [D1]."),
        (NOTES, "The notes say “The … Both patches failed” [D1]."),
        (NOTES, "Neither of last year's two patches held for a week [D1]."),
        (NOTES, "You say “let us not just do it”, yet both patches failed [D1]."),
        (JAPANESE, "「二度修正されましたが、どちらも一週間以内に失敗しました」[D1]。"),
        (JAPANESE, "「失敗しました」と書かれています【D1】。"),
        (JAPANESE, "どちらの修正も失敗した［D1］。"),
    ],
)
def test_a_document_that_is_cited_is_a_fact(tmp_path: Path, document: dict[str, str], premise: str) -> None:
    replies: Replies = {
        "opponent/move/1": say("rebut A1", "Let us not just do it."),
        "proponent/move/2": since("since A1", premise, "It is slow."),
    }
    result, model = persuade(tmp_path, replies, documents=[document])
    assert calls(model, "proponent/move/2") == 1
    assert "cited for, or none: D1 for premise 1." in asked(model, "moderator@2/look")
    assert [(one.evidence, one.bears) for one in move(result, "P3").puts] == [(["D1"], ["D1"]), ([], [])]
    offered = asked(model, "opponent/move/3")
    assert "`why A4`" in offered
    assert "`why A3`" not in offered, "a fact spares it the question"
    assert_sound(moot.find_run(result.run))


@pytest.mark.parametrize(
    "premise",
    [
        *(f"It says “both patches worked for a year” {mark}." for mark in ("[D1]", "【D1】", "［D1］")),
        "It says “both patches failed within a week” and “all then worked perfectly ever after” [D1].",
        "“Both patches worked for a whole year” [D1], “both patches failed within a week” [D1].",
        "The notes say “All tests pass on every branch” [D1].",
        "The notes say “Both … a … week” [D1].",
    ],
)
def test_words_that_are_not_in_a_document_are_asked_about_once_and_count_for_nothing(
    tmp_path: Path, premise: str
) -> None:
    replies: Replies = {
        "opponent/move/1": say("rebut A1", "Let us not just do it."),
        "proponent/move/2": since("since A1", premise),
    }
    result, model = persuade(tmp_path, replies, documents=[NOTES, TESTS])
    assert calls(model, "proponent/move/2") == 2
    assert "the words quoted for [D1] are not in it" in asked(model, "proponent/move/2")
    assert [(one.evidence, one.bears) for one in move(result, "P3").puts] == [([], [])]
    assert "misquoted" in {flag.code for flag in result.flags}


@pytest.mark.parametrize("documents", [[], [NOTES], [RECALLED]], ids=["no documents", "documents", "recalled"])
@pytest.mark.parametrize("facts", [False, True], ids=["no facts", "facts"])
def test_a_prompt_says_one_thing_about_what_can_be_cited(
    tmp_path: Path, facts: bool, documents: list[dict[str, str]]
) -> None:
    (tmp_path / "notes.md").write_text("We should rewrite it: the code is slow.\n", "utf-8")
    evidence = [str(tmp_path / "notes.md")] if facts else []
    _, model = persuade(tmp_path / "runs", evidence=evidence, documents=documents)
    first = next(one for one in model.requests if one.key == "proponent/move/2")
    system = first.messages[0].content
    assert ("No facts were given, and none are demanded." in system) is not (facts or documents == [NOTES])
    assert ("The shared facts below, such as [K1]" in system) is facts
    assert ("- The documents" in system) is (documents == [NOTES])


def test_the_citations_of_a_second_move_are_looked_at(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("We should rewrite it: the code is slow.\n", "utf-8")
    replies: Replies = {
        "opponent/move/3": say("undercut P3", "Pia is a fool."),
        "moderator@3/look": {"ruling": "personal attack", "reason": "It is one."},
        "opponent/move/3/again": say("undercut P3", "Slow code can be made fast [K1]."),
        "moderator@3/again/look": {"ruling": "stands", "reason": "Fair.", "does_not_bear": ["K1 for the claim"]},
    }
    result, _ = persuade(tmp_path / "runs", replies, evidence=[str(tmp_path / "notes.md")])
    [put] = move(result, "O3").puts
    assert (put.evidence, put.bears) == (["K1"], [])
