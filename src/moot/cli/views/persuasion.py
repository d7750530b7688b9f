"""How a persuasion dialogue looks in the terminal: its moves and stores while it runs, and what it came to."""

from collections.abc import Mapping
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
from moot.cli.words import WIDEST, clean, one_line

STEPS = {
    "choose": "is choosing a move",
    "move": "is making a move",
    "look": "is looking at the move",
    "closing": "is making a final statement",
    "winner": "is naming the winner",
    "rationale": "is explaining the verdict",
    "findings": "is looking for common ground",
}
ALOUD = ()
"""Replies are structured, so none is shown as it comes."""
SIDES = {"PRO": "proponent", "OPP": "opponent"}
STATES = {"above": "green", "below": "red", "level": "dim", "untouched": "dim", "unsettled": "yellow"}
LONGEST_CELL = 90


class Teller:
    """Puts the entries of a persuasion dialogue into pieces. Keeps the stores, to show them after each move."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast
        self._stores: dict[str, list[str]] = {"PRO": [], "OPP": []}

    def __call__(self, entry: Entry) -> Piece | None:
        data: Any = entry.data  # of the class that goes with the entry's type
        match entry.type if data else "":
            case "context":
                return self._context(data)
            case "move":
                return self._move(entry, data)
            case "sent_back":
                text = Text(f"{one_line(entry.speaker)} sends back a {data.fault}: {one_line(data.reason)}", "yellow")
                return row("↻", text)
            case "forfeit":
                return row("✗", Text(f"{one_line(entry.content)} {one_line(data.failure)}", "yellow"))
            case "final_statement":
                label = self._cast.name(entry.speaker).append(" · final statement")
                body = Text("\n").join([Text(clean(entry.content)), *_marked(data)])
                return Piece("speech", label, body, self._cast.style_of(entry.speaker))
            case "framework":
                return Piece("panel", Text("Scores"), Text("\n").join(self._framework(entry, data)), Style())
            case "judgement":
                label = Text("Verdict of ").append_text(self._cast.name(entry.speaker))
                body = Text("\n").join([Text(clean(entry.content)), *_marked(data)])
                return Piece("panel", label, body, self._cast.style_of(entry.speaker))
        return None

    def _context(self, context: Any) -> Piece:
        lines = [Text(f"φ   {clean(context.proposition)}"), Text(f"¬φ  {clean(context.denial)}")]
        if context.perspective:
            lines.append(Text(f"Weighed from the viewpoint of: {one_line(context.perspective)}"))
        lines.append(Text(f"Shared context: {context.gathered or 'no facts'}", DIM))
        lines += [Text(f"{one.id}  {one_line(one.source)}", DIM) for one in context.facts]
        return Piece("panel", Text(f"persuasion · rounds: {context.rounds}"), Text("\n").join(lines), Style())

    def _move(self, entry: Entry, move: Any) -> Piece:
        store = self._stores[move.side]
        store[:] = [one for one in store if one not in move.removes]
        store += [one for one in move.adds if one not in store]
        if move.rule:
            return row("·", Text(f"{move.id} {_form(move)} · by rule, for the {SIDES[move.side]}", DIM))
        answers = f" · answers {move.target}" if move.target else ""
        label = self._cast.name(entry.speaker).append(f" · round {move.round} · {move.id}: {_form(move)}{answers}")
        lines = [Text(clean(move.said))]
        for put in move.puts:
            cited = f" [{', '.join(put.evidence)}]" if put.evidence else ""
            if put.id != move.proposition or put.content.strip() != move.said.strip():
                lines.append(Text(f"{put.id}  {clean(put.content)}{cited}"))
        lines += [*_marked(move), Text(f"holds {', '.join(store) or 'nothing'}", DIM)]
        return Piece("speech", label, Text("\n").join(lines), self._cast.style_of(entry.speaker))

    def _framework(self, entry: Entry, found: Any) -> list[Text]:
        lines = [Text(clean(entry.content), "bold"), Text()]
        for one in found.arguments:
            score = "  –  " if one.score is None else f"{one.score:.3f}"
            line = Text(f"{one.id:>4}  ").append(score, STATES[one.state]).append(f"  {SIDES[one.side]:9}  ", DIM)
            lines.append(line.append(one_line(one.content)))
        attacks = [one for one in found.relations if one.kind != "support"]
        told = f"attacks: {len(attacks)}, supports: {len(found.relations) - len(attacks)}"
        certain = found.certificate.certificate if found.certificate.converged else "not converged"
        return [*lines, Text(), Text(f"{told} · {certain} · grounded: {', '.join(found.grounded) or 'nothing'}", DIM)]


def _marked(data: Any) -> list[Text]:
    """The ids in a text that name nothing on record, where there are any."""
    return [Text(f"not on record: {', '.join(data.unknown)}", "yellow")] if data.unknown else []


def _form(move: Any) -> str:
    if move.act == "since":
        return f"{move.proposition} since {', '.join(move.premises)}"
    if move.attack:
        against = f"the step to {move.counters}" if move.attack == "undercut" else move.counters
        return f"claim {move.proposition}, against {against}"
    return f"{move.act} {move.proposition}"


def outcome(document: Mapping[str, Any], console: Console) -> list[RenderableType]:
    if not document.get("framework"):  # it stopped before anything was said
        return any_outcome(document, console)
    parts: list[RenderableType] = []
    if why := stopped(document):
        parts.append(Text(why, "bold yellow"))
    parts.append(Constrain(_headline(document), WIDEST))
    if (verdict := document["verdict"]) is not None:
        parts += [Text(), Constrain(Text(clean(verdict["rationale"])), WIDEST)]
        for title, key in (("Consensus", "consensus"), ("Valid points of the losing side", "valid_points"),
                           ("Nobody addressed", "open_questions"), ("Take it up again", "revisit")):  # fmt: skip
            parts += _list(title, verdict[key])
    return [*parts, Text(), _arguments(document), Text()]


def _headline(document: Mapping[str, Any]) -> Text:
    figures = ", ".join(
        f"s({sign}) = {'none' if score is None else f'{score:.3f}'}" for sign, score in document["scores"].items()
    )
    verdict = document["verdict"]
    if document["winner"] is None and verdict is not None:
        why = f": {one_line(verdict['failure'])}" if verdict["failure"] else ""
        return Text(f"No winner. The rules leave it to the moderator, who named none{why}. ", "bold").append(
            f"{figures}.", "not bold"
        )
    if document["winner"] is None:
        return Text("No verdict. ", "bold").append(f"So far {figures}.", "not bold")
    text = Text(f"{one_line(document['winner'])} wins, by {document['decided_by']}. ", "bold")
    text.append(f"{figures}.", "not bold")
    if document["ended"]:
        how = "It ended early:" if document["ended_early"] else "In the end"
        text.append(f" {how} {one_line(document['ended'])}.", "not bold")
    if document["hangs_on_semantics"]:
        text.append(" Another semantics would decide otherwise.", "not bold yellow")
    if unknown := dict.fromkeys(name for one in document["unknown_ids"] for name in one["ids"]):
        text.append(f" Named, and not on record: {', '.join(unknown)}.", "not bold yellow")
    return text


def _list(title: str, given: Any) -> list[RenderableType]:
    lines = [given] if isinstance(given, str) else list(given or [])
    if not lines:
        return []
    body = Text("\n").join(Text(f"- {one_line(one)}" if len(lines) > 1 else clean(one)) for one in lines)
    return [Text(), Text(title, "bold"), Constrain(Padding(body, (0, 0, 0, 2)), WIDEST)]


def _arguments(document: Mapping[str, Any]) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in ("Argument", "Score", "DF-QuAD", "Side", "Content"):
        table.add_column(column, justify="right" if column in ("Score", "DF-QuAD") else "left")
    for one in document["framework"]["arguments"]:
        figures = [Text("–") if one[key] is None else Text(f"{one[key]:.3f}") for key in ("score", "dfquad")]
        figures[0].stylize(STATES[one["state"]])
        content = one_line(one["content"])
        content = content if len(content) <= LONGEST_CELL else content[: LONGEST_CELL - 1] + "…"
        table.add_row(Text(one["id"]), *figures, Text(SIDES[one["side"]]), Text(content))
    return Constrain(Padding(table, (0, 0, 0, 2)), WIDEST)
