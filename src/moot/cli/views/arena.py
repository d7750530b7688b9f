"""How an arena looks in the terminal: the rounds as they come, and in the end the decision and what it rests on."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rich import box
from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from moot import Entry
from moot.cli.pieces import DIM, Cast, Piece, row
from moot.cli.views import any_outcome, stopped
from moot.cli.words import WIDEST, clean, hanging, one_line
from moot.figures import bound, reached

STEPS = {
    "propose": "is proposing",
    "critique": "is criticising",
    "revise": "is revising",
    "agree": "is comparing decisions",
    "vote": "is voting",
    "judging": "is judging",
    "challenge": "is asking pointed questions",
    "observe": "is taking notes",
}
ALOUD = ()
"""Replies are structured, so none is shown as it comes."""
ROUNDS = ("context", "proposals", "critique", "revision", "refinement", "voting", "judgement")
BAR = 20
LONGEST_PROPOSAL = 900


class Teller:
    """Puts an arena's entries into pieces."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast

    def __call__(self, entry: Entry) -> Piece | None:
        data: Any = entry.data  # of the class that goes with the entry's type
        if not data:
            return None
        if getattr(data, "failure", None) and entry.type != "assessment":
            text = f" {one_line(entry.content)}"
            return row("✗", self._cast.name(entry.speaker).append(text, "yellow"))
        tell = {
            "rules": self._rules,
            "round": self._round,
            "proposal": self._proposal,
            "critique": self._critique,
            "convergence": self._convergence,
            "agreement": self._agreement,
            "challenge": self._challenge,
            "vote": self._vote,
            "tally": self._tally,
            "judging": self._judging,
            "assessment": self._assessment,
            "observation": self._observation,
            "gate": self._gate,
            "outcome": self._outcome,
        }.get(entry.type)
        return tell(entry, data) if tell else None

    def _rules(self, entry: Entry, _: Any) -> Piece:
        return row("·", Text(one_line(entry.content.partition("\n")[0]), DIM))

    def _round(self, _: Entry, data: Any) -> Piece:
        """Where the debate stands among its rounds."""
        line = Text()
        others = {"gate": ("gate", *ROUNDS), "extension": (*ROUNDS, "extension")}
        for name in others.get(data.name, ROUNDS):
            here = name == data.name
            line.append(f" {name} " if here else f" {name}", "reverse bold" if here else DIM)
        return Piece("speech", Text(f"Round {data.number} "), line, Style())

    def _proposal(self, entry: Entry, data: Any) -> Piece:
        label = self._cast.name(entry.speaker).append(f" · version {data.version}")
        if data.changed_mind:
            cause = f" because of {one_line(data.because_of)}" if data.because_of else ""
            label.append(f" · says it changed its mind{cause}", "yellow")
        body = Text(clean(data.decision or ""), "bold").append(f"\n{_clipped(clean(data.proposal or ''))}", "not bold")
        return Piece("thought", label, body)

    def _critique(self, entry: Entry, data: Any) -> Piece:
        label = self._cast.name(entry.speaker).append(" on ").append_text(self._cast.name(data.of or ""))
        lines = [Text(f"{one.severity:.1f} {one_line(one.issue)}") for one in data.issues] or [
            Text("nothing to criticise")
        ]
        return Piece("thought", label, Text("\n").join(lines))

    def _convergence(self, _: Entry, data: Any) -> Piece:
        if data.minimum is None:
            return row("≡", Text("no similarity: there is only one proposal", DIM))
        line = Text.assemble(
            "similarity ", _bar(data.minimum), f" {reached(data.minimum)} at least, {reached(data.mean)} on average"
        )
        line.append(f" · {bound(data.threshold)} is needed", DIM)
        if data.hollow:
            line.append(" · thin evidence", "yellow")
        return row("≡", line)

    def _agreement(self, entry: Entry, data: Any) -> Piece:
        sign, what = (
            ("✓", "decides the same")
            if data.same
            else ("✗", f"differs: {one_line(data.differs_in or 'no word in what')}")
        )
        return row(sign, self._cast.name(entry.speaker).append(f" {what}", "not bold"))

    def _challenge(self, entry: Entry, data: Any) -> Piece:
        lines = [self._cast.name(one.to).append(f" {one_line(one.question)}", "not bold") for one in data.questions]
        return Piece(
            "panel", self._cast.name(entry.speaker), Text("\n").join(lines), self._cast.style_of(entry.speaker)
        )

    def _vote(self, entry: Entry, data: Any) -> Piece:
        label = self._cast.name(entry.speaker).append(" → ")
        for place, name in enumerate(data.ranking):
            label.append(" > " if place else "").append_text(self._cast.name(name))
        own = " (its own)" if data.ranking[:1] == [entry.speaker] else ""
        return Piece("row", label.append(f"{own} "), Text(one_line(data.reason or ""), DIM))

    def _tally(self, entry: Entry, data: Any) -> Piece:
        return row("·", Text(f"by {one_line(data.rule)}: {one_line(entry.content)}", "bold"))

    def _judging(self, entry: Entry, data: Any) -> Piece:
        label = self._cast.name(entry.speaker).append(f" {'first' if data.reading == 1 else 'opposite'} order: ")
        scores = {name: sum(each.values()) / len(each) for name, each in data.scores.items()}
        listed = ", ".join(f"{one_line(name)} {reached(score, 1)}" for name, score in scores.items())
        return Piece("row", label, Text(listed))

    def _assessment(self, entry: Entry, data: Any) -> Piece:
        style = "bold" if data.unstable is False and not data.failure else "yellow"
        return row("·", Text(one_line(entry.content), style))

    def _observation(self, entry: Entry, data: Any) -> Piece:
        label = self._cast.name(entry.speaker).append(f" on round {data.round}")
        return Piece("thought", label, Text(clean(entry.content), DIM))

    def _gate(self, entry: Entry, data: Any) -> Piece:
        return row("✓" if data.same else "✗", Text(one_line(entry.content)))

    def _outcome(self, entry: Entry, data: Any) -> Piece:
        lines = [Text(clean(entry.content).replace("**", ""))]
        lines += [Text(f"{one_line(one.agent)} {one_line(one.reason)}", "yellow") for one in data.dissent]
        return Piece("panel", Text("Outcome"), Text("\n").join(lines), Style(bold=True))


def outcome(document: Mapping[str, Any], console: Console) -> list[RenderableType]:
    if "decided_by" not in document:  # it stopped before anybody was introduced
        return any_outcome(document, console)
    parts: list[RenderableType] = [Constrain(_decision(document), WIDEST)]
    if (document["assessment"] and document["assessment"]["scores"]) or document["votes"]:
        parts += [Text(), _standings(document)]
    parts += [hanging("! ", Text(line, "yellow")) for line in _missing(document)]
    parts += [
        hanging("! ", Text(f"{one_line(one['agent'])} {one_line(one['reason'])}", "yellow"))
        for one in document["dissent"]
    ]
    if document["similarity"]:
        least = ", ".join(_similarity(one) for one in document["similarity"])
        parts.append(Text(f"Similarity (minimum): {least}", DIM))
    return [*parts, *_with_less(document), Text()]


def _missing(document: Mapping[str, Any]) -> list[str]:
    """Votes and readings that the decision has to do without."""
    lines = [
        f"{one_line(one['agent'])} abstained: {one_line(one['failure'])}" for one in document["votes"] if one["failure"]
    ]
    failure = (document["assessment"] or {}).get("failure")
    return lines + ([f"The judgement is incomplete: {one_line(failure)}"] if failure else [])


def _decision(document: Mapping[str, Any]) -> Text:
    why = stopped(document)
    if document["verdict"] is None:
        return Text(f"No decision. {why}", "bold yellow")
    text = Text(one_line(document["decision"] or "Nothing was decided."), "bold")
    verdict = document["verdict"].replace("_", " ").capitalize()
    by = "" if document["decided_by"] == "none" else f", by {document['decided_by']}"
    sure = "" if document["confidence"] is None else f", confidence {document['confidence']:.2f}"
    winner, leading = document["winner"], document["leading"]
    whose = f" The proposal of {one_line(winner)}." if winner else ""
    text.append(f"\n{verdict}{by} in round {document['round']}{sure}.{whose}", "not bold")
    if leading and not winner:
        ahead = document["versions"][leading][-1]["decision"]
        text.append(f"\n{one_line(leading)} is ahead: {one_line(ahead)}", "not bold")
    for reason in document["reasons"]:
        text.append(f"\n· {one_line(reason)}", "not bold")
    return text


def _standings(document: Mapping[str, Any]) -> RenderableType:
    """Votes and scores of each proposal, the best first."""
    assessed, tally = document["assessment"] or {"scores": {}}, document["tally"] or {"scores": {}}
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("proposal of")
    table.add_column(tally.get("rule") or "votes", justify="right")
    table.add_column("judge", justify="right")
    table.add_column("")
    names = [name for name, versions in document["versions"].items() if versions]
    for name in sorted(names, key=lambda one: -assessed["scores"].get(one, 0)):
        votes, score = tally["scores"].get(name), assessed["scores"].get(name)
        table.add_row(
            Text(one_line(name), "bold"),
            "" if votes is None else f"{float(Fraction(votes)):g}",
            "" if score is None else reached(score, 1),
            Text() if score is None else _bar(score / 10),
        )
    return Constrain(Padding(table, (0, 0, 0, 2)), WIDEST)


def _with_less(document: Mapping[str, Any]) -> list[RenderableType]:
    """Whether less would have done, and what it took."""
    found, cheap = document["counterfactual"], document["cheap"]
    parts: list[RenderableType] = []
    if cheap:
        calls, after = cheap["calls"], cheap["settled_after"]
        enough = f"enough, after the {after}: {calls} calls instead of {cheap['calls_of_whole_arena']}"
        how = enough if after else f"not enough; with the whole arena it took {calls} calls"
        parts.append(Text(f"Two answers were {how}.", "bold"))
    if found:
        majority = found["round_1_majority"]
        first = one_line(majority["decision"] or majority["reason"])
        parts.append(
            hanging(
                "· ",
                Text(f"Blind proposals: {first} ({_tokens(majority)}); the debate: {_tokens(found['debate'])}", DIM),
            )
        )
    return parts


def _tokens(way: Mapping[str, Any]) -> str:
    return "tokens unknown" if way["tokens"] is None else f"{way['tokens']:,} tokens"


def _similarity(one: Mapping[str, Any]) -> str:
    figure = "none" if one["minimum"] is None else reached(one["minimum"])
    return f"round {one['round']} {figure}"


def _bar(share: float) -> Text:
    filled = round(max(0.0, min(1.0, share)) * BAR)
    return Text.assemble(("█" * filled, "green"), ("░" * (BAR - filled), "dim"))


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST_PROPOSAL else f"{text[:LONGEST_PROPOSAL].rstrip()}…"
