"""The persuasion dialogue's own sections: context, rounds, commitment stores, framework, verdict, metrics."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from moot.argument.draw import anchor, draw, text_map
from moot.entry import Entry
from moot.payloads import Header
from moot.payloads.persuasion import (
    DialogueJudgement,
    DialogueMove,
    FinalStatement,
    Framework,
    FrameworkArgument,
    MoveSentBack,
    SharedContext,
    TurnForfeited,
)
from moot.protocols.persuasion.framework import graph_from
from moot.protocols.persuasion.result import PersuasionOutcome
from moot.report.page import Material, Table
from moot.report.transcript import Item, Look, transcript

SIDES = {"PRO": "proponent", "OPP": "opponent"}
DECIDED = {
    "concession": "by concession",
    "retraction": "by retraction",
    "root scores": "by the scores of φ and ¬φ",
    "surviving arguments": "by the sums of surviving arguments, as the scores of φ and ¬φ are within 0.01",
    "moderator": "by the moderator, as the rules leave it open",
    "nothing": "by nobody: the rules leave it to the moderator, who named no winner",
}
CERTIFICATES = {
    "acyclic": "There is no cycle, so the scores are exact.",
    "contraction": "There are cycles, and each step of the iteration shrinks: these scores are the only ones that fit.",
    "monotone": "There are cycles; bounds from below and above met, so these scores are the only ones that fit.",
    "none": "There are cycles; the iteration was seen to settle, but it is not proven that no other scores fit.",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A proposition that a move names: its id, its text, what it cites, and where it is on the map, if it is."""

    id: str
    content: str
    evidence: list[str]
    link: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """An entry of the transcript; `form` and `lines` are those of a move."""

    item: Item
    move: DialogueMove | None
    form: str
    lines: list[Line]
    name: str


@dataclass(frozen=True, slots=True)
class Round:
    title: str
    rows: list[Row]


@dataclass(frozen=True, slots=True)
class Store:
    """What a side held at the end, and what it took back or granted on the way."""

    name: str
    role: str
    colour: str
    commitments: list[Line]
    retracted: list[tuple[Line, str]]
    conceded: list[tuple[Line, str]]


def sections(material: Material) -> dict[str, object]:
    """What the templates of the persuasion dialogue show beside what every report has."""
    header, outcome = material.header, material.result.outcome
    context = next((one.data for one in material.entries if isinstance(one.data, SharedContext)), None)
    if header is None or context is None or not isinstance(outcome, PersuasionOutcome):
        nothing = dict.fromkeys(_PARTS)
        return {"headline": "The dialogue had not begun", "rounds": [], "stores": [], "flags": [], **nothing}
    found = outcome.framework
    written = {one.data.id: one.seq for one in material.entries if isinstance(one.data, DialogueMove)}
    return {
        "headline": headline(outcome),
        "rounds": rounds(material, found),
        "stores": [store(material, outcome, found, side) for side in SIDES],
        "flags": flags(header, outcome, found),
        "context": context,
        "outcome": outcome,
        "arguments": arguments_table(header, found) if found and found.arguments else None,
        "relations": relations_table(found) if found else None,
        "derived": derived_table(found) if found and found.derived else None,
        "semantics": semantics_table(outcome) if found else None,
        "certificate": certificate(found) if found else None,
        "extensions": extensions(found) if found else None,
        "picture": picture(header, found, written) if found else None,
        "text_map": map_text(found) if found else None,
        "verdict": outcome.verdict,
        "strongest": [_line(found, one) for one in outcome.verdict.strongest] if outcome.verdict and found else [],
        "cited": [_line(found, one) for one in outcome.verdict.cites] if outcome.verdict and found else [],
        "scores": scores_told(outcome),
        "decided": DECIDED.get(outcome.decided_by or "", ""),
        "ended": ended(outcome),
        "metrics": metrics_table(outcome),
    }


_PARTS = (
    "context",
    "outcome",
    "arguments",
    "relations",
    "derived",
    "semantics",
    "certificate",
    "extensions",
    "picture",
    "text_map",
    "verdict",
    "strongest",
    "cited",
    "scores",
    "decided",
    "ended",
    "metrics",
)


def headline(outcome: PersuasionOutcome) -> str:
    if outcome.winner is None or outcome.winning_side is None:
        return "No verdict yet" if outcome.verdict is None else "No winner"
    return f"{outcome.winner}, the {SIDES[outcome.winning_side]}, wins"


def scores_told(outcome: PersuasionOutcome) -> str:
    def told(sign: str) -> str:
        score = outcome.scores.get(sign)
        return f"s({sign}) = {score:.3f}" if score is not None else f"s({sign}): none"

    return f"{told('φ')}, {told('¬φ')}"


def ended(outcome: PersuasionOutcome) -> str | None:
    """Why it was over, if not by the last round alone."""
    if outcome.ended is None:
        return None
    return f"The dialogue ended early: {outcome.ended}." if outcome.ended_early else f"In the end {outcome.ended}."


def flags(header: Header, outcome: PersuasionOutcome, found: Framework | None) -> list[str]:
    """What speaks against taking the verdict at its word."""
    raised = []
    if outcome.verdict and outcome.verdict.failure:
        what = "The moderator’s verdict is not whole" if outcome.winner else "The moderator named no winner"
        raised.append(f"{what}: {outcome.verdict.failure}.")
    if outcome.hangs_on_semantics:
        raised.append(
            "The verdict hangs on the choice of semantics: another way to read the framework decides otherwise."
        )
    if found and not found.certificate.converged:
        raised.append("The scores did not converge: arguments around some cycle have no score.")
    elif found and not found.certificate.unique:
        raised.append("It is not proven that no other scores fit the framework.")
    if outcome.metrics and outcome.metrics.forfeited:
        raised.append(f"Turns were forfeited: {outcome.metrics.forfeited}.")
    if outcome.unknown_ids:
        listed = "; ".join(f"{', '.join(one.ids)} in {_told_place(header, one.where)}" for one in outcome.unknown_ids)
        raised.append(f"Named, and not on record (or no ids at all, but words that look like them): {listed}.")
    if outcome.verdict and outcome.verdict.unfounded:
        number = len(outcome.verdict.unfounded)
        raised.append(f"Of the concessions that the moderator names, {number} cannot be found among the moves.")
    return raised


def _told_place(header: Header, where: str) -> str:
    """Where an id was named, in words."""
    side = where.removeprefix("closing of ")
    if side in SIDES:
        return f"{_name(header, SIDES[side])}’s final statement"
    return "the verdict" if where == "verdict" else where


def rounds(material: Material, found: Framework | None) -> list[Round]:
    """The transcript by round: everything in the log, in its order."""
    known = {put.id: put for one in material.entries if isinstance(one.data, DialogueMove) for put in one.data.puts}
    on_map = {one.id for one in found.arguments} if found else set()
    names = {member.id: member.name for member in material.header.cast} if material.header else {}
    grouped: list[Round] = []
    for item in transcript(material, _described):
        title = _round_of(item.entry, grouped[-1].title if grouped else "Before the dialogue")
        if not grouped or grouped[-1].title != title:
            grouped.append(Round(title, []))
        move = item.entry.data if isinstance(item.entry.data, DialogueMove) else None
        lines = []
        if move:
            named = [move.proposition, *move.premises]
            lines = [
                Line(one, _unless_said(known[one].content, move), known[one].evidence, _place(one, on_map))
                for one in named
                if one in known
            ]
        name = names.get(SIDES[move.side], item.entry.speaker) if move else item.entry.speaker
        grouped[-1].rows.append(Row(item, move, form(move) if move else "", lines, name))
    return grouped


def _unless_said(content: str, move: DialogueMove) -> str:
    return "as said" if content == move.said else content


def _place(name: str, on_map: set[str]) -> str | None:
    """Where an argument is on the map, if it is there."""
    return f"#{anchor(name)}" if name in on_map else None


def _round_of(entry: Entry, before: str) -> str:
    data = entry.data
    if isinstance(data, FinalStatement) or entry.phase == "closing":
        return "Closing"
    if isinstance(data, DialogueMove | MoveSentBack | TurnForfeited):
        return f"Round {data.round}"
    return "Verdict and framework" if entry.phase == "verdict" else before


def form(move: DialogueMove) -> str:
    """The act in the notation of the specification, with ids."""
    match move.act:
        case "since":
            return f"{move.proposition} since {', '.join(move.premises)}"
        case "claim" if move.attack == "undercut":
            return f"claim {move.proposition}, undercutting the step to {move.counters}"
        case "claim" if move.attack:
            return f"claim {move.proposition}, rebutting {move.counters}"
        case _:
            return f"{move.act} {move.proposition}"


def _described(entry: Entry) -> Look | None:
    match entry.data:
        case SharedContext():
            return Look("context", "sets out what both sides may use, shown above")
        case DialogueMove(rule=rule):
            return Look("context" if rule else "statement", "")
        case MoveSentBack(fault=fault, move=move):
            return Look("private", f"sends back “{move}” as a {fault}")
        case TurnForfeited():
            return Look("context", "notes a forfeited turn")
        case FinalStatement():
            return Look("statement", "final statement")
        case Framework():
            return Look("context", "scores what is left, shown below")
        case DialogueJudgement():
            return Look("statement", "explains the verdict, shown below")
        case _:
            return None


def store(material: Material, outcome: PersuasionOutcome, found: Framework | None, side: str) -> Store:
    members = {member.id: member for member in material.header.cast} if material.header else {}
    member = members[SIDES[side]]
    known = {put.id: put for one in material.entries if isinstance(one.data, DialogueMove) for put in one.data.puts}
    on_map = {one.id for one in found.arguments} if found else set()

    def line(name: str) -> Line:
        return Line(name, known[name].content, known[name].evidence, _place(name, on_map))

    retracted = [(line(one.proposition), _how(one.move, one.forced)) for one in outcome.retractions if one.side == side]
    conceded = [(line(one.proposition), _how(one.move, False)) for one in outcome.concessions if one.side == side]
    held = [line(name) for name in outcome.commitments[side]]
    return Store(member.name, SIDES[side], member.colour, held, retracted, conceded)


def _how(move: str, forced: bool) -> str:
    return f"in {move}, by rule: a why was left unanswered" if forced else f"in {move}"


def arguments_table(header: Header, found: Framework) -> Table:
    names = {part: _name(header, part) for part in SIDES.values()}
    rows = [
        [one.id, one.content, f"{names[SIDES[one.side]]}, {one.move}", " ".join(one.evidence) or "none", _score(one),
         one.state, "not settled" if one.dfquad is None else f"{one.dfquad:.3f}"]
        for one in found.arguments
    ]  # fmt: skip
    return Table(["Id", "Content", "Source", "Evidence", "Score", "State", "DF-QuAD"], rows, texts=4)


def relations_table(found: Framework) -> Table:
    classified = {"support": "support", "rebut": "attack", "undercut": "attack"}
    rows = [[one.source, one.target, one.kind, classified[one.kind], one.move] for one in found.relations]
    return Table(["From", "To", "Type", "Classification", "Move"], rows, texts=5)


def derived_table(found: Framework) -> Table:
    rows = [[one.source, one.target, one.kind, f"through {one.via}"] for one in found.derived]
    return Table(["From", "To", "Derived attack", "Why"], rows, texts=4)


def semantics_table(outcome: PersuasionOutcome) -> Table:
    words = {"moot": "the specification's scores", "dfquad": "DF-QuAD scores", "grounded": "grounded extension",
             "preferred": "all preferred extensions"}  # fmt: skip
    decided = {"PRO": "proponent", "OPP": "opponent", None: "undecided"}
    rows = [[words.get(name, name), decided[side]] for name, side in outcome.by_semantics.items()]
    return Table(["Read by", "In favour of"], rows, texts=2)


def certificate(found: Framework) -> str:
    if not found.certificate.converged:
        return "The iteration did not converge; arguments without a score are marked as not settled."
    return CERTIFICATES.get(found.certificate.certificate, "")


def extensions(found: Framework) -> list[tuple[str, str]]:
    listed = [("Grounded extension of the attacks", _set(found.grounded))]
    listed += [(f"Preferred extension {number}", _set(one)) for number, one in enumerate(found.preferred, start=1)]
    return [*listed, ("Further preferred extensions", "there are more")] if found.preferred_more else listed


def _set(names: Sequence[str]) -> str:
    return f"{{{', '.join(names)}}}"


def picture(header: Header, found: Framework, written: dict[str, int]) -> Markup | None:
    """The map, each argument a link to the move that put it forward. The drawing escapes what it is given."""
    if not found.arguments:
        return None
    graph = graph_from({one.id: one.content for one in found.arguments}, found.relations)
    scores = {one.id: one.score for one in found.arguments}
    sides = {one.id: _name(header, SIDES[one.side]) for one in found.arguments}
    links = {one.id: f"#e{written[one.move]}" for one in found.arguments if one.move in written}
    # A picture that holds links is a group: as an image it would hide them from those who do not see it.
    drawn = draw(graph, scores, sides, links).replace('role="img"', 'role="group"', 1)
    return Markup(drawn)  # noqa: S704 (escaped by the drawing)


def map_text(found: Framework) -> str:
    graph = graph_from({one.id: one.content for one in found.arguments}, found.relations)
    return text_map(graph, {one.id: one.score for one in found.arguments})


def metrics_table(outcome: PersuasionOutcome) -> Table | None:
    if outcome.metrics is None:
        return None
    told = outcome.metrics.model_dump()
    attacks = told.pop("rebuts"), told.pop("undercuts")
    rows = [["attacks", f"{sum(attacks)} ({attacks[0]} rebuts, {attacks[1]} undercuts)"]]
    rows += [[name.replace("_", " "), f"{value}"] for name, value in told.items()]
    return Table(["What", "How many"], rows)


def _line(found: Framework, name: str) -> Line:
    argument = next((one for one in found.arguments if one.id == name), None)
    content = argument.content if argument else "no longer in the framework"
    return Line(name, content, argument.evidence if argument else [], f"#{anchor(name)}" if argument else None)


def _name(header: Header, part: str) -> str:
    return next((member.name for member in header.cast if member.id == part), part)


def _score(one: FrameworkArgument) -> str:
    return "not settled" if one.score is None else f"{one.score:.3f}"
