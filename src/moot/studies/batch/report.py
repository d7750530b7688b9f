"""The report of a batch, written from its rows and statistics alone."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from moot.engine.define.plugin_option import plugin_option
from moot.present import Facts, Paragraph, Table
from moot.stats import Rate
from moot.studies.batch.cells import (
    adjusted,
    amount,
    and_gaps,
    count_of,
    decimal,
    in_words,
    interval,
    p_value,
    p_words,
    percent,
    points,
    points_interval,
    rate_cells,
)
from moot.studies.batch.figures import BatchStatistics, Effect, Flips, Level, PairedEffect, Spread
from moot.studies.batch.listed import answers_part, troubles_part
from moot.studies.batch.notes import METHOD
from moot.studies.batch.plots import Estimate, Forest, forest
from moot.studies.batch.rows import Row
from moot.studies.batch.spending import spreads
from moot.studies.page import Findings, Part, StudyPage

MOST_OUTCOMES = 5
MOST_PLOTTED = 30
STATUSES = {"limit": "stopped at a limit", "waiting": "not begun"}
"""In the words of the terminal; the other statuses are words themselves."""
GO_ON = "Take it up where it stopped; no reply that is on record is paid for again:"
SWAPPED = {"order": "order swapped", "sides": "sides swapped", "premise": "premise reversed"}


def findings(found: BatchStatistics, rows: Sequence[Row]) -> Findings:
    """The statistics of a batch for its report."""
    return Findings(
        kind="batch",
        headline=_headline(found),
        claims=_claims(found),
        notes=found.notes,
        parts=[*answers_part(rows), *_parts(found)],
        method=METHOD,
    )


def report_page(
    name: str,
    about: dict[str, Any],
    rows: Sequence[Row],
    found: Findings,
    made: Mapping[str, str],
    *,
    unfinished: bool,
) -> StudyPage:
    """The report. `made` says with which models; `unfinished` means that there are debates to resume."""
    plugins = plugin_option(*sorted({row.protocol for row in rows}), public=True)
    return StudyPage(
        kind=found.kind,
        title=about["file"],
        about=f"{about['created'][:16].replace('T', ' ')} UTC",
        headline=found.headline,
        claims=found.claims,
        notes=found.notes,
        parts=[
            *found.parts,
            cost_part(spreads(rows)),
            troubles_part(rows),
            Part("method", "Method", found.method),
            Part("made", "What this was made with", "", [Facts(list(made.items()))]),
        ],
        name=name.rpartition("/")[2],
        unfinished=[GO_ON] if unfinished else [],
        command=shlex.join(["moot", *plugins, "batch", "--resume", name]),
    )


def _part(place: str, heading: str, lead: str, table: Table, plot: Forest | None = None) -> Part:
    return Part(place, heading, lead, [replace(table, name=f"{heading}, as a table")], [plot] if plot else [])


def _headline(found: BatchStatistics) -> str:
    done = found.by_status.get("done", 0)
    others = ", ".join(
        f"{number:,} {STATUSES.get(status, status)}"
        for status, number in sorted(found.by_status.items())
        if status != "done"
    )
    repeated = f", {found.duplicates:,} of them repetitions" if found.duplicates else ""
    return f"{done:,} of {found.debates:,} debates done{repeated}" + (f", {others}" if others else "")


def _claims(found: BatchStatistics) -> list[str]:
    """The main findings, each with its interval and number of cases."""
    told = []
    if found.upheld.n:
        told.append(f"The claim was upheld in {in_words(found.upheld)}.")
    told += [_effect(one, [pair for pair in found.paired if pair.first == one.first]) for one in found.effects]
    if found.changed_by_debate.n:
        told.append(f"The debate changed the decision in {in_words(found.changed_by_debate)}.")
    if found.flips is not None and found.flips.right.n:
        told.append(f"The decision was right in {in_words(found.flips.right)}.")
    if found.agreement is not None and found.agreement.alpha is not None:
        agreed = f"{found.agreement.alpha:.2f} on {found.agreement.units} debates{and_gaps(found.agreement.missing)}"
        told.append(f"Judges agree with an alpha of {agreed}.")
    return told


def _effect(effect: Effect, pairs: Sequence[PairedEffect]) -> str:
    """An effect in words. If it was tested in pairs, the paired test is reported; every p is adjusted."""
    who, other = "The side that argued for the claim as put", "the side against"
    if effect.name == "speaking order":
        who, other = "The first speaker", "the second"
    if not pairs:
        return f"{who} won {in_words(effect.rate)} ({_tested(effect)})."
    tests = [
        f"with the {SWAPPED[one.design]} it won both debates of {one.first_both} pairs and {other} of "
        f"{one.second_both}, of {one.same_persona.n:,}{and_gaps(one.same_persona.missing)} ({_tested(one)})"
        for one in pairs
    ]
    return f"{who} won {in_words(effect.rate)}; {'; '.join(tests)}."


def _tested(one: Effect | PairedEffect | Flips) -> str:
    """The adjusted p-value in words, with the failures that it counts against what was found."""
    against = f", with {one.failed:,} failed counted against it" if one.failed and one.p_at_worst != one.p else ""
    return f"{adjusted(one.adjusted)}{against}"


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
    """The outcomes of the debates, and warnings about them."""
    done = found.by_status.get("done", 0) - found.duplicates
    parts = []
    if found.outcomes:
        rows = [[name, *_of(number, done)] for name, number in found.outcomes.items()]
        table = Table(["Outcome", "Debates", "Share"], rows)
        parts.append(_part("outcomes", "What they came to", "The debates by their outcomes.", table))
    if found.flags:
        lead = (
            "What must be known before relying on them, by its code; the sentence is that of the first debate with it."
        )
        rows = [[code, found.flag_texts.get(code, ""), *_of(number, done)] for code, number in found.flags.items()]
        parts.append(_part("flags", "Flags", lead, Table(["Flag", "Sentence", "Debates", "Share"], rows, texts=2)))
    return parts


def _of(number: int, whole: int) -> tuple[str, str]:
    return f"{number:,}", f"{number / whole:.0%}"


def _completeness(found: BatchStatistics) -> list[Part]:
    """Missing debates by factor; empty if none are missing."""
    every = [(name, one) for name, levels in found.completeness.items() for one in levels]
    if all(one.done == one.planned and not one.undecided for _, one in every):
        return []
    rows = [[name, one.value, *map(str, (one.planned, one.done, one.failed, one.undecided))] for name, one in every]
    lead = (
        "How many debates with each value of each factor were planned, are done, have failed, and are done without a "
        "decision. The rest has not come to its end."
    )
    columns = ["Factor", "Value", "Planned", "Done", "Failed", "Undecided"]
    return [_part("completeness", "What is there and what is not", lead, Table(columns, rows, texts=2))]


def _win_rates(by: str, rates: dict[str, Rate]) -> Part:
    plural = {"persona": "personas", "model": "models", "side": "sides", "judge": "judges"}.get(by, by)
    lead = (
        "How often the claim was upheld before each judge."
        if by == "judge"
        else "How often each won, of the decided debates it was in. Lines are intervals of 95 %."
    )
    rows = [[name, *rate_cells(one)] for name, one in rates.items()]
    columns = [_capital(by), "Won", "Decided", "Missing", "Rate", "95 % interval"]
    return _part(
        f"by-{by.replace(' ', '-')}",
        f"Win rates by {by}",
        lead,
        Table(columns, rows),
        _plot(f"Win rates of {plural}", rates, 0.5),
    )


def _judges(found: BatchStatistics) -> list[Part]:
    if not found.judges:
        return []
    rows = [[one.judge, *rate_cells(one.upheld), points(one.bias), points_interval(one.bias)] for one in found.judges]
    columns = ["Judge", "Upheld", "Decided", "Missing", "Rate", "95 % interval", "Bias", "95 % interval"]
    marks = [
        Estimate(one.judge, one.bias.value, one.bias.low, one.bias.high, f"{points(one.bias)} (n {one.upheld.n})")
        for one in found.judges[:MOST_PLOTTED]
        if one.bias.value is not None and one.bias.low is not None and one.bias.high is not None
    ]
    lead = "Each judge’s own rate of upholding the claim minus the rate over all judges, in points of per cent."
    plot = forest("Judge bias", marks, reference=0.0, around_zero=True) if marks else None
    parts = [_part("bias", "Judge bias", lead, Table(columns, rows), plot)]
    if found.agreement is not None:
        one = found.agreement
        cells = [
            decimal(one.alpha),
            interval(one.low, one.high, "{:.2f}"),
            *map(str, (one.units, one.missing, one.judges, one.ratings)),
        ]
        lead = (
            "Krippendorff’s alpha over debates that differ in their judge alone: 1 is perfect agreement, 0 is chance. "
            "Each judge heard a debate of its own, and these differ too, so that alpha is rather too low than too high."
        )
        columns = ["Measure", "Alpha", "95 % interval", "Debates", "Missing", "Judges", "Ratings"]
        table = Table(columns, [["nominal", *cells]])
        parts.append(_part("agreement", "Agreement between judges", lead, table))
    return parts + _verdicts(found)


def _verdicts(found: BatchStatistics) -> list[Part]:
    if found.verdicts is None:
        return []
    rates = {
        "named the winner when asked for the name alone": found.verdicts.confirmed,
        "gave the other the higher score": found.verdicts.scores_contradict_winner,
    }
    rows = [[name, *rate_cells(one)] for name, one in rates.items()]
    lead = "How sure the judges of duels were: a winner who is not named, or has the lower score, is a doubtful one."
    columns = ["The judge", "Count", "Known", "Missing", "Rate", "95 % interval"]
    return [_part("verdicts", "Verdicts", lead, Table(columns, rows))]


def _effects(found: BatchStatistics) -> list[Part]:
    parts = []
    if found.effects:
        rates = {f"{one.first}": one.rate for one in found.effects}
        rows = [
            [f"{one.first}, not {one.second}", *rate_cells(one.rate), p_value(one.p), p_value(one.adjusted)]
            for one in found.effects
        ]
        columns = ["Effect", "Won", "Decided", "Missing", "Rate", "95 % interval", "p", "p (Holm)"]
        lead = "Without an effect both would win half of the debates; p is the exact test of that, by topics."
        plot = _plot("Speaking order and side", rates, 0.5)
        parts.append(_part("effects", "Speaking order and side", lead, Table(columns, rows), plot))
    if found.paired:
        rows = [
            [
                SWAPPED[one.design],
                f"{one.first}: {one.first_both}",
                f"{one.second}: {one.second_both}",
                str(one.same_persona.count),
                str(one.same_persona.missing),
                percent(one.same_persona.rate),
                interval(one.same_persona.low, one.same_persona.high),
                p_value(one.p),
                p_value(one.adjusted),
            ]
            for one in found.paired
        ]
        kinds = ["Pairs", "Won both", "Won both", "Same persona", "Missing"]
        columns = [*kinds, "Stable", "95 % interval", "p", "p (Holm)"]
        lead = (
            "Pairs of debates that differ in one thing alone. Where the same persona wins both, that thing did not "
            "decide; p is the exact test of the other pairs, with topics as clusters."
        )
        parts.append(_part("pairs", "Paired debates", lead, Table(columns, rows, texts=3)))
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
        rows = [[name, *rate_cells(value)] for name, value in rates.items()]
        lead = (
            "The decision before the debate (first impressions, first positions, the blind majority) and after it, "
            f"against the answer known to be right. The exact test of the two kinds of flip: {p_words(one.p)}; "
            f"{_tested(one)}."
        )
        columns = ["Decision", "Count", "Known", "Missing", "Rate", "95 % interval"]
        parts.append(
            _part("flips", "Right and wrong", lead, Table(columns, rows), _plot("Right and wrong", rates, None))
        )
    if found.minds is not None:
        minds, lone = found.minds, found.minds.without_evidence
        rows = [
            ["changes of mind", str(minds.changes)],
            ["of these without new evidence", f"{lone.count} ({percent(lone.rate)}, {interval(lone.low, lone.high)})"],
            ["right → wrong", str(minds.right_to_wrong)],
            ["of these without new evidence", str(minds.right_to_wrong_without_evidence)],
            ["wrong → right", str(minds.wrong_to_right)],
        ]
        lead = "Agents that came to another decision than they held before, and whether they named new evidence for it."
        parts.append(_part("minds", "Changes of mind", lead, Table(["Agents", "Count"], rows)))
    return parts


def _factors(found: BatchStatistics) -> list[Part]:
    return [
        _part(f"factor-{number}", f"By {name}", *(_measured(levels) or _outcomes_by_level(levels)))
        for number, (name, levels) in enumerate(found.factors.items(), 1)
    ]


def _measured(levels: Sequence[Level]) -> tuple[str, Table] | None:
    """The results for each value of a factor, in the columns that have data; None if none have."""
    kinds: list[tuple[str, str, Callable[[Level], Rate]]] = [
        (
            "Upheld",
            "in how many of those decided the claim (as it was given, where it was reversed) was upheld",
            lambda level: level.upheld,
        ),
        ("Right", "how many of those with a known answer were right", lambda level: level.right),
    ]
    had = [one for one in kinds if any(one[2](level).n or one[2](level).missing for level in levels)]
    if not had:
        return None
    failed = any(level.failed for level in levels)
    counts = ["Value", "Done", *(["Failed"] if failed else [])]
    columns = [*counts, *(cell for heading, _, _ in had for cell in (heading, "Rate", "95 % interval"))]
    rows = [
        [
            *(level.value, str(level.debates), str(level.failed))[: len(counts)],
            *(cell for _, _, rate in had for cell in count_of(rate(level))),
        ]
        for level in levels
    ]
    what = ", and ".join(words for _, words, _ in had)
    lead = f"What the debates with each value of this factor came to: {what}."
    if failed:
        lead += " Those that failed are in no rate: a value that fails on hard topics looks better than it is."
    return lead, Table(columns, rows)


def _outcomes_by_level(levels: Sequence[Level]) -> tuple[str, Table]:
    """The same by outcomes, for debates with neither a claim nor a known answer."""
    rows = []
    for level in levels:
        several = list(level.outcomes.items())
        rows += [[level.value, outcome, f"{number:,}"] for outcome, number in several[:MOST_OUTCOMES]]
        if others := sum(number for _, number in several[MOST_OUTCOMES:]):
            rows.append([level.value, "others", f"{others:,}"])
    lead = "The debates with each value of this factor by their outcomes."
    return lead, Table(["Value", "Outcome", "Debates"], rows, texts=2)


def cost_part(spent: Mapping[str, Spread]) -> Part:
    heading, columns = "Calls and cost", ["Taken", "All", "Least", "Median", "Most", "Debates", "Unknown"]
    taken = [
        [
            name,
            *(amount(name, value) for value in (one.total, one.least, one.median, one.most)),
            *(f"{number:,}" for number in (one.n, one.unknown)),
        ]
        for name, one in spent.items()
    ]
    table = Table(columns, taken, name=f"{heading}, as a table")
    return Part("cost", heading, "", [table if taken else Paragraph("Nothing has been spent.")])


def _plot(title: str, rates: dict[str, Rate], reference: float | None) -> Forest | None:
    estimates = [
        Estimate(name, one.rate, one.low, one.high, f"{percent(one.rate)} (n {one.n})")
        for name, one in list(rates.items())[:MOST_PLOTTED]
        if one.rate is not None and one.low is not None and one.high is not None
    ]
    return forest(title, estimates, reference=reference) if estimates else None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
