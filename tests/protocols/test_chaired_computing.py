"""Figures that a debater computes: what they come to, and what they are computed from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.protocols.chaired.computing import computed_in, numbers_in, uncited, with_results, written


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("31 % × 3", "93 %"),
        ("4,000 × 8", "32000"),
        ("4.000 × 8", "32000"),
        ("4 000 × 8", "32000"),
        ("٤٠٠٠ × 8", "32000"),
        ("200 × 15 %", "30"),
        ("(12 + 8) / 4", "5"),
        ("10 ÷ 4", "2.5"),
        ("10 : 4", "2.5"),
        ("1 / 3", "0.3333"),
        ("−3 + 5 – 1", "1"),
        ("2 * (3 + (4 - 1))", "12"),
        ("12,34,567 + 1", "1234568"),
        ("0.5 + 0,5", "1"),
    ],
)
def test_what_a_computation_comes_to(expression: str, result: str) -> None:
    [found] = computed_in(f"So it is [= {expression}].")
    assert (found.shown, found.fault) == (f"[= {expression} = {result}]", "")
    assert with_results(with_results(f"So it is [= {expression}].")) == f"So it is [= {expression} = {result}]."


@pytest.mark.parametrize(
    "text",
    [
        *["That is 93 % [= 31 % × 3].", "That is 93% [= 31% x 3]", "That is 0.93 [= 31 % × 3]"],
        *["That is 32,000 [= 4,000 × 8]", "Das sind 32.000 [= 4.000 × 8]", "Cela fait 32 000 [= 4 000 × 8]"],
        *[
            "That is 33.3 [= 100 / 3]",
            "It is 2.250 [= 1.125 × 2]",
            "It is 2.25 [= 1.125 × 2]",
            "所以是32000[= 4000 × 8]。",
        ],
        "In all people [= 31 % × 3 = 93 %]",
    ],
)
def test_a_result_that_is_written_holds(text: str) -> None:
    [found] = computed_in(text)
    assert found.fault == ""
    assert with_results(text) == text


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("That is 90 % [= 31 % × 3].", "it comes to 93 %, not to 90 %"),
        ("That is 33.4 [= 100 / 3]", "it comes to 33.3333, not to 33.4"),
        ("In all [= 31 % × 3 = 94 %]", "it comes to 93 %, not to 94 %"),
        *[
            (f"So [= {one}]", "it is no computation with numbers, + - × / and brackets")
            for one in (
                "31 % of 3",
                "1 / 0",
                "(1 + 2",
                "2 3",
                "__import__('os')",
                "9 ** 9",
                "n0 + 5",
                "_ × 3",
                "__",
                "℮ + 3",
                "7 // 2",
                "1 +",
                ")",
                "%",
            )
        ],
    ],
)
def test_a_computation_that_does_not_hold(text: str, fault: str) -> None:
    [found] = computed_in(text)
    assert found.fault == fault
    assert with_results(text) == text


def test_what_it_is_computed_from_is_looked_for_as_written() -> None:
    [found] = computed_in("So [= (4,000 + 2.5) × 3 / 12 × 24]")
    assert found.inputs == ("4,000", "2.5", "24"), "a count of up to twelve needs no source"
    assert uncited(found.inputs, numbers_in("It was 4000 in 2019, and 2,5 of them.")) == ["24"]
    assert numbers_in("It is 93 [= 31 × 3] of 5.") == {"93", "5"}, "nothing is cited by being computed with"
    assert {written(one) for one in ("4,000", "4.000", "4 000", "4’000", "4000", "٤٠٠٠", "４０００")} == {"4000"}


@given(st.text("0123456789 .,+-*/×÷()%[]=x:", max_size=200) | st.text(max_size=100).map("[= 3 + {}]".format))
def test_anything_can_stand_in_a_statement(text: str) -> None:
    assert all(one.fault or one.shown for one in computed_in(text))
    assert with_results(with_results(text)) == with_results(text)
