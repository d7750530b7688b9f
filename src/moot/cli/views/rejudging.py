"""How a re-judging looks in the terminal: its readings as they come, and what they come to beside the original."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from moot import Entry
from moot.cli.pieces import DIM, Cast, Piece, row
from moot.cli.views import any_outcome, stopped
from moot.cli.words import one_line, show

STEPS = {"read": "is reading the debate"}
ALOUD = ()
"""Replies are structured, so none is shown as it comes."""
UPHELD = {True: "upheld", False: "not upheld", None: ""}


class Teller:
    """Puts the entries of a re-judging into pieces."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast

    def __call__(self, entry: Entry) -> Piece | None:
        data: Any = entry.data  # of the class that goes with the entry's type
        match entry.type if data else "":
            case "judged_again":
                return row("≡", Text(one_line(entry.content), DIM))
            case "rereading":
                said = f", {data.order} order: "
                said += f"no judgement: {data.failure}" if data.failure else f"{data.winner or 'nobody'} is ahead"
                line = self._cast.name(entry.speaker).append(one_line(said), "yellow" if data.failure else "not bold")
                return row("✗" if data.failure else "✓", line)
            case "recount":
                return row("✓", Text(one_line(entry.content)))
        return None


def outcome(document: Mapping[str, Any], console: Console) -> list[RenderableType]:
    """The parts of the summary of one re-judging."""
    if not document.get("source"):
        return any_outcome(document, console)
    parts: list[RenderableType] = [Text(why, "bold yellow")] if (why := stopped(document)) else []
    if document["judges"]:
        parts.append(Padding(judges_table([document]), (0, 0, 0, 2)))
    if document["recounts"]:
        parts.append(Padding(recounts_table([document]), (0, 0, 0, 2)))
    return parts


def judges_table(documents: Sequence[Mapping[str, Any]]) -> Table:
    """A row for each judge of each debate; the original judgement stands before them."""
    table = _table("debate", "judge", "winner", "original", "", "scores", several=len(documents) > 1)
    for document in documents:
        rows, source = [], document.get("source") or {"judges": [], "seats": []}
        if source["judges"]:
            by = f"{', '.join(source['judges'])} (original)"
            rows.append((by, source["winner"] or "none", "", "", _scores(source["seats"], source["scores"])))
        for judge in document.get("judges", []):
            alone = "one reading" if judge["readings"] and judge["unstable"] is None else ""
            doubt = "unstable" if judge["unstable"] else "missing" if judge["missing"] else alone
            scores = _scores(source["seats"], judge["scores"])
            rows.append((judge["judge"], judge["winner"] or "none", UPHELD[judge["upholds"]], doubt, scores))
        _add(table, source, rows)
    return table


def recounts_table(documents: Sequence[Mapping[str, Any]]) -> Table:
    """A row for each rule by which the votes of each debate were counted."""
    table = _table("debate", "rule", "result", "original", "why", several=len(documents) > 1)
    for document in documents:
        if not document.get("recounts"):
            continue
        source = document["source"]
        rows = [(f"{source['rule']} (original)", source["counted"] or "nobody", "", "")]
        rows += [
            (one["rule"], one["winner"] or "nobody", "same" if one["same"] else "another", one["reason"])
            for one in document["recounts"]
        ]
        _add(table, source, rows)
    return table


def print_agreement(agreement: Mapping[str, Any], console: Console) -> None:
    """What many re-judgings say of their judges."""
    table = _table("judge", "debates", "upheld", "flipped", "shown first", "last word", "for the premise", "scores")
    for one in agreement["judges"]:
        change = "" if one["mean_change"] is None else f"{one['mean_change']:+.2f}"
        rates = [_rate(one[key]) for key in ("upheld", "flipped", "shown_first", "had_last_word", "for_premise")]
        table.add_row(*_cells(one["judge"], str(one["debates"]), *rates, change))
    if agreement["judges"]:
        show(console, Padding(table, (0, 0, 0, 2)))
        pairs = _rate(agreement["same_winner"])
        told = f"{pairs} pairs of judgements of a debate name the same winner." if pairs else "No two can be compared."
        show(console, Text(f"With the original judgement among them, {told}" if pairs else told))
        figures = f"winners {_alpha(agreement['winners'])}, scores {_alpha(agreement['scores'])}"
        show(console, Text(f"Krippendorff's alpha: {figures}."))
    for rule, rate in agreement["recounts"].items():
        show(console, Text(f"By {one_line(rule)} the result is the same in {_rate(rate)}."))


def _add(table: Table, source: Mapping[str, Any], rows: Sequence[Sequence[str]]) -> None:
    """The rows of one debate, the first of which says which it is where there are several."""
    for number, cells in enumerate(rows):
        several = len(table.columns) > len(cells)
        name = ["" if number else source["run"]] if several else []
        table.add_row(*_cells(*name, *cells))


def _alpha(found: Mapping[str, Any]) -> str:
    if found["alpha"] is None:
        return "not defined"
    bounds = "" if found["low"] is None else f" ({found['low']:.2f} to {found['high']:.2f})"
    return f"{found['alpha']:.2f}{bounds}"


def _rate(rate: Mapping[str, Any]) -> str:
    return f"{rate['count']} of {rate['n']}" if rate["n"] else ""


def _scores(seats: Sequence[str], scores: Mapping[str, float | None]) -> str:
    told = [(name, scores.get(name)) for name in seats]
    return ", ".join(f"{one_line(name)} {'none' if score is None else f'{score:.3g}'}" for name, score in told)


def _cells(*values: str) -> list[Text]:
    return [Text(one_line(value)) for value in values]


def _table(*headings: str, several: bool = True) -> Table:
    """A table without rows yet; of one debate alone, the first column is not told again."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading in headings if several else headings[1:]:
        table.add_column(heading, overflow="fold")
    return table
