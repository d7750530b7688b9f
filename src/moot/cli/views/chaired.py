"""How a chaired debate looks in the terminal: phase and round in view, rulings and fact-checks set off."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.style import Style
from rich.text import Text

from moot import Entry
from moot.cli.pieces import DIM, Cast, Piece, row
from moot.cli.views import any_outcome, stopped
from moot.cli.words import WIDEST, clean, hanging, one_line

STEPS = {
    "topic": "is wording the topic",
    "turn": "is preparing a statement",
    "check": "is checking a source",
    "conduct": "is weighing the conduct",
    "clarify": "is clarifying",
    "questions": "is listening",
    "relay": "is choosing questions",
    "go-on": "is deciding whether to go on",
    "unresolved": "is naming what is unresolved",
    "decision": "is deciding",
    "view": "is taking stock",
    "summary": "is writing the summary",
    "post": "is writing the post",
    "post-again": "is writing the post again",
    "assessment": "is assessing the debate",
}
ALOUD = ("summary", "post", "post-again")
STATUS_STYLES = {
    "verified": "green",
    "unreliable": "yellow",
    "unreachable": "yellow",
    "unjudged": "yellow",
    "fabricated": "bold red",
}
SIGNS = {"verified": "✓", "unreliable": "!", "unreachable": "?", "unjudged": "?", "fabricated": "✗"}
OUTCOMES = {
    "affirmative_wins": "The affirmative wins.",
    "negative_wins": "The negative wins.",
    "draw": "A draw.",
    "void": "Void.",
}


class Teller:
    """Puts a chaired debate's entries into pieces."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast

    def __call__(self, entry: Entry) -> Piece | None:
        data: Any = entry.data  # of the class that goes with the entry's type
        match entry.type:
            case "announcement" if data.kind == "missing":
                return row("!", Text(one_line(entry.content), "yellow"))
            case "announcement":
                return Piece("row", Text("──", DIM), Text(clean(entry.content), "bold"))
            case "verification_result":
                sign, style = SIGNS[data.status], STATUS_STYLES[data.status]
                about = f"#{entry.target_seq} {data.status}: {one_line(data.url)}"
                return Piece("row", Text.assemble((sign, style)), Text(about, style).append(f" {self._why(data)}", DIM))
            case "ruling":
                lead = f"Ruling #{entry.seq}, rule {data.rule}: "
                return row("§", Text(lead, "yellow").append(one_line(entry.content), "not bold"))
            case "redaction":
                label = Text(f"Redacted: #{entry.target_seq}, by ruling #{entry.seq}", "bold red")
                return Piece("panel", label, Text(clean(entry.content)), Style(color="red"))
            case "conclusion":
                return Piece("panel", Text("The chair concludes"), Text(clean(entry.content)), self._style(entry))
        return self._speech(entry) if entry.speaker in ("promoter", "detractor", "audience") else None

    def _speech(self, entry: Entry) -> Piece:
        side = self._cast.sides.get(entry.speaker)
        number = getattr(entry.data, "round", None)
        about = [f"#{entry.seq}", *([side] if side else []), entry.type.replace("_", " ")]
        about += [f"round {number}"] if number else [one_line(entry.phase)]
        about += [f"answers #{entry.rebuttal_to_seq}"] if entry.rebuttal_to_seq else []
        body = Text(clean(entry.content))
        for source in entry.sources:
            body.append(f"\n↪ {one_line(source.title)}, {one_line(source.url)}", DIM)
        label = self._cast.name(entry.speaker).append(f" · {' · '.join(about)}")
        return Piece("speech", label, body, self._style(entry))

    def _style(self, entry: Entry) -> Style:
        return self._cast.style_of(entry.speaker)

    def _why(self, data: Any) -> str:
        return one_line(data.explanation)


def outcome(document: Mapping[str, Any], console: Console) -> list[RenderableType]:
    if "verification" not in document:  # it stopped before anybody was introduced
        return any_outcome(document, console)
    why, decided = stopped(document), document["outcome"]
    text = Text(OUTCOMES[decided], "bold") if decided else Text("No outcome.", "bold")
    if document["decided_by"] == "code":
        text.append(" Both sides cited fabricated sources.", "yellow")
    if why:
        text.append(f"\n{why}", "bold yellow")
    parts: list[RenderableType] = [Constrain(text, WIDEST), Text(), *_sides(document), Text()]
    for one in document["redactions"]:
        struck = f"Entry {one['seq']} of the {one['speaker']} was redacted by ruling {one['ruling']}: "
        parts.append(hanging("✗ ", Text(struck, "red").append(one_line(one["reason"]))))
    if decided:
        parts.append(Text("Documents: transcript.md, summary.md, verifier-report.md and more, beside the report.", DIM))
    return parts


def _sides(document: Mapping[str, Any]) -> list[RenderableType]:
    """A line for each debater: what stands, what was struck, and what the verifier found."""
    lines: list[RenderableType] = []
    for name, side in document["sides"].items():
        counts = side["sources"]  # of every status that there was when the debate was held
        found = [f"{counts[status]} {status}" for status in SIGNS if counts.get(status)]
        about = f"statements: {side['statements']} standing, {side['redacted']} redacted; rulings: {side['rulings']}"
        about += f"; sources: {', '.join(found) or 'none checked'}"
        lines.append(hanging(f"{one_line(name):<11}", Text(about)))
    return lines
