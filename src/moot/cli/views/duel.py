"""How a duel looks in the terminal: its entries while it runs, and what it came to."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from moot import Entry
from moot.cli.pieces import DIM, Cast, Piece
from moot.cli.views import any_outcome, stopped
from moot.cli.words import PALETTE, WIDEST, clean, one_line
from moot.figures import level

MOST_ROWS = 8
MARKS = (("●", "─", PALETTE[0]), ("◆", "┄", PALETTE[1]))
"""For each debater: what marks a score, what holds it until the next, and a colour."""
MOVEMENT = {1: (" ▲", "green"), 0: (" =", "dim"), -1: (" ▼", "red")}
STEPS = {
    "plan": "is planning",
    "think": "is thinking",
    "turn": "is speaking",
    "evaluate": "is weighing",
    "score": "is scoring",
    "deliberate": "is deliberating",
    "confirm": "is naming the winner",
    "extract": "is putting it into figures",
    "announce": "is announcing the verdict",
}
ALOUD = ("turn", "announce")


class Teller:
    """Puts a duel's entries into pieces. Remembers the scores, so that the next can show where it came from."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast
        self._scores: dict[str, int] = {}

    def __call__(self, entry: Entry) -> Piece | None:
        data: Any = entry.data  # of the class that goes with the entry's type
        match entry.type:
            case "turn":
                return self._statement(entry, data.turn)
            case "score":
                return self._score(data)
            case "verdict":
                return self._verdict(entry, data)
            case "plan" | "think":
                label = self._cast.name(entry.speaker).append(f" {entry.type}s", "italic dim")
                return Piece("thought", label, Text(clean(entry.content), DIM))
        return None

    def _statement(self, entry: Entry, turn: int) -> Piece:
        side = self._cast.sides.get(entry.speaker)
        about = (f" · {side}" if side else "") + f" · turn {turn} of {self._cast.turns} · {one_line(entry.phase)}"
        label = self._cast.name(entry.speaker).append(about)
        return Piece("speech", label, Text(clean(entry.content)), self._cast.style_of(entry.speaker))

    def _score(self, score: Any) -> Piece:
        before = self._scores.get(score.of)
        label = self._cast.name(score.of).append(" ")
        if before is not None:
            label.append(f"{before} → ")
        if score.score is None:
            reason = f"no score: {one_line(score.failure or 'no reason is given')}"
            return Piece("row", label.append("? "), Text(reason, "yellow"))
        self._scores[score.of] = score.score
        label.append(f"{score.score}")
        if before is not None:
            label.append(*MOVEMENT[(score.score > before) - (score.score < before)])
        return Piece("row", label.append(" "), Text(one_line(score.reasoning or ""), DIM))

    def _verdict(self, entry: Entry, verdict: Any) -> Piece:
        style = self._cast.style_of(verdict.winner) if verdict.winner else Style(bold=True)
        lines = [Text(winner_line(verdict.winner, verdict.scores), style)]
        if verdict.premise_upheld is not None:
            lines.append(Text(f"The premise is {'' if verdict.premise_upheld else 'not '}upheld."))
        if odd := _odd_scores(verdict.winner, verdict.scores, verdict.scores_contradict_winner):
            lines.append(Text(odd, "yellow"))
        if verdict.winner and not verdict.confirmed:
            lines.append(Text("The judge did not confirm the winner by name.", "yellow"))
        if verdict.failure:
            lines.append(Text(f"{_stand_in(verdict.scores)} ({one_line(verdict.failure)}).", "yellow"))
        lines.append(Text(f"\n{clean(entry.content)}"))
        label = Text("Verdict of ").append_text(self._cast.name(entry.speaker))
        return Piece("panel", label, Text("\n").join(lines), self._cast.style_of(entry.speaker))


def outcome(document: Mapping[str, Any], console: Console) -> list[RenderableType]:
    if "running_scores" not in document:  # it stopped before anybody was introduced
        return any_outcome(document, console)
    parts: list[RenderableType] = [Constrain(_verdict(document), WIDEST)]
    running: dict[str, list[int | None]] = document["running_scores"]
    if any(score is not None for scores in running.values() for score in scores):
        parts += [Text(), _score_table(document), Text(), *score_chart(running, min(console.width, WIDEST)), Text()]
        parts.append(Constrain(_first_impressions(document), WIDEST))
    return [*parts, Text()]


def _verdict(document: Mapping[str, Any]) -> Text:
    judged, winner = document["first_impressions"] is not None, document["winner"]
    why = stopped(document)
    decided = winner is not None or document["reasoning"] is not None
    text = Text()
    if decided:
        text.append(winner_line(winner, document["scores"]), "bold")
    elif not why:
        text.append("No verdict: " + ("the judge gave none." if judged else "this debate had no judge."), "bold")
    if document["premise_upheld"] is not None:
        text.append(f" The premise is {'' if document['premise_upheld'] else 'not '}upheld: ")
        text.append(one_line(document["premise"] or ""), "italic")
    if winner is not None and not document["confirmed"]:
        text.append("\nThe judge did not confirm the winner by name.", "yellow")
    if odd := _odd_scores(winner, document["scores"], document["scores_contradict_winner"]):
        text.append(f"\n{odd}", "yellow")
    if decided and document["scores_from"] == "running":
        text.append(f"\n{_stand_in(document['scores'])}.", "yellow")
    if why:
        text.append(("\n" if text else "No verdict. ") + why, "bold yellow")
    return text


def _score_table(document: Mapping[str, Any]) -> RenderableType:
    running, first = document["running_scores"], document["first_impressions"] or {"scores": {}}
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("")
    for heading in ("first score", "running score", "final score"):
        table.add_column(heading, justify="right")
    for (mark, _, colour), (name, scores) in zip(MARKS, running.items(), strict=False):
        known = [score for score in scores if score is not None]
        figures = (first["scores"].get(name), known[-1] if known else None, document["scores"].get(name))
        cells = [Text("none" if figure is None else str(figure)) for figure in figures]
        table.add_row(Text(f"{mark} {one_line(name)}", f"bold {colour}"), *cells)
    return Constrain(Padding(table, (0, 0, 0, 2)), WIDEST)


def _first_impressions(document: Mapping[str, Any]) -> Text:
    """Whether the debate changed anything."""
    first = document["first_impressions"]
    figures = _figures(first["winner"], first["scores"])
    if first["winner"] is None:
        alone = f"First impressions alone would have decided nothing ({figures})"
    else:
        alone = f"First impressions alone would have made {one_line(first['winner'])} the winner ({figures})"
    if None in first["scores"].values():
        return Text(f"A first score is missing ({figures}), so nobody can say whether the debate changed anything.")
    if first["changed"] is None and document["winner"] is not None:
        return Text(f"{alone}; the debate decided.")
    if first["changed"] is None:
        return Text(f"{alone}; there is no verdict to set against that.")
    if first["changed"]:
        return Text("The debate made a difference. ", "bold").append(f"{alone}.", "not bold")
    return Text("The debate did not change the outcome. ", "bold").append(f"{alone}, too.", "not bold")


def score_chart(running: Mapping[str, Sequence[int | None]], width: int) -> list[Text]:
    """The running scores over the turns, as rows of text. A score holds until its speaker's next turn.

    The debaters alternate, the first of them opening, so no two scores share a column. Where both hold the
    same score the line is double; a turn without a score has a question mark below. Early turns are left out
    when there is no room for all.
    """
    known = [score for scores in running.values() for score in scores if score is not None]
    top, step = max(known), (max(known) - min(known)) // MOST_ROWS + 1
    levels = range(top, min(known) - 1, -step)
    turns = max(len(running) * (len(scores) - 1) + index + 1 for index, scores in enumerate(running.values()))
    axis = [str(turn) for turn in range(1, turns + 1)]
    column = max(len(axis[-1]) + 2, min(10, (width - 10) // turns))
    grid = [[(" ", "")] * (column * turns) for _ in levels]
    for index, (mark, scores) in enumerate(zip(MARKS, running.values(), strict=False)):
        held: int | None = None
        for turn, score in zip(range(index, turns, len(running)), scores, strict=False):
            if score is None:
                axis[turn] += "?"
            held = held if score is None else score
            if held is not None:
                row, length = grid[(top - held) // step], column * len(running)
                _draw(row, turn * column, length, mark, "" if score is None else str(score))
    first = max(0, turns - (width - 10) // column)
    labels = [f"{level}" if step == 1 or level == 0 else f"{max(level - step + 1, 0)}-{level}" for level in levels]
    rows = [
        Text.assemble((f"{label:>6} ┤", "dim"), *row[first * column :]) for label, row in zip(labels, grid, strict=True)
    ]
    return [*rows, Text("  turn └" + "".join(label.ljust(column, "─") for label in axis[first:]), "dim")]


def _draw(row: list[tuple[str, str]], start: int, length: int, mark: tuple[str, str, str], score: str) -> None:
    """Put a score into a row of the chart, and the line that holds it."""
    sign, line, colour = mark
    for place in range(start, min(start + length, len(row))):
        if row[place][0] == " ":
            row[place] = (line, colour)
        elif row[place][0] in "─┄":
            row[place] = ("═", "")
    for place, letter in enumerate(f"{sign}{score}" if score else "", start):
        row[place] = (letter, f"bold {colour}")


def winner_line(winner: str | None, scores: Mapping[str, int | None]) -> str:
    """Who won and by what, as far as that is known."""
    if winner is None:
        return "No winner: the judge's replies do not establish one."
    return f"{one_line(winner)} wins" + ("." if None in scores.values() else f", {_figures(winner, scores)}.")


def _odd_scores(winner: str | None, scores: Mapping[str, int | None], contradict: bool) -> str:
    """What there is to know of scores that do not bear out the winner."""
    if contradict:
        return "The scores contradict the winner: the judge gave the other more."
    if winner is not None and level(scores):
        return "The scores are level: the winner is whom the judge named."
    return ""


def _stand_in(scores: Mapping[str, int | None]) -> str:
    """What there is in place of final scores."""
    if any(score is not None for score in scores.values()):
        return "The final scores are the last running ones: the judge gave no others"
    return "There are no scores: the judge gave neither final nor running ones"


def _figures(winner: str | None, scores: Mapping[str, int | None]) -> str:
    """The scores, the winner's first."""
    ordered = sorted(scores, key=lambda name: name != winner)
    return " to ".join("none" if scores[name] is None else str(scores[name]) for name in ordered)
