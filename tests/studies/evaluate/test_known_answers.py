"""Evaluations of a quiz in which every reply is planned: every figure is known before it is computed."""

import asyncio
import csv
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.stats import rate
from moot.studies.evaluate import Design, Evaluation
from moot.testing import Scripted, ScriptedModel
from tests.kit.quiz import MODEL, Quiz, grades, journalled, numbers, pairs, row, run, short_duel, thinking, write

SEVEN, EIGHT, NINE, NOTHING = map(thinking, ("ANSWER: 7", "ANSWER: 8", "ANSWER: 9", "Who knows?"))
DUEL = Quiz(
    usual={"voter-1": SEVEN, "voter-2": SEVEN, "voter-3": SEVEN, "sample": SEVEN},
    said={
        "Q1": {"Avery": SEVEN, "Blake": SEVEN, "sample": EIGHT},
        "Q2": {"Avery": SEVEN, "Blake": EIGHT, "duel": "7", "voter-2": EIGHT, "voter-3": EIGHT},
        "Q3": {"Avery": EIGHT, "Blake": SEVEN, "duel": "8", "voter-1": EIGHT},
        "Q4": {"Avery": EIGHT, "Blake": EIGHT, "voter-1": EIGHT, "voter-3": NINE},
        "Q5": {"Avery": NOTHING, "Blake": NOTHING},
        "Q6": {"Avery": SEVEN, "Blake": NOTHING, "voter-1": NOTHING},
        "Q7": {"Avery": SEVEN, "Blake": EIGHT},
        "Q8": {"Avery": SEVEN, "Blake": EIGHT, "duel": "7", "voter-1": EIGHT, "sample": NOTHING},
    },
)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    folder = tmp_path_factory.mktemp("quiz")
    return run(DUEL, write(folder, numbers(8)), [short_duel(folder)])


def test_every_answer_is_graded_as_planned(found: Evaluation) -> None:
    assert grades(found, "duel") == {"right": 4, "wrong": 2, "unparsable": 1, "undecided": 1}
    assert grades(found, "single") == {"right": 4, "wrong": 3, "unparsable": 1}
    assert grades(found, "vote") == {"right": 6, "wrong": 2}
    assert grades(found, "self-consistency@duel") == {"right": 6, "wrong": 1, "unparsable": 1}
    assert row(found, "Q1", "duel").detail == "not debated: both first answers are the same"
    assert row(found, "Q6", "duel").detail == "not debated: one of the first answers cannot be read"
    assert row(found, "Q7", "duel").detail == "the judge named no winner"
    assert row(found, "Q4", "vote").detail == "tied, so the first counts: 8 × 1, 7 × 1, 9 × 1"
    assert row(found, "Q4", "vote").answer == "8"
    assert row(found, "Q3", "duel").answer == "8"


def test_an_unparsable_answer_is_neither_right_nor_wrong(found: Evaluation) -> None:
    duel = next(one for one in found.methods if one.method == "duel")
    assert (duel.right_of_all.count, duel.right_of_all.n) == (4, 8)
    assert (duel.right_of_all.low, duel.right_of_all.high) == (rate(4, 8).low, rate(4, 8).high)
    answered = duel.right_of_answered
    assert (answered.count, answered.n, answered.missing) == (4, 6, 2)
    assert "1 of 8 answers of duel cannot be read" in next(note.text for note in found.notes if note.code == "unread")


def test_pairs_are_counted_over_all_and_over_those_that_both_answered(found: Evaluation) -> None:
    against = {one.against: one for one in found.comparisons}
    over_all, answered = against["single"].over_all, against["single"].over_answered
    assert (over_all.both_right, over_all.only_first, over_all.only_second, over_all.neither) == (2, 2, 2, 2)
    assert (over_all.difference, over_all.p_value) == (0.0, 1.0)
    assert (answered.questions, answered.only_first, answered.only_second) == (5, 1, 0)
    assert answered.difference == pytest.approx(0.2)
    sampled = against["self-consistency@duel"].over_all
    assert (sampled.both_right, sampled.only_first, sampled.only_second, sampled.neither) == (2, 2, 4, 0)
    # Two-sided, 2 of 6: 2 × (1 + 6 + 15) / 64.
    assert sampled.p_value == pytest.approx(44 / 64)
    assert found.verdicts[0].finding == "cannot tell"


def test_it_is_told_how_many_were_debated(found: Evaluation) -> None:
    debated = found.debated[0]
    assert (debated.debate, debated.questions, debated.debated) == ("duel", 8, 4)
    assert debated.not_debated == {
        "both first answers are the same": 2,
        "neither of the first answers can be read": 1,
        "one of the first answers cannot be read": 1,
    }
    # Q2 and Q8 right, Q3 wrong, Q7 without a winner.
    right = debated.right_of_debated
    assert (right.count, right.n, right.missing) == (2, 4, 0)
    assert [row(found, f"Q{number}", "duel").debated for number in range(1, 9)] == [
        *(False, True, True, False, False, False, True, True)
    ]
    assert row(found, "Q1", "vote").debated is None
    told = "on those it is right on 50.0 % (2 of 4, 95 % interval 6.8 % to 93.2 %)."
    assert found.verdicts[0].words.endswith(told)
    text = (Path(found.folder) / "report.md").read_text("utf-8")
    assert told in text and "50.0 % (2/4)" in text


def test_flips_are_those_of_the_first_answers(found: Evaluation) -> None:
    flips = {one.method: one for one in found.flips}
    assert flips.keys() == {"duel", "vote", "self-consistency@duel"}
    # Q3 is decided against Blake, who is right, and Q7 is not decided.
    duel = flips["duel"]
    assert (duel.first_answers, duel.right_to_wrong, duel.wrong_to_right, duel.voted_away) == (13, 1, 2, 2)
    assert [row(found, f"Q{number}", "duel").voted_away for number in (2, 3, 7)] == [False, True, True]
    # Of the voters in Q2, the first alone is right; in Q4 the second, who is not the first of three that differ.
    vote = flips["vote"]
    assert (vote.first_answers, vote.right_to_wrong, vote.wrong_to_right, vote.voted_away) == (23, None, None, 2)


def test_self_consistency_has_the_tokens_of_the_debate_in_all_and_spread_evenly(found: Evaluation) -> None:
    debate = [row(found, f"Q{number}", "duel") for number in range(1, 9)]
    sampled = [row(found, f"Q{number}", "self-consistency@duel") for number in range(1, 9)]
    total, used = (sum(one.tokens or 0 for one in rows) for rows in (debate, sampled))
    longest = max((one.tokens or 0) / one.calls for one in sampled)
    # One more would not have fitted.
    assert total - longest < used <= total
    # Whatever the debate used on each: on some it stopped after two calls.
    assert {one.calls for one in debate} == {2, 16, 17}
    assert max(one.calls for one in sampled) - min(one.calls for one in sampled) <= 1


def test_what_was_paid_is_what_is_on_record(found: Evaluation) -> None:
    records = journalled(Path(found.folder))
    spent = [one.usage for one in records if one.usage is not None]
    assert sum((one.input or 0) + (one.output or 0) for one in spent) == sum(one.tokens or 0 for one in found.methods)
    assert len(records) == sum(one.calls for one in found.methods)
    assert [one.cost for one in found.methods] == [0.0] * 4


def test_the_answer_of_the_dataset_is_told_to_nobody(tmp_path: Path) -> None:
    line = {"id": "Q1", "question": "Q1: how many?", "answer": 86420, "context": "Some are counted."}
    quiz = Quiz({}, {"Avery": SEVEN, "Blake": EIGHT, "duel": "7", "voter-1": SEVEN, "sample": SEVEN, "ines": EIGHT})
    model = quiz.model
    found = run(quiz, write(tmp_path, [line]), [short_duel(tmp_path), "arena"], model)
    assert {one.truth for one in found.rows} == {"86420"}
    sent = {one.key: "\n".join(message.content for message in one.messages) for one in model.requests}
    assert len(sent) > 20
    assert not [key for key, text in sent.items() if "86420" in text or "86,420" in text]


def test_a_note_tells_of_models_that_only_the_debate_has(tmp_path: Path, found: Evaluation) -> None:
    assert "foreign" not in {note.code for note in found.notes}
    path, quiz = write(tmp_path, pairs(1)), Quiz({}, {"duel": "B) warm", "voter-1": "ANSWER: A"})
    models = {name: ScriptedModel(quiz, name=name) for name in (MODEL, "scripted/strong")}
    given: dict[str, Any] = {"out": tmp_path / "out", "model": MODEL, "models": models}
    design = Design(baselines=["single"])
    judged = asyncio.run(moot.evaluate(path, ["duel"], design, roles={"judge": "scripted/strong"}, **given))
    told = "duel has models that not every baseline speaks through (scripted/strong): a difference may be theirs."
    assert told in [note.text for note in judged.notes]


def test_an_arena_answers_by_its_decision_and_is_set_against_its_first_round(tmp_path: Path) -> None:
    cast = ("ines", "tomas", "sefa")
    first = dict.fromkeys(cast, SEVEN)
    quiz = Quiz(
        usual={"voter-1": SEVEN, "sample": SEVEN},
        said={
            "Q1": {**first, "arena": SEVEN},
            "Q2": {**first, "arena": EIGHT},
            "Q3": {cast[0]: SEVEN, cast[1]: EIGHT, cast[2]: NOTHING, "arena": SEVEN},
            "Q4": {**first, "arena": "We should think about it."},
        },
    )
    agents = "\n".join(f"  - name: {name.capitalize()}" for name in cast)
    file = tmp_path / "few.yaml"
    file.write_text(f"protocol: arena\nrevision_rounds: 1\nmax_extra_rounds: 0\nagents:\n{agents}\n", "utf-8")
    found = run(quiz, write(tmp_path, numbers(4)), [str(file)], baselines=["single"])
    assert grades(found, "few") == {"right": 2, "wrong": 1, "unparsable": 1}
    assert grades(found, "few/first") == {"right": 4}
    assert row(found, "Q3", "few/first").detail == "tied, so the first counts: 7 × 1, 8 × 1, 1 unparsable"
    assert row(found, "Q1", "few/first").calls == 3
    assert (found.debated[0].questions, found.debated[0].debated, found.debated[0].not_debated) == (4, 4, {})
    # Two right and one wrong; the fourth cannot be read.
    held = found.debated[0].right_of_debated
    assert (held.count, held.n, held.missing) == (2, 3, 1)
    assert "debated" not in found.verdicts[0].words
    assert row(found, "Q1", "few/first").debated is None
    assert (row(found, "Q1", "few/first").tokens or 0) < (row(found, "Q1", "few").tokens or 0)
    assert row(found, "Q2", "few").last == ["8", "8", "8"]
    flips = found.flips[0]
    # Q2 and Q4 turn from right, which cannot be read in Q4; of Q3 one answer is wrong, and one cannot be read.
    assert (flips.first_answers, flips.right_to_wrong, flips.wrong_to_right, flips.voted_away) == (11, 3, 1, 0)


def revising(request: moot.Request, quiz: Quiz) -> Scripted:
    """As in the quiz; whoever checks its own answer to Q2 finds the right one, and loses it in Q3."""
    said = quiz(request)
    if "/revise/" not in request.key:
        return said
    return {"Q2": SEVEN, "Q3": EIGHT, "Q4": "I find no fault."}.get(quiz.asked[-1][0], said)


def test_self_correction_revises_each_sample_as_often_as_the_design_and_is_paid_as_much(tmp_path: Path) -> None:
    turned = {"Avery": SEVEN, "Blake": EIGHT, "duel": "7"}
    quiz = Quiz({"Q2": {"sample": EIGHT}}, {**turned, "sample": SEVEN})
    file = tmp_path / "duel.yaml"
    file.write_text("protocol: duel\nturns: 4\n", "utf-8")
    model = ScriptedModel(lambda request: revising(request, quiz), name=MODEL)
    found = run(quiz, write(tmp_path, numbers(4)), [str(file)], model, baselines=["self-correction"])
    assert grades(found, "self-correction@duel") == {"right": 3, "wrong": 1}
    revised = {number: row(found, f"Q{number}", "self-correction@duel") for number in range(1, 5)}
    assert [set(revised[number].answers or []) for number in range(1, 5)] == [{"7"}, {"8"}, {"7"}, {"7"}]
    # A check that ends without an answer leaves the one before.
    assert [set(revised[number].last or []) for number in range(1, 5)] == [{"7"}, {"7"}, {"8"}, {"7"}]
    samples = {number: len(one.answers or []) for number, one in revised.items()}
    assert all(one.calls == 3 * samples[number] for number, one in revised.items())
    flips = next(one for one in found.flips if one.method == "self-correction@duel")
    assert (flips.wrong_to_right, flips.right_to_wrong, flips.voted_away) == (samples[2], samples[3], 0)
    tokens = {one.method: one.tokens or 0 for one in found.methods}
    assert 0.7 * tokens["duel"] < tokens["self-correction@duel"] <= tokens["duel"]
    assert any(one.against == "self-correction@duel" for one in found.comparisons)
    with (Path(found.folder) / "rows.csv").open(encoding="utf-8", newline="") as file_:
        rows = [one for one in csv.DictReader(file_) if one["method"] == "self-correction@duel"]
    assert [(one["right_to_wrong"], one["wrong_to_right"], one["voted_away"]) for one in rows] == [
        (str(one.right_to_wrong), str(one.wrong_to_right), "false") for one in revised.values()
    ]


def test_answers_that_agents_turn_from_or_vote_away_are_counted_from_the_record(tmp_path: Path) -> None:
    """Of three agents one is right at first in Q1, and turns; two are right in Q2, and one in Q3 stays alone."""
    first = {"Q1": ("7", "8", "9"), "Q2": ("7", "7", "8"), "Q3": ("7", "8", "8")}
    last = {"Q1": ("8", "8", "8"), "Q2": ("7", "7", "7"), "Q3": ("7", "8", "8")}
    asked = Quiz({})

    def reply(request: moot.Request) -> Scripted:
        invented = asked(request)
        question, (seat, step) = asked.asked[-1][0], request.key.split("/", 1)
        place = ["agent-1", "agent-2", "agent-3"].index(seat.partition("@")[0])
        if isinstance(invented, dict):
            return {**invented, "answer": last[question][place], "moved_by": "a step of mine"}
        return f"BECAUSE: so it is\nANSWER: {first[question][place]}" if step else ""

    model = ScriptedModel(reply, name=MODEL)
    found = run(asked, write(tmp_path, numbers(3)), ["multiagent"], model, baselines=[])
    assert [row(found, f"Q{number}", "multiagent").grade for number in (1, 2, 3)] == ["wrong", "right", "wrong"]
    flips = {one.method: one for one in found.flips}["multiagent"]
    assert (flips.first_answers, flips.right_to_wrong, flips.wrong_to_right, flips.voted_away) == (9, 1, 1, 1)
    # The first answers are a baseline of their own, already paid for.
    assert grades(found, "multiagent/first") == {"right": 2, "wrong": 1}
    assert row(found, "Q1", "multiagent/first").calls == 3


def test_two_choices_are_debated_at_once_by_duel_panel_and_persuasion(tmp_path: Path) -> None:
    quiz = Quiz(
        said={"Q1": {"duel": "B) warm", "panel": "b"}, "Q2": {"duel": "A) cold", "panel": "a"}, "Q3": {"panel": "b"}},
        usual={"voter-1": "ANSWER: (B) warm", "sample": thinking("ANSWER: B")},
    )
    path = write(tmp_path, pairs(3))
    found = run(quiz, path, [short_duel(tmp_path), "panel", "persuasion"], baselines=["single", "self-consistency"])
    assert grades(found, "duel") == {"right": 1, "wrong": 1, "undecided": 1}
    assert grades(found, "panel") == {"right": 2, "wrong": 1}
    assert grades(found, "single") == {"right": 3}
    assert row(found, "Q1", "duel").calls == 14
    # One set of samples serves all three, each up to its own budget.
    tokens = {one.method: one.tokens or 0 for one in found.methods}
    for debate in ("duel", "panel", "persuasion"):
        assert 0 < tokens[f"self-consistency@{debate}"] <= tokens[debate]
    assert "several_debates" in {note.code for note in found.notes}


def test_everybody_is_told_the_same_about_the_truth_and_the_judge_is_not_told_to_set_it_aside(tmp_path: Path) -> None:
    seen: dict[str, list[str]] = {}
    quiz = Quiz({}, {"Avery": thinking("ANSWER: 7"), "Blake": thinking("ANSWER: 8"), "duel": "7"})

    def reply(request: moot.Request) -> Scripted:
        whole = "\n".join(message.content for message in request.messages)
        seen.setdefault(request.key.partition("/")[0], []).append(whole)
        return quiz(request)

    run(quiz, write(tmp_path, numbers(1)), [short_duel(tmp_path), "arena"], ScriptedModel(reply, name=MODEL))
    assert {"A", "B", "judge", "voter-1", "sample-1", "ines", "Avery"} <= seen.keys()
    for part in seen.keys() - {"judge-1", "kaveh"}:
        assert any("The question has a right answer" in told for told in seen[part]), part
        assert not any("what can be done next week" in told or "There is no claim" in told for told in seen[part])
    assert any("`decision`: the answer alone, written as: ANSWER:" in told for told in seen["ines"])
    assert not any("what should be done" in told or "at most 30 words that can stand" in told for told in seen["ines"])
    judged = seen["judge"][-1]
    assert "Avery holds this answer" in judged and "Which answer is right?" in judged
    for phrase in ("stronger case", "which side you would", "Rhetoric", "One of the two answers is right"):
        assert phrase not in judged
