"""The verdict in words follows from the figures, by the rules in the module."""

from collections.abc import Sequence

import pytest

from moot.evaluation.questions import Grade, Row
from moot.evaluation.summary import Comparison, Method, compare, method_of
from moot.evaluation.verdict import advise, beats, judge, sure_not_to_gain

R: Grade = "right"
W: Grade = "wrong"
U: Grade = "unparsable"
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
            calls=1,
            tokens=tokens,
            cost=0.0,
            seconds=0.0,
            runs=[],
        )
    return found


def against(debate: Sequence[Grade], baseline: Sequence[Grade], tokens: int | None = 600) -> Comparison:
    return compare("duel", "single", rows("duel", debate, tokens), rows("single", baseline), seed=1)


def test_a_clear_gain_and_a_clear_loss() -> None:
    one = against([R] * 12, [W] * 6 + [R] * 6)
    assert (one.over_all.only_first, one.over_all.only_second, one.over_all.p_value) == (6, 0, 2 / 64)
    assert one.tokens_ratio == 6.0
    assert beats(one, 1)
    assert not beats(one, -1)
    other = against([W] * 6 + [R] * 6, [R] * 12)
    assert beats(other, -1)
    assert not beats(other, 1)


def test_five_questions_are_never_enough() -> None:
    assert not beats(against([R] * 5, [W] * 5), 1)


def test_a_gain_that_comes_of_unread_answers_alone_is_none_when_the_read_ones_say_the_opposite() -> None:
    debate: list[Grade] = [R] * 10 + [W]
    baseline: list[Grade] = [U] * 10 + [R]
    one = against(debate, baseline)
    assert one.over_all.p_value is not None
    assert one.over_all.p_value < 0.05
    assert one.over_answered.questions == 1
    assert not beats(one, 1)


@pytest.mark.parametrize("sign", [1, -1])
def test_what_comes_of_unread_answers_alone_is_no_verdict(sign: int) -> None:
    readable, mostly_not = [R] * 11, [U] * 10 + [R]
    one = against(*((readable, mostly_not) if sign > 0 else (mostly_not, readable)))
    assert one.over_all.p_value is not None
    assert one.over_all.p_value < 0.05
    assert one.over_read.questions == one.over_answered.questions == 1
    assert not beats(one, sign)
    methods = [method("duel", readable), method("single", mostly_not)]
    verdict = judge("duel", methods, [one])
    assert verdict.finding == "cannot tell"
    assert verdict.words.endswith("Without the answers that cannot be read nothing is left of the difference.")


def test_a_tie_is_no_answer_and_counts_against_a_vote() -> None:
    tied: list[Grade] = ["undecided"] * 6
    assert beats(against([R] * 12, tied + [R] * 6), 1)


def method(name: str, grades: Sequence[Grade], tokens: int = 100) -> Method:
    return method_of(name, "debate", list(rows(name, grades, tokens).values()))


@pytest.mark.parametrize(
    ("cheap", "dear", "told"),
    [
        ([R], [W], "No method stands out: cheap is the most often right (100.0%) and takes the fewest tokens"),
        ([R] * 80, [R] * 80, "Use cheap: cheap is the most often right (100.0%), and nothing cheaper is level with it"),
        ([W] * 80, [R] * 80, "Use dear: dear is the most often right (100.0%), and nothing cheaper is level with it"),
        ([R] * 79 + [W], [R] * 80, "No method stands out: dear is the most often right (100.0%)"),
        ([R] * 199 + [W], [R] * 200, "Use cheap: dear is the most often right (100.0%)"),
    ],
)
def test_advice_claims_no_more_than_is_sure(cheap: list[Grade], dear: list[Grade], told: str) -> None:
    found = {"cheap": rows("cheap", cheap, 1), "dear": rows("dear", dear, 9)}
    methods = [method("cheap", cheap, 1), method("dear", dear, 9)]
    assert advise(methods, found, 1).startswith(told)


def test_failed_questions_are_in_no_comparison() -> None:
    one = against([F, R], [R, R])
    assert (one.over_all.questions, one.over_answered.questions) == (1, 1)


def test_no_token_count_makes_no_ratio() -> None:
    assert against([R], [R], tokens=None).tokens_ratio is None


@pytest.mark.parametrize(("questions", "sure"), [(30, False), (72, False), (73, True), (200, True)])
def test_equal_answers_rule_a_gain_out_only_when_there_are_enough(questions: int, sure: bool) -> None:
    # Wilson's upper end for 0 of n is below 0.05 from n = 73 on: z² / (n + z²) with z² = 3.8415.
    assert sure_not_to_gain(against([R] * questions, [R] * questions)) is sure


def test_a_small_loss_on_many_questions_rules_a_gain_out() -> None:
    debate: list[Grade] = [R] * 180 + [W] * 20
    baseline: list[Grade] = [W] * 8 + [R] * 180 + [W] * 12
    one = against(debate, baseline)
    assert (one.over_all.only_first, one.over_all.only_second) == (8, 8)
    assert sure_not_to_gain(one)
    assert not sure_not_to_gain(against([R] * 10 + [W] * 10, [W] * 10 + [R] * 10))
