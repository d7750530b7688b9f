"""Pieces: the parts of a debate as people see them, laid out for a terminal or for a log file."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.style import Style
from rich.table import Table
from rich.text import Text

from moot.cli.wording import show
from moot.text import one_line

DIM = Style(dim=True)
LEAST_RULE = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing to show: a label and its text, which is next to it in a row and otherwise below it; `below` goes
    under both."""

    look: Literal["box", "speech", "thought", "row"]
    label: Text
    body: Text
    style: Style = DIM
    below: Sequence[RenderableType] = ()


def row(sign: str, body: Text) -> Piece:
    return Piece("row", Text.assemble((sign, body.style)), body)


def laid_out(piece: Piece) -> RenderableType:
    body = Group(*([piece.body] if piece.body else []), *piece.below)
    match piece.look:
        case "box":
            return Panel(body, title=piece.label, title_align="left", border_style=piece.style)
        case "speech":
            return Group(_Headed(piece.label, piece.style), Padding(body, (0, 2)))
        case "thought":
            return Padding(Group(piece.label, body), (0, 4, 0, 6))
        case "row":
            grid = Table.grid(padding=(0, 1, 0, 0))
            grid.add_row(piece.label, body)
            return Padding(grid, (0, 2))


@dataclass(frozen=True, slots=True)
class _Headed:
    """A heading with a rule behind it, where there is room for one."""

    label: Text
    style: Style

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        fits = self.label.cell_len + LEAST_RULE <= options.max_width
        yield Rule(self.label, align="left", style=self.style) if fits else self.label


def print_as_lines(piece: Piece, console: Console) -> None:
    """Print a piece for a log file. Every line of a text is indented, so that it cannot imitate moot's output. Texts
    are not wrapped to the width of the console, but blocks are laid out."""
    if piece.look == "row":
        show(console, Text(" ").join([piece.label, piece.body]), soft_wrap=True)
    else:
        lines = map(_indented, piece.body.split("\n") if piece.body else ())
        show(console, Text("\n").join([piece.label, *lines]), soft_wrap=True)
    for part in piece.below:
        if isinstance(part, Text):
            show(console, _indented(part), soft_wrap=True)
        else:
            show(console, Padding(part, (0, 0, 0, 4)))


def _indented(line: Text) -> Text:
    return Text("    ").append_text(line)


@dataclass(slots=True)
class Cast:
    """The participants from the header. `people` are those at this terminal."""

    styles: dict[str, Style] = field(default_factory=dict)
    people: set[str] = field(default_factory=set)

    def style_of(self, name: str) -> Style:
        return self.styles.get(name, Style(bold=True))

    def name(self, name: str) -> Text:
        return Text.assemble((one_line(name), self.style_of(name)))
