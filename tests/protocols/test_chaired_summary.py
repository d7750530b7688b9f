"""What a chaired debate came to, in words, and what speaks against relying on it: the same wherever it is shown."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.outcome.result import fold
from moot.present import Flag
from moot.protocols.chaired.result import ChairedOutcome
from tests.kit.chaired import ABSENT, FIXED, GOOD, WEAK, Answers, because, hold, of_type, turn

DECISION: Any = FIXED["decision"]
ASSESSMENT: Any = FIXED["assessment"]
BAD: Any = ["nothing of use"] * 3
MADE_UP = turn("new_point", "As nobody knows but me.", ABSENT)
FLAGGED: dict[str, Answers] = {
    "decided_by_rules": {"promoter@r1/turn": MADE_UP, "detractor@r1/turn": MADE_UP},
    "void_without_cause": {"chair@conclusion/decision": DECISION | {"outcome": "void"}},
    "no_decision": {"chair@conclusion/decision": BAD},
    "winner_cited_fabricated_sources": {
        "promoter@r1/turn": MADE_UP,
        "chair@conclusion/decision": DECISION | {"outcome": "affirmative_wins"},
    },
    "sources_not_verified": {"detractor@opening/turn": turn("opening_statement", "Against.", WEAK)},
    "reporter_not_neutral": {"assessor@report/assessment": ASSESSMENT | {"reporter_neutral": False}},
    "audience_conclusion_faulty": {"audience@end/view": {"conclusion": "As #999 shows."}},
    "judgements_missing": {"chair@promoter.opening/conduct": BAD},
    "side_without_statement": {f"promoter@{place}/turn": BAD for place in ("opening", "r1", "closing")},
    "conduct_ruled_on": {
        "chair@promoter.opening/conduct": {
            "breach": "ad_hominem",
            "words": "The promoter opens",
            "reason": "It is rude.",
        }
    },
    "turns_struck": {"promoter@r1/turn": turn("conjecture", "It has no label.")},
}


def result_of(run: moot.Run) -> moot.Result:
    return fold(run, "done", None, 1)


def flags_of(run: moot.Run) -> dict[str, Flag]:
    return {flag.code: flag for flag in result_of(run).flags}


def test_nothing_speaks_against_a_debate_in_order(tmp_path: Path) -> None:
    run, _ = hold(tmp_path)
    assert list(flags_of(run)) == ["scripted_replies"]
    summary = result_of(run).summary
    assert (summary.headline, summary.decided) == ("It depends on the city (a draw)", True)
    assert summary.reached == "Decided by the chair, after 1 round."


@pytest.mark.parametrize("code", FLAGGED)
def test_what_speaks_against_it_is_flagged_by_a_code(tmp_path: Path, code: str) -> None:
    run, _ = hold(tmp_path, FLAGGED[code])
    assert flags_of(run)[code].model_dump() in (run.result() or {})["flags"]


def test_a_debate_that_both_sides_made_up_is_void(tmp_path: Path) -> None:
    run, _ = hold(tmp_path, FLAGGED["decided_by_rules"])
    summary = result_of(run).summary
    assert (summary.headline, summary.decided) == ("No answer: both sides cited fabricated sources", False)
    assert summary.reached == "Decided by the rules alone, after 1 round."
    told = flags_of(run)
    assert told["sources_fabricated"].text == "Of 4 cited sources, 2 are fabricated, by the promoter and the detractor."
    assert told["entries_redacted"].text == "2 entries were redacted for fabricated sources."


def test_whom_the_reasons_speak_for_is_asked_and_not_guessed_from_their_words(tmp_path: Path) -> None:
    claimed = DECISION | {
        "outcome": "negative_wins",
        "promoter_case": "The promoter wins.",
        "answer": "No: “the promoter wins” is what #2 says.",
        "stronger": "detractor",
        **because(3),
    }
    run, _ = hold(tmp_path, {"chair@conclusion/decision": claimed})
    assert "answer_contradicts_verdict" not in flags_of(run)
    assert result_of(run).summary.headline == "No: “the promoter wins” is what #2 says"


@pytest.mark.parametrize(
    ("outcome", "stronger"),
    [("affirmative_wins", "detractor"), ("negative_wins", "neither"), ("draw", "promoter"), ("draw", "detractor")],
)
def test_reasons_that_speak_for_another_go_back_once_and_are_flagged(
    tmp_path: Path, outcome: str, stronger: str
) -> None:
    wrong = DECISION | because(2, 3) | {"outcome": outcome, "stronger": stronger}
    run, model = hold(tmp_path, {"chair@conclusion/decision": wrong})
    assert sum(request.key == "chair@conclusion/decision" for request in model.requests) == 2
    assert "answer_contradicts_verdict" in flags_of(run)
    document = run.result() or {}
    assert document["outcome"] == outcome


def test_a_side_that_wins_by_no_statement_is_asked_again_and_flagged(tmp_path: Path) -> None:
    wins = DECISION | {"outcome": "affirmative_wins", "stronger": "promoter"}
    again = wins | {"because": [{"reason": "It is so.", "rests_on": ["entry #2"]}]}
    run, _ = hold(tmp_path / "a", {"chair@conclusion/decision": [wins, again]})
    assert not flags_of(run).keys() & {"conclusion_faulty", "win_without_statement"}
    run, _ = hold(tmp_path / "b", {"chair@conclusion/decision": wins})
    assert flags_of(run)["win_without_statement"].severity == "warning"
    assert "rests_on is empty" in flags_of(run)["conclusion_faulty"].text
    assert (run.result() or {})["winner"] == "promoter"
    run, _ = hold(tmp_path / "c", {"chair@conclusion/decision": wins | because(3)})
    assert "rests_on has no statement of the promoter" in flags_of(run)["conclusion_faulty"].text
    assert "The chair cites no statement by the winning side (promoter)" in flags_of(run)["win_without_statement"].text


def test_the_chair_answers_in_its_decision(tmp_path: Path) -> None:
    parts = {
        "objection": "Cars are fast.",
        "agreed": "Lanes end.",
        "would_change_it": "A count.",
        "next": "Ask.",
    }
    decided = DECISION | parts | because(2, 3) | {"outcome": "affirmative_wins", "stronger": "promoter"}
    run, model = hold(tmp_path, {"chair@conclusion/decision": decided | {"answer": "Yes, build trams."}})
    summary, concluded = result_of(run).summary, of_type(run, "conclusion")[0]
    assert (summary.headline, summary.kind) == ("Yes, build trams", "Answer")
    assert summary.reached.startswith("The stronger case is that of the promoter, who argued for the topic.")
    found = summary.brief
    assert [(one.text, one.entries) for one in found.because] == [("It is so.", [2, 3])]
    assert ({name: getattr(found, name).text for name in parts}, found.source) == (parts, concluded.seq)
    assert found.firmness == "Firm: 2 of 2 citations in #2 and #3, on which it rests, confirmed."
    assert concluded.content.startswith("Yes, build trams.\n\nThe promoter wins")
    fields = next(one.schema for one in model.requests if one.key == "chair@conclusion/decision")
    assert fields is not None and list(fields["properties"])[-3:] == ["answer", "stronger", "outcome"]


HEADLINES: list[tuple[str, dict[str, Any], str]] = [
    ("affirmative_wins", {"answer": ""}, "Upheld: Trams are better than cars."),
    ("negative_wins", {"answer": ""}, "Not upheld: Trams are better than cars."),
    ("negative_wins", {"answer": "No, keep the cars."}, "No, keep the cars"),
    ("draw", {"answer": ""}, "A draw: Trams are better than cars."),
    ("draw", {}, "It depends on the city (a draw)"),
    ("void", {"answer": "Nothing can be said."}, "Nothing can be said (void)"),
]


@pytest.mark.parametrize(("outcome", "said", "headline"), HEADLINES, ids=[one[2] for one in HEADLINES])
def test_the_headline_answers_whatever_the_outcome(
    tmp_path: Path, outcome: str, said: dict[str, Any], headline: str
) -> None:
    run, _ = hold(tmp_path, {"chair@conclusion/decision": DECISION | said | {"outcome": outcome}})
    assert result_of(run).summary.headline == headline
    assert ("conclusion_faulty" in flags_of(run)) is (said.get("answer") == "" or outcome.endswith("wins"))


def test_who_leans_the_other_way_in_the_end_makes_it_less_firm(tmp_path: Path) -> None:
    decided = DECISION | because(2) | {"outcome": "affirmative_wins", "stronger": "promoter"}
    leaning = {"reason": "I like cars.", "moved_by": [], "leaning": 20}
    run, _ = hold(tmp_path, {"chair@conclusion/decision": decided, "audience@after/leaning": leaning})
    firmness = result_of(run).summary.brief.firmness
    assert firmness.startswith("Not firm:") and "the audience still leaning the other way" in firmness


@pytest.mark.parametrize("part", ["objection", "agreed", "would_change_it", "next", "answer"])
def test_no_part_of_a_brief_cites_what_is_not_on_record(tmp_path: Path, part: str) -> None:
    run, _ = hold(tmp_path, {"chair@conclusion/decision": DECISION | {part: "It is as #999 says."}})
    assert "it cites #999, and there is no such entry" in flags_of(run)["conclusion_faulty"].text


def test_words_that_were_struck_are_in_no_brief_and_no_flag(tmp_path: Path) -> None:
    secret = "Nobody but me has ever counted the purple trams of Ghent."
    struck = turn("new_point", secret, ABSENT)
    parts = dict.fromkeys(("objection", "agreed", "would_change_it", "next", "answer"), secret)
    decided = DECISION | because(reason=secret) | parts
    run, _ = hold(tmp_path, {"promoter@r1/turn": struck, "chair@conclusion/decision": decided})
    summary = result_of(run).summary
    assert "purple" not in str(summary) and "[REDACTED" in summary.headline
    failed, _ = hold(tmp_path, {"promoter@r1/turn": struck, "chair@conclusion/decision": [secret] * 3})
    assert result_of(failed).summary.headline == "No answer: the chair came to no usable decision"
    assert "purple" not in str(result_of(failed).summary)


def test_a_pack_with_files_of_no_known_kind_says_so(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "film.mp4").write_bytes(b"\0")
    run, _ = hold(tmp_path)
    assert flags_of(run)["evidence_not_read"].text == "Not read, since of no known kind: film.mp4."


def test_an_unfinished_debate_has_no_outcome_yet(tmp_path: Path) -> None:
    run, _ = hold(tmp_path)
    lines = run.log_path.read_text("utf-8").splitlines(keepends=True)
    run.log_path.write_text("".join(lines[:8]), "utf-8")
    result = fold(run, "limit", "enough", 1)
    assert (result.summary.headline, result.summary.decided) == ("No outcome yet", False)
    assert isinstance(result.outcome, ChairedOutcome)
    assert GOOD in run.log_path.read_text("utf-8")
