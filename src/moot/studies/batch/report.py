"""The report of a batch: one page that needs no network and runs no script, and the same as Markdown.

Made from the rows and their statistics alone. Templates escape by themselves whatever is not marked as safe.
"""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader

from moot.engine.plugin_option import plugin_option
from moot.present import Table
from moot.report.page import environment_of, minutes
from moot.stats import Difference, Rate
from moot.studies.batch.figures import BatchStatistics, Effect, PairedEffect, Spread
from moot.studies.batch.plots import Estimate, Forest, Histogram, forest, histogram
from moot.studies.batch.rows import Row

MOST_TROUBLES = 50
MOST_PLOTTED = 30
SWAPPED = {"order": "order swapped", "sides": "sides swapped", "premise": "premise reversed"}


@dataclass(frozen=True, slots=True)
class Part:
    """A section of the report: what it shows, in words, as a plot where that helps, and as a table."""

    id: str
    heading: str
    lead: str
    table: Table
    plot: Forest | None = None


def reports(
    name: str, about: dict[str, Any], rows: Sequence[Row], found: BatchStatistics, *, unfinished: bool
) -> dict[str, str]:
    """The reports by the names of their files. `unfinished`: there is something to take up."""
    plugins = plugin_option(*sorted({row.protocol for row in rows}), public=True)
    troubles = [row for row in rows if row.status in ("failed", "limit", "interrupted")]
    sections = {
        "name": name,
        "about": about,
        "found": found,
        "headline": _headline(found),
        "claims": _claims(found),
        "parts": _parts(found),
        "histograms": _histograms(rows),
        "spent": _spent(found),
        "troubles": troubles[:MOST_TROUBLES],
        "more_troubles": max(0, len(troubles) - MOST_TROUBLES),
        "command": shlex.join(["moot", *plugins, "batch", "--resume", name]),
        "unfinished": unfinished,
    }
    made = {}
    for form in ("html", "md"):
        text = _environment(html=form == "html").get_template(f"report.{form}.jinja").render(sections)
        made[f"report.{form}"] = text if form == "html" else re.sub(r"\n{3,}", "\n\n", text)
    return made


def _headline(found: BatchStatistics) -> str:
    done = found.by_status.get("done", 0)
    others = ", ".join(f"{number} {status}" for status, number in sorted(found.by_status.items()) if status != "done")
    return f"{done:,} of {found.debates:,} debates done" + (f", {others}" if others else "")


def _claims(found: BatchStatistics) -> list[str]:
    """What the figures say first, each with its interval and number of cases."""
    told = []
    if found.upheld.n:
        told.append(f"The claim was upheld in {in_words(found.upheld)}.")
    told += [_effect(one, [pair for pair in found.paired if pair.first == one.first]) for one in found.effects]
    if found.changed_by_debate.n:
        told.append(f"The debate changed the decision in {in_words(found.changed_by_debate)}.")
    if found.flips is not None and found.flips.right.n:
        told.append(f"The decision was right in {in_words(found.flips.right)}.")
    if found.agreement is not None and found.agreement.alpha is not None:
        agreed = f"{found.agreement.alpha:.2f} on {found.agreement.units} debates{_missing(found.agreement.missing)}"
        told.append(f"Judges agree with an alpha of {agreed}.")
    return told


def _effect(effect: Effect, pairs: Sequence[PairedEffect]) -> str:
    """An effect in words. Where it was tested in pairs, that is the test to read; every p is adjusted."""
    who, other = "The side that argued for the claim as put", "the side against"
    if effect.name == "speaking order":
        who, other = "The first speaker", "the second"
    if not pairs:
        return f"{who} won {in_words(effect.rate)} ({_adjusted(effect.adjusted)})."
    tests = [
        f"with the {SWAPPED[one.design]} it won both debates of {one.first_both} pairs and {other} of "
        f"{one.second_both}, of {one.same_persona.n:,}{_missing(one.same_persona.missing)} ({_adjusted(one.adjusted)})"
        for one in pairs
    ]
    return f"{who} won {in_words(effect.rate)}; {'; '.join(tests)}."


def _parts(found: BatchStatistics) -> list[Part]:
    parts = [_win_rates(by, rates) for by, rates in found.win_rates.items()]
    return [
        *_outcomes(found),
        *_completeness(found),
        *parts,
        *_judges(found),
        *_effects(found),
        *_answers(found),
        *_factors(found),
    ]


def _outcomes(found: BatchStatistics) -> list[Part]:
    """What the debates came to, and what must be known before relying on them."""
    done = found.by_status.get("done", 0)
    parts = []
    for one, heading, lead, column, counts in (
        ("outcomes", "What they came to", "The debates by their headlines.", "Headline", found.headlines),
        ("flags", "Flags", "What must be known before relying on them, by its code.", "Flag", found.flags),
    ):
        rows = [[name, f"{number:,}", f"{number / done:.0%}"] for name, number in counts.items()]
        if rows:
            parts.append(Part(one, heading, lead, Table([column, "Debates", "Share"], rows)))
    return parts


def _completeness(found: BatchStatistics) -> list[Part]:
    """What the batch lacks, by factor; nothing where it lacks nothing."""
    every = [(name, one) for name, levels in found.completeness.items() for one in levels]
    if all(one.done == one.planned and not one.undecided for _, one in every):
        return []
    rows = [[name, one.value, *map(str, (one.planned, one.done, one.failed, one.undecided))] for name, one in every]
    lead = (
        "How many debates with each value of each factor were planned, are done, have failed, and are done without a "
        "decision. The rest has not come to its end."
    )
    columns = ["Factor", "Value", "Planned", "Done", "Failed", "Undecided"]
    return [Part("completeness", "What is there and what is not", lead, Table(columns, rows, texts=2))]


def _win_rates(by: str, rates: dict[str, Rate]) -> Part:
    plural = {"persona": "personas", "model": "models", "side": "sides", "judge": "judges"}.get(by, by)
    lead = (
        "How often the claim was upheld before each judge."
        if by == "judge"
        else "How often each won, of the decided debates it was in. Lines are intervals of 95 %."
    )
    rows = [[name, *_cells(one)] for name, one in rates.items()]
    columns = [_capital(by), "Won", "Decided", "Missing", "Rate", "95 % interval"]
    return Part(
        f"by-{by.replace(' ', '-')}",
        f"Win rates by {by}",
        lead,
        Table(columns, rows),
        _plot(f"Win rates of {plural}", rates, 0.5),
    )


def _judges(found: BatchStatistics) -> list[Part]:
    if not found.judges:
        return []
    rows = [[one.judge, *_cells(one.upheld), _points(one.bias), _range(one.bias)] for one in found.judges]
    columns = ["Judge", "Upheld", "Decided", "Missing", "Rate", "95 % interval", "Bias", "95 % interval"]
    marks = [
        Estimate(one.judge, one.bias.value, one.bias.low, one.bias.high, f"{_points(one.bias)} (n {one.upheld.n})")
        for one in found.judges[:MOST_PLOTTED]
        if one.bias.value is not None and one.bias.low is not None and one.bias.high is not None
    ]
    lead = "Each judge’s own rate of upholding the claim minus the rate over all judges, in points of per cent."
    plot = forest("Judge bias", marks, reference=0.0, around_zero=True) if marks else None
    parts = [Part("bias", "Judge bias", lead, Table(columns, rows), plot)]
    if found.agreement is not None:
        one = found.agreement
        cells = [
            _number(one.alpha),
            _between(one.low, one.high, "{:.2f}"),
            *map(str, (one.units, one.missing, one.judges, one.ratings)),
        ]
        lead = (
            "Krippendorff’s alpha over debates that differ in their judge alone: 1 is perfect agreement, 0 is chance. "
            "Each judge heard a debate of its own, and these differ too, so that alpha is rather too low than too high."
        )
        columns = ["Measure", "Alpha", "95 % interval", "Debates", "Missing", "Judges", "Ratings"]
        table = Table(columns, [["nominal", *cells]])
        parts.append(Part("agreement", "Agreement between judges", lead, table))
    return parts + _verdicts(found)


def _verdicts(found: BatchStatistics) -> list[Part]:
    if found.verdicts is None:
        return []
    rates = {
        "named the winner when asked for the name alone": found.verdicts.confirmed,
        "gave the other the higher score": found.verdicts.scores_contradict_winner,
    }
    rows = [[name, *_cells(one)] for name, one in rates.items()]
    lead = "How sure the judges of duels were: a winner who is not named, or has the lower score, is a doubtful one."
    columns = ["The judge", "Count", "Known", "Missing", "Rate", "95 % interval"]
    return [Part("verdicts", "Verdicts", lead, Table(columns, rows))]


def _effects(found: BatchStatistics) -> list[Part]:
    parts = []
    if found.effects:
        rates = {f"{one.first}": one.rate for one in found.effects}
        rows = [
            [f"{one.first}, not {one.second}", *_cells(one.rate), _p(one.p), _p(one.adjusted)] for one in found.effects
        ]
        columns = ["Effect", "Won", "Decided", "Missing", "Rate", "95 % interval", "p", "p (Holm)"]
        lead = "Without an effect both would win half of the debates; p is the exact binomial test of that, two-sided."
        plot = _plot("Speaking order and side", rates, 0.5)
        parts.append(Part("effects", "Speaking order and side", lead, Table(columns, rows), plot))
    if found.paired:
        rows = [
            [
                SWAPPED[one.design],
                f"{one.first}: {one.first_both}",
                f"{one.second}: {one.second_both}",
                str(one.same_persona.count),
                str(one.same_persona.missing),
                _percent(one.same_persona.rate),
                _between(one.same_persona.low, one.same_persona.high),
                _p(one.p),
                _p(one.adjusted),
            ]
            for one in found.paired
        ]
        kinds = ["Pairs", "Won both", "Won both", "Same persona", "Missing"]
        columns = [*kinds, "Stable", "95 % interval", "p", "p (Holm)"]
        lead = (
            "Pairs of debates that differ in one thing alone. Where the same persona wins both, that thing did not "
            "decide; p is McNemar’s exact test of the other pairs."
        )
        parts.append(Part("pairs", "Paired debates", lead, Table(columns, rows, texts=3)))
    return parts


def _answers(found: BatchStatistics) -> list[Part]:
    parts = []
    if found.flips is not None:
        one = found.flips
        rates = {
            "right before": one.first_right,
            "right after": one.right,
            "right → wrong": one.right_to_wrong,
            "wrong → right": one.wrong_to_right,
        }
        rows = [[name, *_cells(value)] for name, value in rates.items()]
        lead = (
            "The decision before the debate (first impressions, first positions, the blind majority) and after it, "
            f"against the answer known to be right. McNemar’s exact test of the two kinds of flip: {_test(one.p)}; "
            f"p (Holm) is {_p(one.adjusted)}."
        )
        columns = ["Decision", "Count", "Known", "Missing", "Rate", "95 % interval"]
        parts.append(
            Part("flips", "Right and wrong", lead, Table(columns, rows), _plot("Right and wrong", rates, None))
        )
    if found.minds is not None:
        minds, lone = found.minds, found.minds.without_evidence
        rows = [
            ["changes of mind", str(minds.changes)],
            ["of these without new evidence", f"{lone.count} ({_percent(lone.rate)}, {_between(lone.low, lone.high)})"],
            ["right → wrong", str(minds.right_to_wrong)],
            ["of these without new evidence", str(minds.right_to_wrong_without_evidence)],
            ["wrong → right", str(minds.wrong_to_right)],
        ]
        lead = "Agents that came to another decision than they held before, and whether they named new evidence for it."
        parts.append(Part("minds", "Changes of mind", lead, Table(["Agents", "Count"], rows)))
    return parts


def _factors(found: BatchStatistics) -> list[Part]:
    parts = []
    for number, (name, levels) in enumerate(found.factors.items(), 1):
        rows = [
            [level.value, str(level.debates), *(cell for one in (level.upheld, level.right) for cell in _of(one))]
            for level in levels
        ]
        columns = ["Value", "Done", "Upheld", "Rate", "95 % interval", "Right", "Rate", "95 % interval"]
        lead = (
            "What the debates with each value of this factor came to: in how many of those decided the claim (as it "
            "was given, where it was reversed) was upheld, and how many of those with a known answer were right."
        )
        parts.append(Part(f"factor-{number}", f"By {name}", lead, Table(columns, rows)))
    return parts


def _spent(found: BatchStatistics) -> Table:
    rows = [
        [name, *(_amount(name, value) for value in (one.total, one.least, one.median, one.most)), *_known(one)]
        for name, one in found.spent.items()
    ]
    return Table(["Taken", "All", "Least", "Median", "Most", "Debates", "Unknown"], rows)


def _known(one: Spread) -> list[str]:
    return [f"{one.n:,}", f"{one.unknown:,}"]


def _histograms(rows: Sequence[Row]) -> list[Histogram]:
    begun = [row for row in rows if row.run is not None]
    plots = [
        histogram("Calls by debate", [row.calls for row in begun if row.calls is not None]),
        histogram("Cost by debate", [row.cost for row in begun if row.cost is not None], "$"),
    ]
    return [plot for plot in plots if plot is not None]


def _plot(title: str, rates: dict[str, Rate], reference: float | None) -> Forest | None:
    estimates = [
        Estimate(name, one.rate, one.low, one.high, f"{_percent(one.rate)} (n {one.n})")
        for name, one in list(rates.items())[:MOST_PLOTTED]
        if one.rate is not None and one.low is not None and one.high is not None
    ]
    return forest(title, estimates, reference=reference) if estimates else None


def in_words(one: Rate) -> str:
    return f"{_percent(one.rate)} ({_between(one.low, one.high)}) of {one.n:,}{_missing(one.missing)}"


def _missing(number: int) -> str:
    return f", {number:,} missing" if number else ""


def _cells(one: Rate) -> list[str]:
    return [str(one.count), str(one.n), str(one.missing), _percent(one.rate), _between(one.low, one.high)]


def _of(one: Rate) -> list[str]:
    return [f"{one.count} of {one.n}" if one.n else "–", _percent(one.rate), _between(one.low, one.high)]


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}".replace("%", " %")


def _between(low: float | None, high: float | None, form: str = "{:.0%}") -> str:
    if low is None or high is None:
        return "–"
    return f"{form.format(low)} to {form.format(high)}".replace("%", " %")


def _range(one: Difference) -> str:
    if one.low is None or one.high is None:
        return "–"
    return f"{one.low * 100:+.0f} to {one.high * 100:+.0f}"


def _points(one: Difference) -> str:
    return "–" if one.value is None else f"{one.value * 100:+.0f}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _test(value: float | None) -> str:
    return "no test" if value is None else "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def _adjusted(value: float | None) -> str:
    return _test(value) if value is None else f"{_test(value)}, adjusted"


def _p(value: float | None) -> str:
    return "–" if value is None else "< 0.001" if value < 0.001 else f"{value:.3f}"


def _amount(name: str, value: float) -> str:
    if name == "cost":
        return f"${value:.4f}"
    return minutes(value) if name == "seconds" else f"{value:,.6g}" if value < 1e6 else f"{value:,.0f}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


@cache
def _environment(*, html: bool) -> Environment:
    """Templates in which everything is text unless marked otherwise, as in the reports of single debates."""
    loader = ChoiceLoader([PackageLoader("moot", "studies/batch"), PackageLoader("moot", "report")])
    return environment_of(loader, html=html)
