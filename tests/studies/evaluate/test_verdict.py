"""The verdict in words follows from the figures, by the rules in the module."""

from collections.abc import Sequence

import pytest

from moot.stats import rate
from moot.studies.evaluate.questions import Grade, Row
from moot.studies.evaluate.summary import Comparison, Debated, adjusted, compare, figures
from moot.studies.evaluate.verdict import (
    FINDINGS,
    STANDINGS,
    beats,
    gains_less,
    judge,
    standing,
    standing_words,
)

R: Grade = "right"
W: Grade = "wrong"
U: Grade = "unparsable"
NONE: Grade = "undecided"
F: Grade = "failed"


def rows(method: str, grades: Sequence[Grade], tokens: int | None = 100) -> dict[str, Row]:
    found = {}
    for number, grade in enumerate(grades):
        found[str(number)] = Row(
            question=str(number),
            method=method,
            grade=grade,
            answer=None,
            truth="7",
            detail="",
            answers=None,
            debated=None,
            calls=1,
            tokens=tokens,
            cost=0.0,
            seconds=0.0,
            runs=[],
        )
    return found


def against(debate: Sequence[Grade], baseline: Sequence[Grade], tokens: int | None = 600) -> Comparison:
    return adjusted([compare("duel", "single", rows("duel", debate, tokens), rows("single", baseline))])[0]


@pytest.mark.parametrize("sign", [1, -1])
def test_what_comes_of_unread_answers_alone_is_no_verdict(sign: int) -> None:
    readable, mostly_not = [R] * 11, [U] * 10 + [R]
    one = against(*((readable, mostly_not) if sign > 0 else (mostly_not, readable)))
    assert one.over_all.p_value is not None
    assert one.over_all.p_value < 0.05
    assert one.over_read.questions == one.over_answered.questions == 1
    assert not beats(one, sign)
    finding, words = judged(one)
    assert finding == "cannot tell"
    assert words.endswith(standing_words("unread"))


def judged(*comparisons: Comparison) -> tuple[str, str]:
    held = comparisons[0].over_all.questions
    all_of_them = Debated(debate="duel", questions=held, debated=held, not_debated={}, right_of_debated=rate(0, held))
    verdict = judge(adjusted(comparisons), all_of_them)
    return verdict.finding, verdict.words


def test_ties_that_are_all_that_could_be_read_are_too_few() -> None:
    # As an arena has it whose decisions cannot be read: what is left are three on which it decided nothing.
    one = against([U] * 37 + [NONE] * 3, [R] * 40)
    assert (one.over_read.questions, one.over_read.p_value, one.over_answered.questions) == (3, 0.25, 0)
    finding, words = judged(one)
    assert finding == "cannot tell"
    assert "p = 0.250, n = 3 (37 of 40 are left out" in words


def test_a_baseline_that_nothing_can_be_said_of_is_not_beaten() -> None:
    beaten = against([R] * 12, [W] * 12)
    assert judged(beaten)[0] == "paid"
    for unknown, why in ((U, "an answer cannot be read"), (F, "one of the two failed")):
        finding, words = judged(beaten, against([R] * 12, [unknown] * 12))
        assert finding == "cannot tell"
        told = f"no question on which duel and single can be compared (12 of 12 are left out: on 12 {why})"
        assert told in words


@pytest.mark.parametrize(("questions", "sure"), [(30, False), (72, False), (73, True), (200, True)])
def test_equal_answers_rule_a_gain_out_only_when_there_are_enough(questions: int, sure: bool) -> None:
    # Wilson's upper end for 0 of n is below 0.05 from n = 73 on: z² / (n + z²) with z² = 3.8415.
    assert gains_less(against([R] * questions, [R] * questions)) is sure


def test_no_gain_is_ruled_out_by_answers_that_cannot_be_read() -> None:
    # Where both can be read the debate gains 20 of 220; only its unread answers make up for that.
    debate: list[Grade] = [R] * 220 + [U] * 40
    baseline: list[Grade] = [R] * 200 + [NONE] * 20 + [R] * 40
    one = against(debate, baseline)
    assert (one.over_all.only_first, one.over_all.only_second, one.over_read.only_first) == (20, 40, 20)
    assert not gains_less(one)


def mixed(only_debate: int, only_other: int, both: int, neither: int = 0, unread: int = 0) -> Comparison:
    """A debate against a baseline, by how many questions each got right; `unread` are the baseline's."""
    debate: list[Grade] = [R] * only_debate + [W] * only_other + [R] * both + [W] * neither + [R] * unread
    other: list[Grade] = [W] * only_debate + [R] * only_other + [R] * both + [W] * neither + [U] * unread
    return against(debate, other)


OUTCOMES = {
    "worse": mixed(0, 20, 80),
    "small gain": mixed(12, 0, 988),
    "no gain": mixed(2, 2, 396),
    "better": mixed(20, 0, 80),
    "nothing": against([R] * 5, [U] * 5),
    "both ways": against([R] * 10 + [W], [NONE] * 10 + [R]),
    "unread": against([R] * 20 + [U] * 20, [W] * 12 + [R] * 28),
    "failed": against([R] * 60 + [F] * 40, [W] * 12 + [R] * 68 + [W] * 20),
    "alike": mixed(2, 1, 40),
    "open": mixed(12, 6, 60),
}
"""One comparison for each standing that a single baseline can have."""


@pytest.mark.parametrize("name", OUTCOMES)
def test_words_follow_the_tests(name: str) -> None:
    one = OUTCOMES[name]
    assert standing(one) == name
    finding, words = judged(one)
    assert finding == {
        "better": "paid",
        "worse": "did not pay",
        "small gain": "did not pay",
        "no gain": "did not pay",
    }.get(name, "cannot tell")
    assert standing_words(name) in words or name == "better"
    assert (beats(one, 1), beats(one, -1)) == (name in ("better", "small gain"), name == "worse")
    # No sentence says what a figure beside it denies.
    p, low, high = one.over_read.p_value, one.over_read.low, one.over_read.high
    if "is better" in words or "Debating paid" in words or "it gains" in words:
        assert p is not None and p < 0.05 and low is not None and low > 0
    if "it is worse" in words:
        assert p is not None and p < 0.05 and high is not None and high < 0
    if "includes 0" in words:
        assert low is not None and high is not None and low <= 0 <= high


def test_every_standing_and_finding_is_walked() -> None:
    assert set(OUTCOMES) | {"few clusters", "early"} == set(STANDINGS)
    assert {judged(one)[0] for one in OUTCOMES.values()} == {finding for finding, _ in FINDINGS}


FAILURES: list[tuple[str, list[Grade], list[Grade], str]] = [
    ("the debate fails where questions are hard", [R] * 60 + [F] * 40, [W] * 12 + [R] * 68 + [W] * 20, "cannot tell"),
    ("and on three alone", [R] * 97 + [F] * 3, [W] * 30 + [R] * 70, "paid"),
    ("the baseline fails", [R] * 60 + [W] * 40, [W] * 12 + [R] * 48 + [F] * 40, "cannot tell"),
    ("and on three alone", [R] * 97 + [W] * 3, [W] * 30 + [R] * 67 + [F] * 3, "paid"),
    ("both fail on the same", [R] * 60 + [F] * 40, [W] * 12 + [R] * 48 + [F] * 40, "cannot tell"),
    ("a debate that is worse fails, too", [W] * 12 + [R] * 68 + [F] * 20, [R] * 80 + [W] * 20, "cannot tell"),
    ("and on three alone", [W] * 30 + [R] * 67 + [F] * 3, [R] * 97 + [W] * 3, "did not pay"),
    ("no gain where it did not fail", [R] * 400 + [F] * 40, [R] * 400 + [W] * 40, "cannot tell"),
    ("and it failed on three", [R] * 400 + [F] * 3, [R] * 400 + [W] * 3, "did not pay"),
]


@pytest.mark.parametrize(("told", "debate", "baseline", "finding"), FAILURES)
def test_no_verdict_turns_on_failures(told: str, debate: list[Grade], baseline: list[Grade], finding: str) -> None:
    one = against(debate, baseline)
    said, words = judged(one)
    assert said == finding, told
    assert (standing_words("failed") in words) is (finding == "cannot tell")
    # Without the failures there would be a verdict: it is they that it turns on.
    pairs = [(a, b) for a, b in zip(debate, baseline, strict=True) if F not in (a, b)]
    assert judged(against([a for a, _ in pairs], [b for _, b in pairs]))[0] != "cannot tell"


def test_what_only_one_was_asked_has_failed_for_the_other() -> None:
    """Where a debate fails, there is nothing to match the samples of self-consistency to."""
    debate, sampled = rows("duel", [R] * 20 + [F] * 20), rows("self-consistency@duel", [W] * 8 + [R] * 12)
    one = adjusted([compare("duel", "self-consistency@duel", debate, sampled)])[0]
    assert (one.failed, one.over_read.questions, one.at_worst.questions) == (20, 20, 40)
    assert standing(one) == "failed"
    other = adjusted([compare("self-consistency@duel", "duel", sampled, debate)])[0]
    assert (other.failed, other.at_worst.only_second, other.at_best.only_first) == (20, 28, 20)


def test_no_gain_over_one_of_many_baselines_has_to_be_surer() -> None:
    one, level = mixed(3, 3, 140), mixed(12, 8, 90)
    assert gains_less(adjusted([one])[0])
    assert not gains_less(adjusted([one, level, level])[0])
    assert judged(one, level, level)[0] == "cannot tell"


def test_related_questions_in_few_groups_allow_no_test() -> None:
    first, second = rows("duel", [R] * 40), rows("single", [W] * 40)
    for number, key in enumerate(first):
        first[key] = first[key].model_copy(update={"cluster": f"text {number % 5}"})
    one = adjusted([compare("duel", "single", first, second)])[0]
    assert (one.over_read.p_value, one.over_read.low, standing(one)) == (None, None, "few clusters")
    assert judged(one)[0] == "cannot tell"


def test_one_of_several_has_to_be_surer() -> None:
    """Of 100 questions 12 are for the debate and 2 against it: enough for one test, and not for one of fifty."""
    one = mixed(12, 2, 60, 26)
    assert (standing(one), standing(one, 0.001)) == ("better", "early")
    assert standing(mixed(40, 2, 30, 28), 0.001) == "better"


def graded(right: int, of: int) -> list[Grade]:
    return [*["right"] * right, *["wrong"] * (of - right)]  # type: ignore[list-item]


def in_categories(method: str, right: dict[str, int], of: int) -> list[Row]:
    """Rows of a method that answers so many of the questions of each category right."""
    return [
        row.model_copy(update={"question": f"{category}-{row.question}", "category": category})
        for category, count in right.items()
        for row in rows(method, graded(count, of)).values()
    ]


def test_several_debates_share_the_level() -> None:
    """Seven of seven is p = 0.016: enough for one debate, and not for the best of four."""
    single = list(rows("single", graded(5, 12)).values())
    debates = [f"debate-{number}" for number in range(4)]
    said = [list(rows(name, graded(12 if name == debates[0] else 5, 12)).values()) for name in debates]
    alone = figures([*single, *said[0]], ["single", debates[0]], debates[:1], False)
    every = figures([row for one in (single, *said) for row in one], ["single", *debates], debates, False)
    assert [one.finding for one in alone.verdicts] == ["paid"]
    assert {one.finding for one in every.verdicts} == {"cannot tell"}
    assert "not for one of several debates" in every.verdicts[0].words


def test_categories_are_counted_if_there_are_several() -> None:
    found = figures(in_categories("duel", {"logic": 3}, 6), ["duel"], ["duel"], False)
    assert found.categories == {}
    several = figures(in_categories("duel", {"logic": 3, "sums": 5}, 6), ["duel"], ["duel"], False).categories
    assert {name: one.right_of_all.count for name, (one,) in several.items()} == {"logic": 3, "sums": 5}
