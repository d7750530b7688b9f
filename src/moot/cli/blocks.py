"""Blocks in the terminal. All text is data: it goes through rich's Text and is never read as markup."""

from collections.abc import Mapping, Sequence
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from moot.cli.wording import WIDEST, clean, hanging
from moot.present import (
    Bar,
    BarChart,
    Block,
    Details,
    Document,
    Facts,
    Heading,
    Items,
    Map,
    Paragraph,
    Quote,
    ScoreChart,
    Standings,
    Table,
    Tabs,
    Verbatim,
)
from moot.present.bars import bar_in_words
from moot.report.markdown import score_rows
from moot.text import one_line

BAR = 20
LONGEST_LEAD = 20
"""Cells of a name, beside which its text still has room."""
SHADES = "█▓▒"
"""The parts of a bar: colours alone do not tell them apart everywhere."""
TONES = {"plain": "", "lead": "dim", "small": "dim", "flag": "yellow"}
DIFF = {"+": "green", "-": "red", "@": "cyan"}


def rendered(blocks: Sequence[Block], styles: Mapping[str, str]) -> list[RenderableType]:
    """The blocks for a terminal; `styles` are the colours of the agents, by name. Folded blocks are
    left out."""
    parts: list[RenderableType] = []
    apart = False
    for block in blocks:
        part = _block(block, styles)
        if part is None:
            continue
        before, apart = apart, isinstance(block, Table | Standings | ScoreChart | BarChart)
        if parts and (before or apart):
            parts.append(Text())
        parts.append(Constrain(part, WIDEST))
    return parts


def _block(block: Block, styles: Mapping[str, str]) -> RenderableType | None:  # noqa: C901
    match block:
        case Paragraph():
            return Text(one_line(block.text), TONES[block.tone])
        case Heading():
            return Text(one_line(block.text), "bold")
        case Quote():
            by = Text(f"{one_line(block.by)}:", "bold") if block.by else None
            said = Padding(Text(clean(block.text)), (0, 2))
            return Group(by, said) if by else said
        case Verbatim():
            return Padding(_diff(clean(block.text)) if block.diff else Text(clean(block.text)), (0, 2))
        case Table():
            return _table(block, styles) if block.rows else None
        case Items():
            return _items(block)
        case Facts():
            return Group(*(_fact(one_line(name), one_line(text)) for name, text in block.facts))
        case Standings():
            return _standings(block, styles)
        case ScoreChart():
            return _scores(block, styles)
        case BarChart():
            return _bars(block)
        case Map():
            # A tree with one line per argument: long lines are cut, not wrapped.
            return Padding(Text(clean(block.text), no_wrap=True, overflow="ellipsis"), (0, 2))
        case Details() | Tabs() | Document():
            return None


def _fact(name: str, text: str) -> RenderableType:
    return hanging(f"{name}: ", Text(text)) if cell_len(name) <= LONGEST_LEAD else Text(f"{name}: {text}")


def _table(block: Table, styles: Mapping[str, str]) -> RenderableType:
    grid = Grid(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for place, column in enumerate(block.columns):
        justify: Literal["left", "right"] = "left" if place < block.texts else "right"
        grid.add_column(Text(one_line(column)), justify=justify, overflow="fold")
    for row in block.rows:
        first, *rest = (one_line(cell) for cell in row)
        grid.add_row(Text(first, f"bold {styles.get(row[0], '')}".strip()), *(Text(cell) for cell in rest))
    return Padding(grid, (0, 0, 0, 2))


def _standings(block: Standings, styles: Mapping[str, str]) -> RenderableType:
    rows = [
        [one.name, one.about + (", winner" if one.won else ""), "none" if one.score is None else f"{one.score:g}"]
        for one in block.standings
    ]
    return _table(Table(["", "", block.title.lower()], rows, texts=2), styles)


def _scores(block: ScoreChart, styles: Mapping[str, str]) -> RenderableType:
    rows = zip(block.lines, score_rows(block), strict=True)
    return Group(
        *(Text(f"  {row}", styles.get(line.name, ""), no_wrap=True, overflow="ellipsis") for line, row in rows)
    )


def _items(block: Items) -> RenderableType | None:
    if not block.items:
        return Text(one_line(block.otherwise), "dim") if block.otherwise else None
    lines: list[RenderableType] = []
    for number, item in enumerate(block.items, 1):
        text = Text(f"{one_line(item.lead)} " if item.lead else "", "bold")
        refs = f" [{', '.join(map(one_line, item.refs))}]" if item.refs else ""
        text.append(f"{one_line(item.text)}{refs}", "not bold")
        if item.entries:
            text.append(f" ({', '.join(f'#{seq}' for seq in item.entries)})", "dim not bold")
        for words in filter(None, (*(words for words, _ in item.places), item.note)):
            text.append(f" ({one_line(words)})", "dim not bold")
        lines.append(hanging(f"{number}. " if block.numbered else "· ", text))
    return Group(*lines)


def _bars(chart: BarChart) -> RenderableType:
    """Bars of block characters, divided among the labels, with the share of each label in words."""
    grid = Grid.grid(padding=(0, 1, 0, 0))
    grid.add_column()
    grid.add_column(min_width=BAR + any(bar.marked is not None for bar in chart.bars))
    grid.add_column()
    for bar in chart.bars:
        grid.add_row(Text(one_line(bar.name)), _bar(bar, chart.colours), Text(one_line(bar_in_words(bar, chart))))
    parts: list[RenderableType] = [Text(one_line(chart.title), "bold"), Padding(grid, (0, 0, 0, 2))]
    return Group(*parts, *([Text(one_line(chart.caption), "dim")] if chart.caption else []))


def _bar(bar: Bar, colours: Mapping[str, str]) -> Text:
    cells: list[tuple[str, str]] = []
    # With a mark, the leading label comes first and is darker, since the mark is for it.
    marked = bar.marked is not None
    for place, (label, share) in enumerate(sorted(bar.shares.items(), key=lambda one: marked and -one[1])):
        shade = "▒" if marked and place else "█" if marked else SHADES[list(colours).index(label) % len(SHADES)]
        cells += [(shade, colours[label])] * round(float(share) * BAR)
    cells = [*cells, *[("░", "dim")] * BAR][:BAR]
    if bar.marked is not None:
        cells.insert(round(bar.marked * BAR), ("┤", "bold"))
    return Text.assemble(*cells, no_wrap=True)


def _diff(text: str) -> Text:
    lines = [Text(line, DIFF.get(line[:1], "")) for line in text.split("\n")]
    return Text("\n").join(lines)
