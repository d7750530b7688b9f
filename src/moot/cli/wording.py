"""Words, figures and colours for the terminal."""

import re
from itertools import accumulate
from typing import TypeVar

from rich.cells import cell_len
from rich.color import Color, ColorParseError
from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.table import Table
from rich.text import Text

from moot.text import cut, printable
from moot.text.figures import dollars

T = TypeVar("T", int, float)
_UNBROKEN = re.compile(r"`[^`]*`\S*|(?<=: )(?:\S*/)?(?:python -m )?moot .*|\S+")
WIDEST = 100
"""Longer lines are hard to read, however wide the console."""
PALETTE = ("cyan", "magenta", "yellow", "green", "blue", "red")


def clean(text: str) -> str:
    return printable(text).strip()


def clipped(text: str, cells: int) -> str:
    """The text in at most so many cells of the console, cut between words."""
    if cell_len(text) <= cells:
        return text
    ends = enumerate(accumulate(map(cell_len, text)))
    return f"{cut(text, next(place for place, end in ends if end > cells - 1))}…"


def colour(name: str, index: int) -> Color:
    """The colour with this name; if it is not a colour, one from the palette."""
    try:
        return Color.parse(name)
    except ColorParseError:
        return Color.parse(PALETTE[index % len(PALETTE)])


def total(*figures: T | None) -> T | None:
    """The sum; None if one of them is unknown."""
    known = [figure for figure in figures if figure is not None]
    return sum(known[1:], known[0]) if len(known) == len(figures) else None


def spending(calls: int, tokens: int | None, cost: float | None) -> str:
    counted = "tokens unknown" if tokens is None else f"{tokens:,} tokens"
    return f"{calls} call{'s' * (calls != 1)} · {counted} · {'cost unknown' if cost is None else dollars(cost)}"


def duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02} h" if hours else f"{minutes}:{rest:02} min"


def show(console: Console, renderable: RenderableType, *, soft_wrap: bool = False) -> None:
    """Print. Outside a terminal, without rich's padding, and with a ? for signs that the console's encoding lacks."""
    if console.is_terminal and console.encoding.startswith("utf"):
        console.print(renderable, soft_wrap=soft_wrap)
        return
    with console.capture() as captured:
        console.print(renderable, soft_wrap=soft_wrap)
    for line in captured.get().split("\n")[:-1]:
        console.file.write(line.rstrip().encode(console.encoding, "replace").decode(console.encoding) + "\n")
    console.file.flush()


def at_words(text: str, width: int) -> str:
    """The text in lines of that width that break between words, and not inside what is there to be copied: a command
    between backticks, or one that stands after a colon, up to the end of its line."""
    return "\n".join(line for given in text.split("\n") for line in _broken(given, width))


def _broken(text: str, width: int) -> list[str]:
    indent = text[: len(text) - len(text.lstrip())]
    lines: list[str] = []
    for word in _UNBROKEN.findall(text):
        # A name that is too long for any line is broken by the terminal in any case.
        if lines and (cell_len(f"{lines[-1]} {word}") <= width or (cell_len(word) > width and " " not in word)):
            lines[-1] += f" {word}"
        else:
            lines.append(f"{indent}{word}")
    return lines or [""]


def say(console: Console, text: str, style: str = "") -> None:
    """Print a sentence: on a terminal in lines that break between words, elsewhere in one line."""
    told = printable(text)
    show(console, Text(at_words(told, console.width) if console.is_terminal else told, style), soft_wrap=True)


def hanging(lead: str | Text, text: Text) -> RenderableType:
    """Text whose further lines are aligned with its first, to the right of the lead."""
    grid = Table.grid()
    grid.add_column(no_wrap=True)
    grid.add_column()
    grid.add_row(Text(lead, text.style) if isinstance(lead, str) else lead, text)
    return Constrain(grid, WIDEST)
