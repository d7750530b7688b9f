"""Figures that are held against a bound never read as if they had met it."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from moot.text.figures import bound, bound_percent, dollars, reached, reached_percent

SHARES = st.floats(0, 1, allow_nan=False)


def test_as_readers_see_them() -> None:
    assert [reached(4.9583, 1), reached(0.795), reached(0.3), reached(-0.001)] == ["4.9", "0.79", "0.30", "-0.01"]
    assert [reached_percent(0.5999), reached_percent(0.6), reached_percent(Fraction(2, 3), 1)] == ["59", "60", "66.6"]
    assert reached(1.7e308) == "17" + "0" * 307 + ".00", "whatever a journal says"
    assert [bound(0.8), bound(5.0), bound(100.0), bound(0.1667)] == ["0.8", "5", "100", "0.1667"]
    assert [bound_percent(0.666), bound_percent(0.6), bound_percent(1.0)] == ["66.6", "60", "100"]


def test_prices_by_one_rule() -> None:
    costs = [None, 0.0, 1e-9, 0.000012, 0.002, 0.5, 1.0, 12345.678]
    told = ["unknown", "$0", "under $0.000001", "$0.000012", "$0.0020", "$0.5000", "$1.00", "$12,345.68"]
    assert [dollars(cost) for cost in costs] == told


@given(st.fractions(0, 1), st.integers(0, 4))
def test_of_a_fraction_nothing_is_lost_but_the_digits_beyond(share: Fraction, digits: int) -> None:
    for told, value in ((reached(share, digits), share), (reached_percent(share, digits), 100 * share)):
        assert 0 <= value - Fraction(told) < Fraction(1, 10**digits)


def test_a_fraction_just_below_a_bound_is_told_as_below_it() -> None:
    assert reached_percent(Fraction(1, 2) - Fraction(1, 10**40), 1) == "49.9"


@given(SHARES, SHARES, st.integers(0, 4))
def test_what_missed_a_bound_is_never_told_as_if_it_met_it(value: float, needed: float, digits: int) -> None:
    assert (float(reached(value, digits)) >= float(bound(needed))) <= (value >= needed)
    assert (Fraction(reached_percent(value, digits)) >= Fraction(bound_percent(needed))) <= (value >= needed)
