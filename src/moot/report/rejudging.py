"""The sections of a re-judging: what each judge makes of the debate beside the original judgement, and the recounts."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from moot.entry import Entry
from moot.payloads.rejudging import JudgedAgain, Recount, Rereading
from moot.protocols.rejudging.result import JudgeVerdict, RejudgingOutcome
from moot.report.page import Material, Table
from moot.report.transcript import Look, transcript

STABLE = {True: "unstable", False: "yes", None: "one reading"}
UPHELD = {True: "upheld", False: "not upheld", None: "cannot say"}


def sections(material: Material) -> dict[str, object]:
    """What the templates of a re-judging show beside what every report has."""
    found = material.result.outcome
    outcome = found if isinstance(found, RejudgingOutcome) and found.source else None
    return {
        "headline": headline(outcome),
        "source": outcome.source if outcome else None,
        "judges": judges_table(outcome) if outcome and outcome.judges else None,
        "recounts": recounts_table(outcome.source, outcome.recounts) if outcome and outcome.recounts else None,
        "flags": flags(outcome) if outcome else [],
        "transcript": transcript(material, _described),
    }


def headline(outcome: RejudgingOutcome | None) -> str:
    if outcome is None:
        return "Nothing was judged again yet"
    if not outcome.judges:
        moved = sum(not one.same for one in outcome.recounts)
        return "The count stands under every rule" if not moved else "Another rule comes to another result"
    if outcome.winner is None:
        return "The judges name no winner"
    before = {True: ", as before", False: f", and not {outcome.source.winner}" if outcome.source else "", None: ""}
    return f"{outcome.winner} wins{before[outcome.upheld]}"


def judges_table(outcome: RejudgingOutcome) -> Table:
    """The original judgement first, then each judge's, with the scores of everybody."""
    source = outcome.source
    seats = source.seats if source else []
    rows = []
    if source and source.judges:
        before = _figures(seats, source.scores)
        rows.append([f"{', '.join(source.judges)} (original)", source.winner or "none", "", "", *before])
    for one in outcome.judges:
        winner = one.winner or ("flips" if one.unstable else "none")
        rows.append([one.judge, winner, UPHELD[one.upholds], _stability(one), *_figures(seats, one.scores)])
    return Table(["Judge", "Winner", "Original", "Stable", *seats], rows, texts=4)


def recounts_table(source: JudgedAgain | None, recounts: Sequence[Recount]) -> Table:
    rows = [[f"{source.rule} (original)", source.counted or "nobody", "", ""]] if source and source.rule else []
    rows += [[one.rule, one.winner or "nobody", "same" if one.same else "another", counted(one)] for one in recounts]
    return Table(["Rule", "Result", "Against the original", "Why"], rows, texts=4)


def counted(one: Recount) -> str:
    shares = ", ".join(f"{name} {float(Fraction(score)):.3g}" for name, score in one.scores.items())
    return f"{one.reason} ({shares})" if shares else one.reason


def flags(outcome: RejudgingOutcome) -> list[str]:
    """What speaks against relying on it."""
    flipped = [one.judge for one in outcome.judges if one.unstable]
    lost = [f"{one.judge} ({one.missing})" for one in outcome.judges if one.missing]
    found = [f"Unstable: the order of showing changes the winner of {', '.join(flipped)}."] if flipped else []
    return found + ([f"Readings that could not be had: {', '.join(lost)}."] if lost else [])


def _stability(one: JudgeVerdict) -> str:
    return "missing" if one.missing else STABLE[one.unstable]


def _figures(seats: Sequence[str], scores: Mapping[str, float | None]) -> list[str]:
    return ["none" if (score := scores.get(name)) is None else f"{score:.3g}" for name in seats]


def _described(entry: Entry) -> Look | None:
    match entry.data:
        case Rereading(order=order, winner=winner, failure=failure):
            badge = "no judgement" if failure else (winner or "tied")
            return Look("marked", f"reads the debate in the {order} order", badge)
        case Recount(rule=rule, winner=winner):
            return Look("marked", f"counts the votes by {rule}", winner or "nobody")
        case JudgedAgain():
            return Look("context", "names the run that is judged again")
        case _:
            return None
