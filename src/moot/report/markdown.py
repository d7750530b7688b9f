"""Blocks as Markdown. All text is escaped, so untrusted text cannot become a heading, a link or a table row."""

import re
from collections.abc import Sequence

from markupsafe import Markup

from moot.present import (
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
from moot.present.bars import bar_rows
from moot.present.documents import stretches
from moot.present.markdown import inline, line, quote, table
from moot.text import one_line, printable
from moot.text.figures import bound_percent

SHORT_DOCUMENT = 40
"""Lines. A document that has no more of them is shown whole."""
_ITEM = re.compile(r"- |\d+\. ")


def markdown(blocks: Sequence[Block]) -> Markup:
    """The blocks, one below the other."""
    text = ""
    # Plain strings, because adding a string to Markup would escape it again as HTML.
    for part in filter(None, (str(_block(block)) for block in blocks)):
        # After a list, indented text would be read as Markdown in its last item.
        after_list = part.startswith("    ") and _ITEM.match(text.rpartition("\n")[2])
        text += ("\n\n\N{NO-BREAK SPACE}" if after_list else "") + ("\n\n" if text else "") + part
    return Markup(text)  # noqa: S704 (each part was escaped just now)


def _block(block: Block) -> str:  # noqa: PLR0912, C901 (one case for each kind)
    match block:
        case Paragraph():
            return f"**{inline(block.text)}**" if block.tone == "flag" else line(block.text)
        case Heading():
            return f"### {inline(block.text)}" + ("" if block.seq is None else f" (entry {block.seq})")
        case Quote():
            by = f"{line(block.by)}:\n\n" if block.by else ""
            return f"{by}{quote(block.text)}"
        case Verbatim():
            return _code(block.text)
        case Table():
            return str(table(block)) if block.rows else "None."
        case Items():
            return _items(block)
        case Facts():
            return "\n".join(f"- {line(name)}: {inline(text)}" for name, text in block.facts)
        case Details():
            return f"{line(block.summary)}:\n\n{markdown(block.blocks)}" if block.blocks else ""
        case Tabs():
            return markdown(block.tabs)
        case Standings():
            rows = [[one.name, one.about, "none" if one.score is None else f"{one.score:g}"] for one in block.standings]
            return str(table(Table(["Name", "As", block.title], rows, texts=2)))
        case ScoreChart():
            return _code("\n".join(score_rows(block)))
        case BarChart():
            return "\n\n".join(filter(None, [f"**{inline(block.title)}**", table(_bars(block)), line(block.caption)]))
        case Map():
            return _code(block.text)
        case Document():
            return _document(block)


def score_rows(chart: ScoreChart) -> list[str]:
    """The scores as rows of blocks, a column for each turn; `×` where a score is missing."""
    wide = " " if chart.turns <= 40 else ""
    names = [one_line(line.name) for line in chart.lines]
    margin = max((len(name) for name in names), default=0)
    rows = []
    for name, row in zip(names, chart.lines, strict=True):
        marks = {mark.turn: "×" if mark.score is None else "▁▂▃▄▅▆▇█"[round(mark.score * 0.7)] for mark in row.marks}
        figures = " ".join("–" if mark.score is None else f"{mark.score}" for mark in row.marks)
        bars = wide.join(marks.get(turn, " ") for turn in range(1, chart.turns + 1))
        rows.append(f"{name:{margin}}  {bars}  {figures}")
    return rows


def _bars(block: BarChart) -> Table:
    """A column for each label, for the blank part if it has a meaning, and for the marks."""
    labels, marked = list(block.colours), any(bar.marked is not None for bar in block.bars)
    rows = []
    for bar in block.bars:
        found = bar_rows(bar, block)
        percents = {row.label: row.percent for row in found if row.colour}
        blank = next((row.percent for row in found if not row.colour), "0")
        shares = [percents.get(label, "0") for label in labels] + [blank] * bool(block.blank)
        needed = ["" if bar.marked is None else f"{bound_percent(bar.marked)}%"] * marked
        rows.append([bar.name, *(f"{share}%" for share in shares), *needed])
    return Table(["", *labels, *[block.blank] * bool(block.blank), *["needs"] * marked], rows)


def _items(block: Items) -> str:
    if not block.items:
        return line(block.otherwise)
    rows = []
    for number, item in enumerate(block.items, 1):
        text = f"**{inline(item.lead)}** {inline(item.text)}" if item.lead else line(item.text)
        refs = "".join(f" \\[{inline(ref)}\\]" for ref in item.refs)
        refs += f" ({', '.join(f'entry {seq}' for seq in item.entries)})" if item.entries else ""
        note = "".join(f" ({inline(words)})" for words in (*(words for words, _ in item.places), item.note) if words)
        rows.append(f"{f'{number}.' if block.numbered else '-'} {text}{refs}{note}")
    return "\n".join(rows)


def _document(block: Document) -> str:
    """The passages of a document that are quoted, with line numbers; all of it if it is short."""
    parts = stretches(block, excerpt=True)
    short = sum(len(part.lines) for part in parts) <= SHORT_DOCUMENT
    entries = [f"Cited without a quotation in {', '.join(f'entry {seq}' for seq in block.entries)}."] * bool(
        block.entries
    )
    missing = [f"**Not found in it (entry {seq}):** {inline(quoted)}" for quoted, seq in block.missing]
    passages = []
    for part in parts:
        if not (short or part.near):
            passages.append(f"{part.name}: left out here.")
            continue
        by = sorted({seq for one in part.lines for seq in one.entries})
        passages.append(", ".join([part.name, *(f"entry {seq}" for seq in by)]) + ":")
        rows = (f"{'>' if one.quoted else ' '} {one.number}  {one.text}" for one in part.lines)
        passages.append(_code("\n".join(rows)))
    note = (
        [] if short else ["The whole text is in `config.yaml` of the run, and `report.html` shows it if it has room."]
    )
    head = [f"### {block.number} {inline(block.name)}", line(block.about), *entries, *missing]
    return "\n\n".join([*head, *passages, *note])


def _code(text: str) -> str:
    """An indented block, where Markdown interprets only line breaks."""
    return "\n".join(f"    {line}".rstrip() for line in printable(text).split("\n"))
