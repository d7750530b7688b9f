"""Checks that a block can be drawn: each field has its declared type, and the fields fit together.

Plug-ins make blocks too. A faulty block is replaced by a line that says why, before any renderer sees it.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from moot.present.blocks import BarChart, Block, Details, Paragraph, ScoreChart, Section, Table, Tabs
from moot.present.lines import Line
from moot.text.prose import plural

T = TypeVar("T", bound=Block | Line | Section)
SLACK = 1e-9
"""How far the sum of float shares can exceed 1."""
# A text with half a character (a lone surrogate) can be written to no file, and is refused only where a length is set.
_RULES = ConfigDict(
    revalidate_instances="always", allow_inf_nan=False, str_max_length=sys.maxsize, coerce_numbers_to_str=True
)


def drawable(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, with each faulty one replaced by a line that says why."""
    listed = isinstance(blocks, Sequence) and not isinstance(blocks, str)
    return [_replace_if_faulty(block) for block in (blocks if listed else [blocks])]


def _replace_if_faulty(block: Any) -> Block:
    if not isinstance(block, Block):
        return Paragraph(f"What should stand here is no block: {block!r:.100}", "flag")
    try:
        made: Block = checked(block)
    except ValueError as error:
        return Paragraph(f"This block ({type(block).__name__}) cannot be drawn: {error}", "flag")
    return made


def checked(thing: T) -> T:
    """A block, line or section with fields of their declared types. Each faulty block within it is replaced by a line.
    A ValueError says why it cannot be drawn."""
    made = _with_drawable_parts(thing)
    try:
        valid: T = _adapter(made.__class__).validate_python(made)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = ".".join(map(str, fault["loc"]))
        message = fault["msg"].removeprefix("Input ")
        raise ValueError(f"`{place}`: {message}, and is {fault['input']!r:.60}") from None
    if conflict := _conflict(valid):
        raise ValueError(conflict)
    return valid


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind | None, config=_RULES)  # for a dataclass alone, pydantic takes no rules


def _with_drawable_parts(thing: Any) -> Any:
    match thing:
        case Details() | Section():
            return replace(thing, blocks=drawable(thing.blocks))
        case Line(body=body) if body:
            return replace(thing, body=drawable(body))
        case Tabs(tabs=[*tabs]) if all(isinstance(tab, Details) for tab in tabs):
            return replace(thing, tabs=[_with_drawable_parts(tab) for tab in tabs])
    return thing


def _conflict(block: Any) -> str | None:
    """A conflict between fields that are each valid."""
    match block:
        case Table(columns=[]):
            return "it has no columns"
        case Table(columns=columns, rows=rows):
            for number, row in enumerate(rows, 1):
                if len(row) != len(columns):
                    cells = plural(len(row), "cell")
                    return f"it has {plural(len(columns), 'column')}, and its row {number} has {cells}"
        case BarChart(bars=bars, colours=colours):
            for bar in bars:
                shares = bar.shares.values()
                if any(not 0 <= share <= 1 for share in (*shares, bar.marked or 0)) or sum(shares) > 1 + SLACK:
                    return f"the shares of {bar.name!r} should be from 0 to 1, and together at most 1"
            missing = next((label for bar in bars for label in bar.shares if label not in colours), None)
            return None if missing is None else f"it has no colour for {missing!r}"
        case ScoreChart(lines=lines, turns=turns):
            marks = [mark for line in lines for mark in line.marks]
            if any(not 1 <= mark.turn <= turns or not 0 <= (mark.score or 0) <= 10 for mark in marks):
                return f"scores are from 0 to 10, at turns from 1 to {turns}"
    return None
