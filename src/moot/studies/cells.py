"""Figures of studies as table cells, and as words in sentences."""

from collections.abc import Callable, Mapping
from math import log
from typing import Any

from moot.report.page import minutes
from moot.stats import Rate
from moot.text.figures import dollars

ELO = 400 / log(10)
"""Points of an Elo rating for one logit."""


def in_words(rate: Rate) -> str:
    bounds = "no interval" if rate.low is None else interval(rate.low, rate.high)
    groups = f" in {rate.clusters:,} clusters" if rate.clusters is not None and rate.clusters < rate.n else ""
    return f"{percent(rate.rate)} ({bounds}) of {rate.n:,}{groups}{and_gaps(rate.missing)}"


def and_gaps(number: int) -> str:
    return f", {number:,} missing" if number else ""


def rate_cells(rate: Rate) -> list[str]:
    return [str(rate.count), str(rate.n), str(rate.missing), percent(rate.rate), interval(rate.low, rate.high)]


def count_of(rate: Rate) -> list[str]:
    return [f"{rate.count} of {rate.n}" if rate.n else "–", percent(rate.rate), interval(rate.low, rate.high)]


def share_of(rate: Rate) -> list[str]:
    """A share of answers; failures, which are in no share, stand beside it."""
    failed = f", {rate.missing} failed" if rate.missing else ""
    return [f"{percent(rate.rate, 1)} ({rate.count}/{rate.n}{failed})", interval(rate.low, rate.high, "{:.1%}")]


def paired(pair: Any) -> list[str]:
    """Two methods on the same questions."""
    shares = [percent(pair.first_share, 1), percent(pair.second_share, 1), points(pair.difference, 1)]
    return [f"{pair.questions:,}", *shares, points_interval(pair, 1), p_words(pair.p_value)]


def times(counts: Mapping[str, int]) -> str:
    return "; ".join(f"{what} × {count}" for what, count in counts.items())


def mark_of(rate: Rate) -> list[Any]:
    """A rate in a plot, with what stands beside it."""
    return [rate.rate, rate.low, rate.high, f"{percent(rate.rate)} (n {rate.n})"]


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


def points_interval(difference: Any, digits: int = 0) -> str:
    """The interval of a difference."""
    return "–" if difference.low is None else f"{points(difference.low, digits)} to {points(difference.high, digits)}"


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


def elo_interval(strength: Any) -> str:
    """That of a place in a tournament, of which ends may be open."""
    if strength.low is None and strength.high is None and strength.open is None:
        return "–"
    low = "open" if strength.low is None else elo(strength.low)
    return f"{low} to {'open' if strength.high is None else elo(strength.high)}"


def may_be(place: Any) -> str:
    """The places that a model may have."""
    if place.best is None or place.worst is None:
        return "–"
    return f"{place.best}" if place.best == place.worst else f"{place.best} to {place.worst}"


def up_to(several: list[str], most: int, what: str = "") -> str:
    """The first of several, and how many more there are."""
    more = f" and {len(several) - most} more{f' {what}' if what else ''}" if len(several) > most else ""
    return ", ".join(several[:most]) + more


def sampling_words(by_role: Mapping[str, Any]) -> str:
    """Sampling settings by role, in words."""
    roles = {
        role: ", ".join(f"{name} {value}" for name, value in chosen.items() if value is not None)
        for role, chosen in by_role.items()
    }
    return (
        "; ".join(f"{role}: {settings}" for role, settings in roles.items() if settings) or "as each provider sets it"
    )


FILTERS: dict[str, Callable[..., Any]] = {
    one.__name__: one
    for one in (
        *(in_words, and_gaps, rate_cells, count_of, mark_of, percent, interval, points, points_interval),
        *(p_words, adjusted, p_value, amount, elo, elo_interval, may_be, up_to, dollars),
        *(share_of, paired, times, sampling_words),
    )
} | {"number": "{:,}".format}
