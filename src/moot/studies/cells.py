"""Figures of studies as table cells, and as words in sentences."""

from collections.abc import Callable, Mapping
from math import log
from typing import Any

from moot.report.page import minutes
from moot.stats import Rate
from moot.text.figures import dollars

ELO = 400 / log(10)
"""Points of an Elo rating for one logit."""


def in_words(one: Rate) -> str:
    bounds = "no interval" if one.low is None else interval(one.low, one.high)
    groups = f" in {one.clusters:,} clusters" if one.clusters is not None and one.clusters < one.n else ""
    return f"{percent(one.rate)} ({bounds}) of {one.n:,}{groups}{and_gaps(one.missing)}"


def and_gaps(number: int) -> str:
    return f", {number:,} missing" if number else ""


def rate_cells(one: Rate) -> list[str]:
    return [str(one.count), str(one.n), str(one.missing), percent(one.rate), interval(one.low, one.high)]


def count_of(one: Rate) -> list[str]:
    return [f"{one.count} of {one.n}" if one.n else "–", percent(one.rate), interval(one.low, one.high)]


def share_of(one: Rate) -> list[str]:
    """A share of answers; failures, which are in no share, stand beside it."""
    failed = f", {one.missing} failed" if one.missing else ""
    return [f"{percent(one.rate, 1)} ({one.count}/{one.n}{failed})", interval(one.low, one.high, "{:.1%}")]


def paired(one: Any) -> list[str]:
    """Two methods on the same questions."""
    shares = [percent(one.first_share, 1), percent(one.second_share, 1), points(one.difference, 1)]
    return [f"{one.questions:,}", *shares, points_interval(one, 1), p_words(one.p_value)]


def times(counts: Mapping[str, int]) -> str:
    return "; ".join(f"{what} × {count}" for what, count in counts.items())


def mark_of(one: Rate) -> list[Any]:
    """A rate in a plot, with what stands beside it."""
    return [one.rate, one.low, one.high, f"{percent(one.rate)} (n {one.n})"]


def or_dash(value: object) -> str:
    return "–" if value is None or value == "" else str(value)


def percent(value: float | None, digits: int = 0) -> str:
    return "–" if value is None else f"{value:.{digits}%}".replace("%", " %")


def interval(low: float | None, high: float | None, form: str = "{:.0%}") -> str:
    if low is None or high is None:
        return "–"
    return f"{form.format(low)} to {form.format(high)}".replace("%", " %")


def points(value: float | None, digits: int = 0) -> str:
    """A difference between shares in points of per cent."""
    return "–" if value is None else f"{100 * value:+.{digits}f}".replace("-", "−")


def points_interval(one: Any, digits: int = 0) -> str:
    """The interval of a difference."""
    return "–" if one.low is None else f"{points(one.low, digits)} to {points(one.high, digits)}"


def p_words(value: float | None) -> str:
    return "no test" if value is None else "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def adjusted(value: float | None) -> str:
    return p_words(value) if value is None else f"{p_words(value)}, adjusted for all tests here"


def p_value(value: float | None) -> str:
    return "–" if value is None else "< 0.001" if value < 0.001 else f"{value:.3f}"


def amount(value: float, name: str) -> str:
    if name == "cost":
        return dollars(value)
    return minutes(value) if name == "seconds" else f"{value:,.6g}" if value < 1e6 else f"{value:,.0f}"


def elo(strength: float | None) -> str:
    return "–" if strength is None else f"{strength * ELO:+.0f}"


def elo_interval(one: Any) -> str:
    """That of a place in a tournament, of which ends may be open."""
    if one.low is None and one.high is None and one.open is None:
        return "–"
    low = "open" if one.low is None else elo(one.low)
    return f"{low} to {'open' if one.high is None else elo(one.high)}"


def may_be(one: Any) -> str:
    """The places that a model may have."""
    if one.best is None or one.worst is None:
        return "–"
    return f"{one.best}" if one.best == one.worst else f"{one.best} to {one.worst}"


def up_to(several: list[str], most: int, what: str = "") -> str:
    """The first of several, and how many more there are."""
    more = f" and {len(several) - most} more{f' {what}' if what else ''}" if len(several) > most else ""
    return ", ".join(several[:most]) + more


FILTERS: dict[str, Callable[..., Any]] = {
    one.__name__: one
    for one in (
        *(in_words, and_gaps, rate_cells, count_of, mark_of, percent, interval, points, points_interval),
        *(p_words, adjusted, p_value, amount, elo, elo_interval, may_be, up_to, dollars),
        *(share_of, paired, times),
    )
} | {"number": "{:,}".format}
