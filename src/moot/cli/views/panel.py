"""How a panel looks in the terminal: positions as they come, and in the end the bars, the votes and the decision."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich import box
from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.panel import Panel
from rich.style import Style
from rich.table import Table
from rich.text import Text

from moot import Entry
from moot.cli.pieces import DIM, Cast, Piece, row
from moot.cli.views import any_outcome, stopped
from moot.cli.words import WIDEST, clean, hanging, one_line, show
from moot.figures import bound_percent, reached_percent

STEPS = {
    "round": "is taking a position",
    "rule": "is ruling",
    "merge": "is putting proposals together",
    "ballot": "is voting",
    "revise": "is revising the idea",
}
ALOUD = ()
"""Replies are structured, so none is shown as it comes."""
BAR = 24
LONGEST_IDEA = 1500


class Teller:
    """Puts a panel's entries into pieces. Remembers who held what, to show agreement by round with the decision."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast
        self._weights: dict[str, Fraction] = {}
        self._held: dict[tuple[int, int], dict[str, str | None]] = {}

    def __call__(self, entry: Entry) -> Piece | None:
        data: Any = entry.data  # of the class that goes with the entry's type
        self._remember(entry)
        match entry.type if data else "":
            case "brief":
                return row("·", Text(_task(data), DIM))
            case "idea":
                label = Text("The idea" if data.version == 1 else f"The idea, version {data.version}")
                return Piece("panel", label, Text(_clipped(clean(entry.content))), Style())
            case "position" | "synthesis" | "ballot" if data.failure:
                return row("✗", self._cast.name(entry.speaker).append(f" abstains: {one_line(data.failure)}", "yellow"))
            case "position":
                about = f" · {one_line(entry.phase)}, round {data.round}"
                return self._speech(entry, about, data.claim, _lists(data))
            case "synthesis":
                lists = [("!", one) for one in data.inconsistencies] + [("·", one) for one in data.key_points]
                return self._speech(entry, f" · rules after round {data.round}", data.reasoning, lists)
            case "change":
                stands = ", ".join(dict.fromkeys(one_line(one.persona) for one in data.proposals))
                return row("+", Text(f"{one_line(entry.content)} ({stands})"))
            case "ballot":
                votes = ", ".join(f"{number} {vote}" for number, vote in data.votes.items())
                return row("·", self._cast.name(entry.speaker).append(f" votes: {one_line(votes)}", "not bold"))
            case "decision":
                lines = [Text(one_line(entry.content), "bold"), *self._agreement(data.version)]
                label = Text(f"Votes counted after {data.rounds} rounds")
                return Piece("panel", label, Text("\n").join(lines), Style(bold=True))
            case "revision":
                return Piece("panel", Text("Revised"), _diff(clean(entry.content)), Style())
        return None

    def _remember(self, entry: Entry) -> None:
        data: Any = entry.data
        if entry.type == "brief" and data:
            self._weights = {name: Fraction(weight) for name, weight in data.weights.items()}
        elif entry.type == "position" and data and not entry.outside:
            self._held.setdefault((data.version, data.round), {})[entry.speaker] = data.label

    def _agreement(self, version: int) -> list[Text]:
        """The panellists' agreement in each round on a version of the idea, as bars."""
        lines = []
        for (of, number), held in self._held.items():
            total = sum(self._weights.get(name, 0) for name in held)
            shares: dict[str, Fraction] = {}
            for name, label in held.items():
                if label is not None and total:
                    shares[label] = shares.get(label, Fraction(0)) + Fraction(self._weights.get(name, 0), total)
            if of == version and shares:
                lines.append(
                    Text.assemble((f"round {number}  ", "dim"), _bar(max(shares.values())), f"  {_shares(shares)}")
                )
        return lines

    def _speech(self, entry: Entry, about: str, text: str | None, lists: Sequence[tuple[str, str]]) -> Piece:
        data: Any = entry.data
        label = self._cast.name(entry.speaker).append(about)
        if data.label:
            label.append(" · ").append(one_line(data.label), "bold")
        if data.confidence is not None:
            label.append(f" · confidence {data.confidence:.2f}", DIM)
        body = Text(clean(text or ""))
        for sign, one in lists:
            body.append(f"\n{sign} {one_line(one)}", DIM)
        return Piece("speech", label, body, self._cast.style_of(entry.speaker))


def _task(brief: Any) -> str:
    what = "a yes or no on each change" if brief.each_change else " or ".join(brief.labels)
    return (
        f"{one_line(brief.kind)}: {one_line(brief.question)} {what} · {brief.rounds_required} rounds at least · "
        f"{bound_percent(float(brief.threshold))}% of the weight to carry"
    )


def _lists(position: Any) -> list[tuple[str, str]]:
    """What a position rests on, admits, asks for and answers, each with its sign."""
    found = [("·", one) for one in position.evidence]
    found += [("-", one) for one in position.acknowledged_weaknesses]
    found += [("+", one) for one in position.modifications]
    return found + [("→", f"{one.to}: {one.stance}. {one.text}") for one in position.responses]


def _diff(text: str) -> Text:
    colours = {"+": "green", "-": "red"}
    return Text("\n").join([Text(line, colours.get(line[:1], "")) for line in text.split("\n")])


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST_IDEA else f"{text[:LONGEST_IDEA].rstrip()} […]"


def outcome(document: Mapping[str, Any], console: Console) -> list[RenderableType]:
    if not document.get("kind"):  # it stopped before the panel was told its task
        return any_outcome(document, console)
    parts: list[RenderableType] = [Constrain(_verdict(document), WIDEST), Text()]
    bars = _bars(document["metrics"]["convergence"]["by_round"], len(document["revisions"]) > 1)
    if bars:
        parts += [Constrain(Padding(bars, (0, 0, 0, 2)), WIDEST), Text()]
    if document["votes"]:
        parts += [Constrain(Padding(_votes(document), (0, 0, 0, 2)), WIDEST), Text()]
    if document["changes"]:
        parts += [Constrain(Padding(_changes(document), (0, 0, 0, 2)), WIDEST), Text()]
    for heading, key in (("To change", "modifications_required"), ("Next", "next_steps")):
        parts += [hanging(f"{heading}: ", Text(one_line(text))) for text in document[key]]
    parts += [
        hanging("Dissent: ", Text(f"{one_line(one['persona'])}, {one_line(one['opinion'])}"))
        for one in document["dissenting_opinions"]
    ]
    parts += [Constrain(_counterfactual(document), WIDEST)] if document["counterfactual"] else []
    return [*parts, Text()]


def _verdict(document: Mapping[str, Any]) -> RenderableType:
    """The box: the decision, how it stands to what was needed, and what was required."""
    decision, why = document["decision"], stopped(document)
    lines = [Text(headline(document), "bold")]
    if decision is None:
        lines.append(Text(why, "yellow"))
    elif document["short_of"]:
        lines.append(Text(one_line(document["short_of"])))
    elif not document["changes"]:
        share = f"{_whole(document['agreement'])} of the weight, {_whole(document['threshold'])} needed"
        sure = "" if document["confidence"] is None else f", confidence {document['confidence']:.2f}"
        lines.append(Text(f"{share}{sure}, after {document['rounds_taken']} rounds"))
    if decision == "no_consensus" and document["recommendation"]:
        lines.append(Text(f"The validators recommend {one_line(document['recommendation'])}; that is no decision."))
    versions = len(document["revisions"])
    if versions > 1:
        lines.append(Text(f"This is version {versions} of the idea; all are in the report."))
    lines += [
        Text(f"No further version: {one_line(one['stopped'])}.", "yellow")
        for one in document["revisions"]
        if one["stopped"]
    ]
    lines += [
        Text(f"{one_line(one['persona'])} abstained: {one_line(one['reason'])}", "yellow")
        for one in document["abstained"]
    ]
    if document["requirement_met"] is not None:
        met = "met" if document["requirement_met"] else "not met"
        lines.append(
            Text(
                f"Required: {one_line(document['require'])}, {met}.", "green" if document["requirement_met"] else "red"
            )
        )
    style = "green" if document["accepted"] else "yellow" if decision in (None, "no_consensus") else "cyan"
    return Panel(
        Text("\n").join(lines), title=one_line(document["kind"]), title_align="left", border_style=style, expand=False
    )


def headline(document: Mapping[str, Any]) -> str:
    decision = document["decision"]
    if decision is None:
        return "No decision yet"
    if document["changes"] and decision == "yes":
        made = sum(one["decision"] == "yes" for one in document["changes"])
        return f"{made} of {len(document['changes'])} changes to make"
    return one_line(decision).replace("_", " ").upper()


def _bars(rounds: Sequence[Mapping[str, Any]], several: bool) -> Table | None:
    """Agreement by round among the panellists: the leading label's share as a bar, and all shares in words."""
    if not rounds:
        return None
    table = Table.grid(padding=(0, 2, 0, 0))
    for one in rounds:
        lead = f"version {one['version']}, round {one['round']}" if several else f"round {one['round']}"
        table.add_row(Text(lead, DIM), _bar(one["agreement"]), Text(_shares(one["shares"])))
    return table


def _bar(share: float | Fraction) -> Text:
    filled = round(share * BAR)
    return Text.assemble(("█" * filled, "cyan"), ("░" * (BAR - filled), "dim"))


def _shares(shares: Mapping[str, float | Fraction]) -> str:
    held = sorted(((share, label) for label, share in shares.items() if share), reverse=True)
    return ", ".join(f"{one_line(label)} {reached_percent(share)}%" for share, label in held) or "nobody"


def _whole(share: float) -> str:
    """A bound, or a share of the weight: on record that is rounded down, so that it can be told whole."""
    return f"{bound_percent(share)}%"


def _votes(document: Mapping[str, Any]) -> Table:
    table = _table("", "vote")
    for heading in ("weight", "confidence"):
        table.add_column(heading, justify="right")
    held = document["decision"] if document["carried"] else document["leading"]
    for vote in document["votes"]:
        style = "yellow" if vote["label"] is None else "bold" if vote["label"] == held else ""
        sure = "" if vote["confidence"] is None else f"{vote['confidence']:.2f}"
        label = Text(one_line(vote["label"] or "abstained"), style)
        table.add_row(Text(one_line(vote["persona"])), label, Text(f"{vote['weight']:g}"), Text(sure))
    return table


def _changes(document: Mapping[str, Any]) -> Table:
    table = _table("", "change", "for it", "decision")
    for one in document["changes"]:
        for_it = ", ".join(one_line(vote["persona"]) for vote in one["votes"] if vote["label"] == "yes") or "nobody"
        decision = {"yes": Text("make", "green"), "no": Text("leave", "red")}.get(
            one["decision"], Text("open", "yellow")
        )
        table.add_row(Text(one["number"]), Text(one_line(one["text"])), Text(for_it), decision)
    return table


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(column)
    return table


def _counterfactual(document: Mapping[str, Any]) -> Text:
    other = document["counterfactual"]
    on = " on the first version" if len(document["revisions"]) > 1 else ""
    first, plain = other["first_positions"]["decision"], other["unweighted"]["decision"]
    debate = "The debate made a difference. " if other["changed"] else "The debate did not change the decision. "
    text = Text(debate, "bold").append(f"First positions{on} alone: {one_line(first).replace('_', ' ')}", "not bold")
    return text.append(f"; with a vote each: {one_line(plain).replace('_', ' ')}.", "not bold")


def print_batch(documents: Sequence[Mapping[str, Any]], summary: Mapping[str, Any], console: Console) -> None:
    """Many panels as one table, and how often they were right."""
    table = _table("idea", "decision", "agreement", "truth", "run")
    for document in documents:
        idea = one_line(str(document.get("topic", "")))[:40]
        share = document.get("agreement")
        accuracy = (document.get("metrics") or {}).get("accuracy")
        truth = Text("")
        if accuracy:
            truth = Text(one_line(accuracy["truth"]), "green" if accuracy["correct"] else "red")
        decision = one_line(document.get("decision") or document["status"]).replace("_", " ")
        style = "bold green" if document.get("accepted") else ""
        run = one_line(document["run"].rpartition("/")[2])
        table.add_row(
            Text(idea), Text(decision, style), Text("" if share is None else _whole(share)), truth, Text(run, "dim")
        )
    show(console, table)
    show(console, Text())
    show(console, Text(f"{summary['ideas']} ideas, {summary['accepted']} accepted: {_counted(summary['decisions'])}."))
    if summary["unfinished"]:
        show(console, Text(f"{summary['unfinished']} unfinished: each is a run that `moot resume` takes up.", "yellow"))
    if summary["accuracy"]:
        _print_accuracy(summary["accuracy"], console)


def _print_accuracy(accuracy: Mapping[str, Any], console: Console) -> None:
    share, low, high = (f"{100 * accuracy[key]:.0f}" for key in ("share", "low", "high"))
    right = f"Right in {accuracy['correct']} of {accuracy['known']}: {share} % (95 % confidence: {low} to {high} %)."
    show(console, Text(right, "bold"))
    decisions = sorted({label for counts in accuracy["confusion"].values() for label in counts})
    table = _table("truth \\ decision", *map(one_line, decisions))
    for truth, counts in accuracy["confusion"].items():
        table.add_row(Text(one_line(truth)), *[Text(str(counts.get(label, 0))) for label in decisions])
    show(console, table)


def _counted(decisions: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {one_line(label).replace('_', ' ')}" for label, number in decisions.items()) or "none"
