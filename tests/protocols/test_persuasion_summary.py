"""What a dialogue came to, in words, and what speaks against relying on it: the same wherever it is shown."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.outcome.result import fold
from moot.present import Flag, Point
from moot.protocols.persuasion.payloads import DialogueJudgement, DialogueMove
from tests.kit.persuasions import CLEAR, GAME, LEVEL, SILENT, Replies, persuade, since
from tests.kit.runs import entries

FINDINGS: Any = GAME["moderator/findings"]
RATIONALE: Any = GAME["moderator/rationale"]
GIVEN_UP: Replies = {
    "proponent/closing": {"statement": "You win.", "give_up": ["concede A2"]},
    "opponent/closing": {"statement": "I do."},
    "moderator/rationale": RATIONALE | {"winner": "Olaf", "strongest": []},
    "moderator/findings": FINDINGS | {"concessions_that_mattered": [], "answer": "No: leave it.", "follows": "Olaf"},
}
FLAGGED: dict[str, Replies] = {
    "verdict_not_whole": {"moderator/findings": "?"},
    "moderator_decided": LEVEL,
    "hangs_on_semantics": LEVEL,
    "unfounded_concessions": {"moderator/findings": FINDINGS | {"concessions_that_mattered": ["Pia granted A5."]}},
    "turns_forfeited": {"opponent/move/5": "?"},
    "side_silent": SILENT,
    "unbacked_claims": {},
    "small_margin": {"opponent/move/5": since("since A5", "Two people know it well.", "A third one does.")},
    "facts_missing": {},
    "moves_not_looked_at": {"moderator@2/look": "?"},
    "unknown_references": {"moderator/rationale": RATIONALE | {"rationale": "A3, and K42."}},
}


def flags_of(result: moot.Result) -> dict[str, Flag]:
    return {flag.code: flag for flag in result.flags}


def test_nothing_speaks_against_a_dialogue_in_order(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path, CLEAR)
    flags = flags_of(result)
    assert list(flags) == ["unbacked_claims", "scripted_replies"], "the margin is wide, and no argument decides alone"
    summary = result.summary
    assert (summary.headline, summary.kind, summary.decided) == ("Yes: rewrite it (0.70 to 0.50)", "Answer", True)
    assert summary.reached == (
        "The case for “We should rewrite it” holds: it scores 0.70, and 0.50 would be neither for nor against. "
        "No single argument decides it; the one that weighs most is A3, “It is slow” (A4 weighs as much)."
    )
    assert summary.change is None, "the opening holds its reasons back, so it is nothing to compare with"
    assert summary.brief.firmness == (
        "Clear: the cases score 0.70 to 0.50; of 3 other ways to weigh the arguments, none would decide otherwise."
    )


def test_the_moderators_brief_has_its_entries(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path, CLEAR)
    brief, log = result.summary.brief, entries(result)
    moves = {one.data.id: one.seq for one in log if isinstance(one.data, DialogueMove)}
    [judgement] = [one.seq for one in log if isinstance(one.data, DialogueJudgement)]
    assert brief.because == [
        Point(text="It is slow, and patching has failed twice.", entries=[moves["P3"], moves["P4"]])
    ], "A3 was put forward in P3"
    assert (brief.answer, brief.source) == ("Yes: rewrite it.", judgement)
    assert (brief.objection, brief.would_change_it) == (
        Point(text="It can be made fast."),
        Point(text="Two years are over."),
    )
    assert not any(
        sign in f"{result.summary.headline} {result.summary.reached} {brief}" for sign in ("φ", "PRO", "OPP")
    )


def test_an_answer_against_the_verdict_is_sent_back_once_and_then_flagged(tmp_path: Path) -> None:
    astray = FINDINGS | {"answer": "No: leave it.", "follows": "Olaf"}
    mended, model = persuade(tmp_path / "mended", {"moderator/findings": [astray, FINDINGS]})
    assert len([one for one in model.requests if one.key == "moderator/findings"]) == 2
    assert (mended.summary.brief.answer, "answer_contradicts_verdict" in flags_of(mended)) == (
        "Yes: rewrite it.",
        False,
    )
    kept, model = persuade(tmp_path / "kept", {"moderator/findings": [astray, astray | {"follows": "neither"}]})
    assert len([one for one in model.requests if one.key == "moderator/findings"]) == 2
    assert kept.summary.headline == "Upheld: We should rewrite it (0.56 to 0.50)"
    assert flags_of(kept)["answer_contradicts_verdict"].text == (
        "The moderator’s answer contradicts the verdict and is left out: it follows neither case, and Pia won."
    )


def test_where_nobody_wins_an_answer_that_follows_neither_side_stands(tmp_path: Path) -> None:
    open_still = FINDINGS | {"answer": "Not yet: measure first.", "follows": "neither", "concessions_that_mattered": []}
    result, _ = persuade(tmp_path, LEVEL | {"moderator/rationale": "?", "moderator/findings": open_still})
    assert (result.summary.headline, result.summary.decided) == ("Not yet: measure first (no winner)", False)


def test_an_undercut_that_defeats_the_claim_is_told_though_the_scores_favour_it(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path)
    assert "hangs_on_semantics" in flags_of(result)
    assert result.summary.reached == (
        "The case for “We should rewrite it” holds: it scores 0.56, and 0.50 would be neither for nor against. "
        "The argument that decides it is A3, “It is slow” (A4 and A6 weigh as much): without it Olaf would win."
    )
    assert result.summary.brief.firmness == (
        "Narrow: the cases score 0.56 to 0.50; it rests on a single argument; of 3 other ways to weigh the arguments, "
        "2 would decide otherwise."
    )


@pytest.mark.parametrize("code", FLAGGED)
def test_what_speaks_against_it_is_flagged_by_a_code(tmp_path: Path, code: str) -> None:
    result, _ = persuade(tmp_path, FLAGGED[code])
    assert result.status == "done", result.reason
    assert flags_of(result)[code].model_dump() in (moot.find_run(result.run).result() or {})["flags"]


def test_evidence_without_a_word_on_the_topic_is_flagged(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "zebra.txt").write_text("Zebras have stripes.", "utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG\0")
    result, _ = persuade(tmp_path / "runs", CLEAR, evidence=[str(folder)])
    flag = flags_of(result)["no_facts"]
    assert flag.text.startswith("The evidence holds nothing about the topic, so no claim could cite it. Files read: ")
    assert "left out: 1 " in flag.text
    (folder / "zebra.txt").write_text("A rewrite of it is overdue.", "utf-8")
    assert "no_facts" not in flags_of(persuade(tmp_path / "runs", CLEAR, evidence=[str(folder)])[0])


@pytest.mark.parametrize(
    ("code", "before", "after"),
    [
        ("scores_not_converged", '"certificate":{"converged":true', '"certificate":{"converged":false'),
        ("scores_not_unique", '"certificate":"acyclic","unique":true', '"certificate":"none","unique":false'),
    ],
)
def test_scores_that_are_not_certain_are_flagged(tmp_path: Path, code: str, before: str, after: str) -> None:
    run = moot.find_run(persuade(tmp_path)[0].run)
    log = run.log_path.read_text("utf-8")
    assert before in log
    run.log_path.write_text(log.replace(before, after, 1), "utf-8")
    assert code in flags_of(fold(run, "done", None, 1))


def test_how_firm_it_is_follows_from_the_record(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path, LEVEL)
    assert result.summary.headline == "No: leave it (0.50 to 0.50)"
    assert result.summary.brief.firmness == (
        "Narrow: the cases score 0.50 to 0.50, and the moderator decided; of 3 other ways to weigh the arguments, 1 "
        "would decide otherwise."
    )
    given_up, _ = persuade(tmp_path, GIVEN_UP)
    assert given_up.summary.headline == "No: leave it (the other side granted it)"
    assert given_up.summary.brief.firmness == "Firm: the other side granted it."
    assert given_up.summary.reached == "Pia granted that Olaf is right about “We should rewrite it”."


def test_a_claim_without_a_reason_fails(tmp_path: Path) -> None:
    # Nothing backs φ in the end: its proponent loses, and the opponent need not show the contrary.
    bare = {f"proponent/move/{turn}": "?" for turn in (2, 4)} | {"opponent/move/3": "?", "opponent/move/5": "?"}
    unmet, _ = persuade(tmp_path / "unmet", {**GIVEN_UP, **bare, "proponent/closing": {"statement": "It pays."}})
    assert unmet.summary.reached == (
        "Pia gave no reason for “We should rewrite it” that still stands, so the case for it fails."
    )


def test_a_dialogue_that_stopped_says_how_far_it_is(tmp_path: Path) -> None:
    result, _ = persuade(tmp_path, max_calls=5)
    assert (result.summary.headline, result.summary.decided) == ("No verdict yet", False)
    assert result.summary.reached == "So far the case for “We should rewrite it” scores 0.38, the case against it 0.38."
    assert result.flags[0].code == "unfinished"


@pytest.mark.parametrize("rationale", ["A3 scores 0.71, and A1 0.56.", "A1 stands at 0,560 against 0,93."])
def test_a_rationale_for_other_scores_is_asked_about_and_then_left_out(tmp_path: Path, rationale: str) -> None:
    strange = RATIONALE | {"rationale": rationale}
    result, model = persuade(tmp_path / "kept", {"moderator/rationale": strange})
    assert len([one for one in model.requests if one.key == "moderator/rationale"]) == 2
    assert "verdict_not_whole" in flags_of(result)
    assert result.summary.headline == "Yes: rewrite it (0.56 to 0.50)"
    assert rationale not in str(result.outcome)
    mended, _ = persuade(tmp_path / "mended", {"moderator/rationale": [strange, RATIONALE | {"rationale": "0.56."}]})
    assert "verdict_not_whole" not in flags_of(mended)
