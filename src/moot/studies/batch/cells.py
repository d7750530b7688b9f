"""Figures of a batch as table cells, and as words in sentences."""

from moot.report.page import minutes
from moot.stats import Difference, Rate
from moot.text.figures import dollars


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


def percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}".replace("%", " %")


def interval(low: float | None, high: float | None, form: str = "{:.0%}") -> str:
    if low is None or high is None:
        return "–"
    return f"{form.format(low)} to {form.format(high)}".replace("%", " %")


def points_interval(one: Difference) -> str:
    if one.low is None or one.high is None:
        return "–"
    return f"{one.low * 100:+.0f} to {one.high * 100:+.0f}"


def points(one: Difference) -> str:
    return "–" if one.value is None else f"{one.value * 100:+.0f}"


def decimal(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def p_words(value: float | None) -> str:
    return "no test" if value is None else "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def adjusted(value: float | None) -> str:
    return p_words(value) if value is None else f"{p_words(value)}, adjusted for all tests here"


def p_value(value: float | None) -> str:
    return "–" if value is None else "< 0.001" if value < 0.001 else f"{value:.3f}"


def amount(name: str, value: float) -> str:
    if name == "cost":
        return dollars(value)
    return minutes(value) if name == "seconds" else f"{value:,.6g}" if value < 1e6 else f"{value:,.0f}"
