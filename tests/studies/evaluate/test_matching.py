"""Answers are read whole or not at all."""

from fractions import Fraction

import pytest

from moot.studies.evaluate.matching import canonical, same
from moot.studies.evaluate.stating import stated


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is four.\nANSWER: 4", "4"),
        ("**ANSWER:** B", "B"),
        ("Final answer: 4.", "4"),
        ("ANSWER: 3\nNo, wait.\nANSWER: 4", "4"),
        ("I decide on ANSWER: \\boxed{5}.", "5"),
        ("> - Answer: `yes`", "yes"),
        ("The answer is 4\nor so.", None),
        ("ANSWER:\n\n**42**", "42"),
        ("6 × 7 = 42\n#### 42", "42"),
        ("#### Analysis\nIt depends.", None),
        ("Hence $\\boxed{\\frac{3}{4}}$.", "\\frac{3}{4}"),
        ("My answer: it depends on your answer: 5", None),
        ("PREANSWER: 3", None),
        ("ANSWER: 3\nWait, that is wrong.", None),
        ("ANSWER: 3\n\nSorry, I meant 4.", None),
        ("ANSWER:", None),
        ("", None),
    ],
)
def test_an_answer_stands_behind_its_mark(text: str, found: str | None) -> None:
    assert stated(text) == found


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


@pytest.mark.parametrize(
    ("value", "unit", "asked", "found"),
    [
        ("5 km", "km", "How far?", "5"), ("5 KM", "km", "How far?", "5"), ("5", "km", "How far?", "5"),
        ("5 miles", "km", "How many miles or km?", None), ("5 €", "$", "What?", None), ("$5", "$", "What?", "5"),
        ("75 rolls", None, "How many rolls?", "75"), ("75 dozen", None, "How many rolls?", None),
        ("3个面包", None, "她卖了几个面包?", "3"), ("3万", None, "她卖了几个面包?", None), ("25 m²", "m^2", "?", "25"),
    ],
)  # fmt: skip
def test_words_after_a_number_are_those_of_the_key_or_of_the_question(
    value: str, unit: str | None, asked: str, found: str | None
) -> None:
    assert canonical(value, "number", unit=unit, asked=asked) == found


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("A", "A"), ("b", "B"), ("(C)", "C"), ("A)", "A"), ("A) Paris", "A"), ("A. paris", "A"), ("paris", "A"),
        ("A dog", "B"), ("C: cat", "C"), ("B.", "B"), ("A!", "A"), ("\\text{B}", "B"), ("\\boxed{\\text{(C)}}", "C"),
        ("A) London", None), ("D", None), ("A or B", None), ("A, B", None), ("AB", None), ("Paris, France", None),
        ("not A", None), ("proposal", None),
    ],
)  # fmt: skip
def test_choices(value: str, found: str | None) -> None:
    assert canonical(value, "choice", ("Paris", "A dog", "cat")) == found


def test_exact_texts_differ_in_nothing_that_counts() -> None:
    assert canonical("  The   Nile. ", "exact") == canonical("the nile", "exact") == "the nile"
    assert canonical("Nile", "exact") != canonical("the Nile", "exact")
    assert canonical("x" * 301, "exact") is None
    assert canonical("10²", "exact") == canonical("10^2", "exact") != canonical("102", "exact")


def test_numbers_may_be_off_by_the_tolerance_and_no_more() -> None:
    assert same("3.14", "3", "number", Fraction("0.14"))
    assert not same("3.14", "3", "number", Fraction("0.139"))
    assert not same("3.14", "3", "number")
