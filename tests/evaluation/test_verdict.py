"""The verdict in words follows from the figures, by the rules in the module."""

from collections.abc import Sequence

import pytest

from moot.evaluation.questions import Grade, Row
from moot.evaluation.summary import Comparison, compare
from moot.evaluation.verdict import beats, sure_not_to_gain

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
