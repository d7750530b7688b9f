"""What makes an evaluation stand up to review: scorers, epochs, earlier reports and power."""

import json
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.cli.tables import earning
from moot.errors import Rejected
from moot.studies.evaluate.power import power_of, questions_needed
from moot.testing import Scripted
from moot.text.yaml import shipped_yaml
from tests.kit.command import empty_place
from tests.kit.command import moot as command
from tests.kit.quiz import MODEL, Quiz, grades, numbers, pairs, row, run, short_duel, thinking, write

USUAL = {"Avery": thinking("ANSWER: 7"), "Blake": thinking("ANSWER: 8"), "duel": "7", "voter-1": thinking("ANSWER: 7")}
USUAL |= {"sample": "ANSWER: 7"}


def quiz(**more: str) -> Quiz:
    return Quiz({}, USUAL | more)


def test_a_function_grades_answers(tmp_path: Path) -> None:
    scorer = tmp_path / "scorer.py"
    scorer.write_text(
        "def near(question, answer):\n    return abs(int(answer) - int(question['keys'][0])) <= 1\n", "utf-8"
    )
    asked = quiz(**{"voter-1": "ANSWER: 8"})
    path = write(tmp_path, numbers(2))
    found = run(asked, path, [short_duel(tmp_path)], baselines=["single"], scorer=f"{scorer}:near")
    assert grades(found, "single") == {"right": 2}
    assert found.scorer == {"scorer": f"{scorer}:near"}
    with pytest.raises(moot.ConfigError, match=r"a scorer is FILE.py:FUNCTION"):
        run(asked, path, ["duel"], scorer="guess", out=tmp_path / "other")
    with pytest.raises(moot.ConfigError, match="has no attribute 'far'"):
        run(asked, path, ["duel"], scorer=f"{scorer}:far", out=tmp_path / "other")


def test_a_model_grades_answers_and_is_checked_by_people(tmp_path: Path) -> None:
    rows = [{"id": f"Q{n}", "question": f"Q{n}: who?", "answer": "Ada Lovelace"} for n in (1, 2)]

    class Judging(Quiz):
        def __call__(self, request: moot.Request) -> Scripted:
            whole = "\n".join(message.content for message in request.messages)
            if request.key.startswith("scorer/"):
                return "ANSWER: yes" if "countess" in whole else "ANSWER: no"
            return super().__call__(request)

    asked = Judging(
        {"Q1": {"voter-1": "ANSWER: The Countess"}}, {"voter-1": "ANSWER: Babbage"} | {"Avery": "ANSWER: x"}
    )
    checked = tmp_path / "checked.jsonl"
    judged = [("Q1", "the lady", True), ("Q1", "Babbage", False), ("Q2", "countess Báthory", False)]
    lines = [json.dumps({"question": q, "answer": a, "right": r}) for q, a, r in judged]
    checked.write_text("\n".join(lines), "utf-8")
    given: dict[str, Any] = {"baselines": ["single"], "scorer": f"model:{MODEL}", "checked": checked}
    found = run(asked, write(tmp_path, rows), [short_duel(tmp_path)], **given)
    assert (row(found, "Q1", "single").grade, row(found, "Q2", "single").grade) == ("right", "wrong")
    assert found.scorer is not None
    assert (found.scorer["checked"], found.scorer["agreement"]["count"], found.scorer["refused_right"]) == (3, 1, 1)
    assert "agrees with people on 33.3 % of 3 checked answers" in (tmp_path / "out" / "report.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ('{"question": "Q9", "answer": "7", "right": true}', "none of its questions is asked here"),
        ('{"question": "Q1", "answer": "7", "right": "false"}', "that of 'Q1' is neither"),
        ('{"question": "Q1", "answer": "7"}', "a checked sample has"),
    ],
)
def test_a_checked_sample_is_read_before_anything_is_paid(tmp_path: Path, lines: str, told: str) -> None:
    checked, asked = tmp_path / "checked.jsonl", quiz()
    checked.write_text(lines, "utf-8")
    given: dict[str, Any] = {"baselines": ["single"], "checked": checked}
    with pytest.raises(moot.ConfigError, match=told):
        run(asked, write(tmp_path, numbers(2)), [short_duel(tmp_path)], scorer=f"model:{MODEL}", **given)
    with pytest.raises(moot.ConfigError, match="there is none"):
        run(asked, write(tmp_path, numbers(2)), [short_duel(tmp_path)], **given)
    assert not asked.asked


def test_an_answer_that_the_scorer_could_not_be_asked_about_has_failed(tmp_path: Path) -> None:
    broken = [True]

    class Judging(Quiz):
        def __call__(self, request: moot.Request) -> Scripted:
            if request.key.startswith("scorer/"):
                return Rejected("not today") if broken[0] else "ANSWER: yes"
            return super().__call__(request)

    asked = Judging({}, USUAL)
    given: dict[str, Any] = {"baselines": ["single"], "scorer": f"model:{MODEL}"}
    path, duel = write(tmp_path, numbers(2)), short_duel(tmp_path)
    found = run(asked, path, [duel], **given)
    assert (row(found, "Q1", "single").grade, row(found, "Q1", "single").detail) == (
        "failed",
        "the scorer did not answer",
    )
    broken[0] = False
    assert row(run(asked, path, [duel], **given), "Q1", "single").grade == "right"


def test_each_question_is_asked_several_times_and_counts_once(tmp_path: Path) -> None:
    found = run(quiz(), write(tmp_path, numbers(7)), [short_duel(tmp_path)], baselines=["single"], epochs=3)
    single = next(one for one in found.methods if one.method == "single")
    # The model always says the same, so that two of three tries are no evidence.
    assert (found.epochs, found.done, len(found.rows)) == (3, 7, 42)
    assert 14 <= found.duplicates <= 28, "a duel draws who speaks first"
    assert (single.right_of_all.n, single.right_of_all.clusters) == (21, 7)
    assert found.notes[0].text.startswith(f"{found.duplicates} of 28 further tries repeat an earlier try")
    once = run(quiz(), write(tmp_path, numbers(7)), [short_duel(tmp_path)], baselines=["single"], out=tmp_path / "once")
    again, first = found.comparisons[0].over_read, once.comparisons[0].over_read
    assert (again.p_value, again.clusters, again.questions) == (first.p_value, 7, 21)
    assert "n = 21 in 7 groups of related ones" in found.verdicts[0].words
    report = (tmp_path / "out" / "report.md").read_text("utf-8")
    assert all(report.count(f"| Q1, try {number} ") == 1 for number in (1, 2, 3))


def test_tries_that_agree_weigh_as_much_as_tries_that_differ(tmp_path: Path) -> None:
    class Wavering(Quiz):
        """Right twice on six of ten questions, and once on the others, each time in the same few words."""

        def __call__(self, request: moot.Request) -> Scripted:
            if request.key.startswith("voter-1"):
                asked = sum(key.startswith("voter-1") for _, key in self.asked)
                super().__call__(request)
                number = int(self.asked[-1][0][1:])
                return "ANSWER: 7" if number <= 6 or asked < 10 else "ANSWER: 8"
            return super().__call__(request)

    settings: dict[str, Any] = {"baselines": ["single"], "epochs": 2, "at_once": 1}
    found = run(Wavering({}, USUAL), write(tmp_path, numbers(10)), [short_duel(tmp_path)], **settings)
    single = next(one for one in found.methods if one.method == "single")
    assert single.right_of_all.rate == 0.8


def test_the_number_of_questions_is_enough_and_no_more() -> None:
    found = questions_needed(0.1, [0.2, 0.3])
    for one in found:
        assert 0.8 <= one.power <= 0.82
        assert power_of(one.questions, 0.1, one.discordance) == pytest.approx(one.power, abs=5e-4)
    # Connor, Biometrics 43 (1987): about 155 for the same without the exactness of the test.
    assert 150 <= found[0].questions <= 180
    assert questions_needed(0.3, [0.2]) == []


def test_an_earlier_report_is_told(tmp_path: Path) -> None:
    path, duel, asked = write(tmp_path, numbers(4)), short_duel(tmp_path), quiz()
    less: dict[str, Any] = {"baselines": ["single"], "seed": None}
    assert run(asked, path, [duel], **less, limit=1).earlier_reports == []
    assert run(asked, path, [duel], **less, limit=1).earlier_reports == [], "the same report again is none"
    run(asked, path, [duel], **less, limit=2)
    whole = run(asked, path, [duel], **less)
    assert whole.earlier_reports == [1, 2]
    assert whole.notes[0].code == "earlier_reports"


def test_the_command_plans_an_evaluation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = empty_place(tmp_path, monkeypatch)
    write(place, [{**one, "group": 1} for one in numbers(4)])
    ended = command("plan", "eval", "quiz.jsonl", "--json")
    assert (ended.code, [one["discordance"] for one in json.loads(ended.out)]) == (0, [0.1, 0.2, 0.3, 0.4])
    assert "quiz has 4 questions in 1 groups, which tell less" in command("plan", "eval", "quiz.jsonl").out
    assert command("plan", "eval", "none.jsonl").code == 2


def test_options_that_keep_their_order_are_told(tmp_path: Path) -> None:
    rows = [{**one, "shuffle": number != 3} for number, one in enumerate(pairs(8))]
    shuffled: dict[str, Any] = {"baselines": ["single"], "shuffle_options": True, "out": tmp_path / "shuffled"}
    found = run(Quiz({}, {"panel": "A"}), write(tmp_path, rows), ["panel"], **shuffled)
    assert any(note.text.startswith("1 of 8 questions keep the order of their options") for note in found.notes)


@pytest.mark.parametrize("raised", ["ValueError('no')", "SystemExit(3)"])
def test_a_scorer_that_fails_costs_nothing(tmp_path: Path, raised: str) -> None:
    scorer, asked = tmp_path / "scorer.py", quiz()
    scorer.write_text(f"def grade(question, answer):\n    raise {raised}\n", "utf-8")
    with pytest.raises(moot.ConfigError, match="the scorer failed on 'Q1'"):
        run(asked, write(tmp_path, numbers(2)), ["duel"], scorer=f"{scorer}:grade")
    assert asked.asked == []


def test_where_a_debate_is_chosen_stands_whether_it_earns_its_tokens() -> None:
    """The figures are those of the benchmarks, and nothing is said of what was not measured."""
    measured = shipped_yaml("moot.data", "measured.yaml")
    page = (Path(__file__).parents[3] / "docs" / "benchmarks.md").read_text("utf-8")
    for name, share in measured["right"].items():
        words = name.removeprefix("a ")
        assert f"| {words} | {share:.0%} | " in page.replace(" %", "%"), name
        assert f"{measured['tokens'][name]:,}" in page, name
    assert "which it does not earn" in earning(["council", "panel"])
    assert earning(["panel"]) == ""
