"""Figures that a debater computes: what they come to, and what they are computed from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.protocols.chaired.computing import numbers_in, uncited, with_results, written


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("31 % × 3", "93 %"),
        ("4,000 × 8", "32000"),
        ("4.000 × 8", "32000"),
        ("4 000 × 8", "32000"),
        ("٤٠٠٠ × 8", "32000"),
        ("200 × 15 %", "30"),
        ("10 / 50 %", "20"),
        ("(12 + 8) / 4", "5"),
        ("10 ÷ 4", "2.5"),
        ("10 : 4", "2.5"),
        ("1 / 3", "0.3333"),
        ("−3 + 5 – 1", "1"),
        ("2 * (3 + (4 - 1))", "12"),
        ("12,34,567 + 1", "1234568"),
        ("0.5 + 0,5", "1"),
        ("31 % × 4,000", "1240"),
        ("4000 × 31%", "1240"),
        ("50 % − 20", "-19.5"),
        ("50 % − 20 %", "30 %"),
        ("100 - 31 %", "99.69"),
        ("10 % × 10 %", "1 %"),
        ("93 % / 31 %", "3"),
        ("31 % / 2 + 4 %", "19.5 %"),
        ("0.00002 × 2", "0.00004"),
        ("10000000000000000000 + 1", "10000000000000000001"),
        ("3,987 × 8", "31896"),
        ("4000 ⋅ 8", "32000"),
    ],
)
def test_what_a_computation_comes_to(expression: str, result: str) -> None:
    told = f"So it is [= {expression} = {result}]."
    assert with_results(f"So it is [= {expression}].") == told
    assert with_results(told) == told
    assert with_results(f"So it is [= {expression} = 77 or so].") == told, "the result is the program's"


@pytest.mark.parametrize("expression", ["1.125 × 2", "1,234 + 2,5", "1,234 + 4.000", "1,234 + 1.000,5"])
def test_what_can_be_read_in_two_ways_is_left_as_it_is(expression: str) -> None:
    assert with_results(f"So it is [= {expression}].") == f"So it is [= {expression}]."


@pytest.mark.parametrize(
    "expression",
    [
        *["31 % of 3", "1 / 0", "(1 + 2", "2 3", "__import__('os')", "9 ** 9", "n0 + 5", "_ × 3", "__", "℮ + 3"],
        *["7 // 2", "1 +", ")", "%", "1.2.3,4,5 + 1", "(" * 100, "-" * 100],
    ],
)
def test_what_is_no_computation_is_left_as_it_is(expression: str) -> None:
    assert with_results(f"So [= {expression}]") == f"So [= {expression}]"


def test_what_it_is_computed_from_is_looked_for_as_written() -> None:
    text = "So [= (4,000 + 2.5) × 3 / 12 × 24 = 5]"
    assert uncited(text, set()) == ["4,000", "2.5", "24"], "a count of up to twelve needs no source"
    assert uncited(text, numbers_in("It was 4000 in 2019, and 2,5 of them.")) == ["24"]
    assert numbers_in("It is 93 [= 31 × 3] of 5.") == {"93", "5"}, "nothing is cited by being computed with"
    assert {written(one) for one in ("4,000", "4.000", "4 000", "4’000", "4000", "٤٠٠٠", "４０００")} == {"4000"}


@given(st.text("0123456789 .,+-*/×÷()%[]=x:", max_size=200) | st.text(max_size=100).map("[= 3 + {}]".format))
def test_anything_can_stand_in_a_statement(text: str) -> None:
    assert with_results(with_results(text)) == with_results(text)
    assert all(number in text for number in uncited(text, set()))
