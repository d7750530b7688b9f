"""The lines of a persuasion dialogue: each move with its id, act, propositions and the speaker's commitments after
it, grouped by round."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from moot.api import Entry, Header, plain_line
from moot.present import Block, Details, Facts, Item, Items, Line, Lines, Paragraph
from moot.protocols.persuasion.payloads import (
    DialogueJudgement,
    DialogueMove,
    FinalStatement,
    Framework,
    FrameworkArgument,
    MoveSentBack,
    PutProposition,
    SharedContext,
    TurnForfeited,
)
from moot.protocols.persuasion.prompts import form
from moot.protocols.persuasion.words import part_of
from moot.text.maps import anchor
from moot.text.prose import listed

STEPS = {
    "move": "is making a move",
    "look": "is looking at the move",
    "closing": "is making a final statement",
    "rationale": "is explaining the verdict",
    "findings": "is answering the question",
}
DOES = {
    "claim": "makes the claim",
    "rebut": "counters",
    "undercut": "attacks a step",
    "why": "asks why",
    "since": "gives reasons",
    "concede": "grants",
    "retract": "takes back",
}
IN_ITS_WORDS = "in the words above"
LEGEND = (
    "How to read the moves: P1, P2, … are the moves of the proponent, O1, O2, … those of the opponent. A1, A2, … are "
    "propositions, numbered as they are put forward; A1 is the claim. K1, K2, … are facts. “Holds” lists the "
    "propositions that a side is committed to after its move."
)


@dataclass(slots=True)
class _Heard:
    """The state so far: the agent of each side, the propositions, the commitments, the round."""

    names: dict[str, str] = field(default_factory=dict)
    puts: dict[str, PutProposition] = field(default_factory=dict)
    stores: dict[str, list[str]] = field(default_factory=lambda: {"PRO": [], "OPP": []})
    title: str = "Before the dialogue"


def place(entries: Sequence[Entry]) -> str:
    """The round of the latest move, or the step that follows the rounds."""
    if (phase := entries[-1].phase) in ("closing", "verdict"):
        return "the verdict" if phase == "verdict" else "the closing statements"
    rounds = next((entry.data.rounds for entry in entries if isinstance(entry.data, SharedContext)), 0)
    moves = [entry.data.round for entry in entries if isinstance(entry.data, DialogueMove)]
    return f"round {moves[-1]} of {rounds}" if moves and moves[-1] else "the opening"


def lines() -> Lines:
    """Puts a dialogue's entries into lines. Tracks the stores, to show the commitments after each move."""
    heard = _Heard()

    def line(entry: Entry) -> Line | None:
        if entry.outside:
            return None
        if isinstance(entry.data, Header):
            heard.names.update({member.id: member.name for member in entry.data.cast})
        heard.title = _title(entry, heard.title)
        return replace(_line(entry, heard) or plain_line(entry), group=heard.title)

    return line


def _title(entry: Entry, before: str) -> str:
    """The part of the dialogue that an entry belongs to."""
    if entry.phase == "closing":
        return "Closing"
    if isinstance(entry.data, DialogueMove | MoveSentBack | TurnForfeited):
        return f"Round {entry.data.round}"
    return "Verdict and framework" if entry.phase == "verdict" else before


def _line(entry: Entry, heard: _Heard) -> Line | None:
    match entry.data:
        case SharedContext():
            return Line("note", "sets out what both sides may use", text="", body=_context(entry.data))
        case DialogueMove():
            return _move(entry.data, heard, "closing" if entry.phase == "closing" else f"round {entry.data.round}")
        case MoveSentBack(fault=fault):
            return Line("private", f"sends a move back as a {fault}")
        case TurnForfeited(failure=failure):
            return Line("note", "notes a forfeited turn", text=f"{entry.content} {failure}", tone="bad")
        case FinalStatement(failure=failure):
            failed: list[Block] = [Paragraph(failure, "flag")] if failure and failure not in entry.content else []
            return Line("statement", "final statement", body=failed)
        case Framework():
            return Line("note", "scores what is left", body=[_figures(entry.data)])
        case DialogueJudgement(winner=winner):
            badge = f"{winner} wins" if winner else "No winner"
            return Line("verdict", "explains the verdict", badge)
        case _:
            return None


def _move(move: DialogueMove, heard: _Heard, when: str) -> Line:
    heard.puts.update({put.id: put for put in move.puts})
    store = heard.stores[move.side]
    store[:] = [one for one in store if one not in move.removes]
    store += [one for one in move.adds if one not in store]
    name = heard.names.get(part_of(move.side), part_of(move.side))
    does, answers = DOES[move.attack or move.act], f", answering {move.target}" if move.target else ""
    formal = Paragraph(f"{move.id}: {form(move)}{answers}. Holds {', '.join(store) or 'nothing'}", "small")
    if move.rule:
        return Line("note", f"{does} for {name}, by rule", text=move.said, body=[formal])
    body: list[Block] = [Items(_propositions(move, heard))]
    if move.failure:
        body.append(Paragraph(move.failure, "flag"))
    return Line("statement", f"{when} · {does}", text=move.said, body=[*body, formal])


def _propositions(move: DialogueMove, heard: _Heard) -> list[Item]:
    """The propositions of a move with their citations, linked to the map, and other citations of the move."""
    known = [heard.puts[one] for one in (move.proposition, *move.premises) if one in heard.puts]
    items = [
        Item(
            IN_ITS_WORDS if put.content == move.said else put.content,
            put.id,
            link=anchor(put.id),
            refs=put.evidence,
            note=irrelevance_note(put),
        )
        for put in known
    ]
    more = [one for one in move.evidence if not any(one in put.evidence for put in known)]
    return [*items, Item("", "Cites", refs=more)] if more else items


def irrelevance_note(put: PutProposition | FrameworkArgument) -> str:
    """The citations that have nothing to do with what they are cited for."""
    irrelevant = [one for one in put.evidence if one not in put.bears]
    return f"{listed(irrelevant)} {'does' if len(irrelevant) == 1 else 'do'} not bear on it" if irrelevant else ""


def _context(context: SharedContext) -> list[Block]:
    facts = [("The claim", context.proposition), ("Its denial", context.denial), ("Rounds", f"{context.rounds}")]
    if context.perspective:
        facts.append(("Weighed from the viewpoint of", context.perspective))
    facts.append(("Shared context", context.gathered or "nothing to cite"))
    known = [Items([Item(one.source, one.id, link=one.id) for one in context.facts])] if context.facts else []
    return [Facts(facts), *known, Details("How to read the ids", [Paragraph(LEGEND, "small")])]


def _figures(found: Framework) -> Paragraph:
    attacks = sum(one.kind != "support" for one in found.relations)
    settled = found.certificate.certificate if found.certificate.converged else "not converged"
    raised = len(found.arguments) + len(found.fallen)
    text = (
        f"Arguments: {len(found.arguments)} of {raised} raised; attacks: {attacks}, supports: "
        f"{len(found.relations) - attacks}, fallen relations: {len(found.fallen_relations)}; "
        f"{settled}; grounded: {', '.join(found.grounded) or 'nothing'}"
    )
    return Paragraph(text, "small")
