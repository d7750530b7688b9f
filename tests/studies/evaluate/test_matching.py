"""Answers are read whole or not at all."""

from fractions import Fraction

import pytest

from moot.studies.evaluate.matching import canonical, same


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("42", "42"), ("-3", "-3"), ("−3", "-3"), ("3/4", "0.75"),
        (".5", "0.5"), ("1/3", "1/3"), ("-1/8", "-0.125"),
        ("1e3", "1000"), ("x = 42", "42"),
        ("≈ 3.14", "3.14"), ("\\frac{3}{4}", "0.75"), ("3 × 10^4", "30000"), ("1 234", "1234"), ("3 1/2", "3.5"),
        ("5 more than 6", None), ("5 and 6", None),
        ("0.50", "0.5"), ("1e-3", "0.001"), ("**8**", "8"), ("42.", "42"),
        ("42 or 43", None), ("not 42", None), ("4-2", None), ("2+2", None), ("3,5", None), ("1,2345", None),
        ("5 dozen", None), ("2k", None), ("1/0", None), ("1.2.3", None), ("1e999999999", None), ("", None),
        ("\\(42\\)", "42"),

        ("10²", "100"), ("2^3", None), ("5*3", None), ("5×3", None), ("2–3", None), ("3√2", None), ("5 /3", None),
        ("2π", None), ("2 pi", None), ("3i", None), ("5!", None), ("5M", None), ("3 quarters", None), ("4~2", None),
        ("3/4/2", None), ("1½", "1.5"), ("½", "0.5"), ("5 (or 6)", None), ("\\boxed{4}^{\\text{2}}", None),
        ("--5", None), ("forty-two", None), ("__import__('os')", None), ("9" * 400, None), ("42 is wrong", None),
    ],
)  # fmt: skip
def test_numbers(value: str, found: str | None) -> None:
    assert canonical(value, "number", asked="How many?") == found


def test_numbers_may_be_off_by_the_tolerance_and_no_more() -> None:
    assert same("3.14", "3", "number", Fraction("0.14"))
    assert not same("3.14", "3", "number", Fraction("0.139"))
    assert not same("3.14", "3", "number")
