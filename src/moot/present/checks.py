"""Checks that a block can be drawn: each field has its declared type, and the fields fit together.

Plug-ins make blocks too. A faulty block is replaced by a line that says why, before any renderer sees it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from moot.present.blocks import Bar, BarChart, Block, Details, Paragraph, ScoreChart, Table, Tabs
from moot.text.prose import plural

WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", NoneType: "nothing"}
SLACK = 1e-9
"""How far the sum of float shares can exceed 1."""


def drawable(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, with each faulty one replaced by a line that says why."""
    listed = isinstance(blocks, Sequence) and not isinstance(blocks, str)
    return [_replace_if_faulty(block) for block in (blocks if listed else [blocks])]


def _replace_if_faulty(block: Any) -> Block:
    if not isinstance(block, Block):
        return Paragraph(f"What should stand here is no block: {block!r:.100}", "flag")
    checked: Block = _with_drawable_parts(block)
    why = fault_in(checked)
    if why is None:
        return checked
    return Paragraph(f"This block ({type(checked).__name__}) cannot be drawn: {why}", "flag")


def _with_drawable_parts(block: Block) -> Block:
    """The block, with the faulty ones among those within it replaced."""
    if isinstance(block, Details):
        return replace(block, blocks=drawable(block.blocks))
    if isinstance(block, Tabs) and isinstance(block.tabs, Sequence) and all(isinstance(x, Details) for x in block.tabs):
        return replace(block, tabs=[replace(one, blocks=drawable(one.blocks)) for one in block.tabs])
    return block


def fault_in(thing: Any) -> str | None:
    """The first fault of a block or of a part of one; None if it is fine."""
    for name, wanted, may_be_text, values in _field_types(thing.__class__):
        value = getattr(thing, name)
        if (may_be_text and type(value) is str and value.isascii()) or value in values:  # the common case
            continue
        if (why := _type_fault(value, wanted, name)) is not None:
            return why
    return _conflict(thing)


@cache
def _field_types(kind: type) -> list[tuple[str, Any, bool, tuple[Any, ...]]]:
    """Each field with its type, whether it accepts any text, and the values it can take."""
    hints = get_type_hints(kind)
    declared = []
    for one in fields(kind):
        wanted = hints[one.name]
        origin, args = _shape(wanted)
        either = origin in (Union, UnionType)
        values = args if origin is Literal else (None,) if either and NoneType in args else ()
        declared.append((one.name, wanted, wanted is str or (either and str in args), values))
    return declared


def _type_fault(value: Any, wanted: Any, place: str) -> str | None:
    """Why the value does not have the type; None if it does."""
    if wanted is str and type(value) is str and value.isascii():  # the common case
        return None
    origin, args = _shape(wanted)
    if origin in (Union, UnionType):
        if any(_type_fault(value, one, place) is None for one in args):
            return None
        return f"`{place}` should be {_type_name(wanted)}, and is {value!r:.60}"
    if not _is_a(value, origin or wanted, args):
        return f"`{place}` should be {_type_name(wanted)}, and is {value!r:.60}"
    if isinstance(value, str):
        return None if _can_be_written(value) else f"`{place}` has half a character in it"
    if args == (str,) and set(map(type, value)) <= {str} and "".join(value).isascii():  # the row of a table
        return None
    for where, part, kind in _parts(value, args, place):
        if (why := _type_fault(part, kind, where)) is not None:
            return why
    if is_dataclass(value) and (why := fault_in(value)) is not None:
        return f"`{place}`: {why}"
    return None


@cache
def _shape(wanted: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(wanted), get_args(wanted)


def _is_a(value: Any, kind: Any, args: tuple[Any, ...]) -> bool:
    if kind is Literal:
        return isinstance(value, str) and value in args
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if kind in (list, Sequence):
        return isinstance(value, Sequence) and not isinstance(value, str | bytes)
    if kind is tuple:
        return isinstance(value, Sequence) and not isinstance(value, str | bytes) and len(value) == len(args)
    return isinstance(value, kind)


def _parts(value: Any, args: tuple[Any, ...], place: str) -> list[tuple[str, Any, Any]]:
    """The elements of a list or mapping: the path of each, its value, and its expected type."""
    if isinstance(value, Mapping):
        keys = [(f"{place} (a key)", key, args[0]) for key in value]
        return keys + [(f"{place}[{key!r}]", part, args[1]) for key, part in value.items()]
    if isinstance(value, Sequence | frozenset):
        kinds = args if len(args) == len(value) else args * len(value)
        return [
            (f"{place}[{number}]", part, kind) for number, (part, kind) in enumerate(zip(value, kinds, strict=True))
        ]
    return []


def _type_name(wanted: Any) -> str:
    """A type in words."""
    origin, args = get_origin(wanted), get_args(wanted)
    if origin in (Union, UnionType):
        return " or ".join(_type_name(one) for one in args)
    if origin is Literal:
        return f"one of {', '.join(args)}"
    if origin is tuple:
        return f"a list of {len(args)}"
    kinds = {list: "a list", Sequence: "a list", dict: "a mapping", frozenset: "a frozenset"}
    return kinds.get(origin) or WORDS.get(wanted) or f"of the type {wanted.__name__}"


def _can_be_written(text: str) -> bool:
    """Whether the text can be written to a file: without half characters (lone surrogates), which JSON can spell."""
    return text.isascii() or text.encode("utf-8", "ignore") == text.encode("utf-8", "surrogatepass")


def _conflict(thing: Any) -> str | None:
    """A conflict between fields that are each valid."""
    match thing:
        case Table(columns=[]):
            return "it has no columns"
        case Table(columns=columns, rows=rows):
            for number, row in enumerate(rows, 1):
                if len(row) != len(columns):
                    cells = plural(len(row), "cell")
                    return f"it has {plural(len(columns), 'column')}, and its row {number} has {cells}"
        case Bar(shares=shares, marked=marked):
            if any(not 0 <= one <= 1 for one in (*shares.values(), marked or 0)) or sum(shares.values()) > 1 + SLACK:
                return "shares are from 0 to 1, and together at most 1"
        case BarChart(bars=bars, colours=colours):
            missing = next((label for bar in bars for label in bar.shares if label not in colours), None)
            return None if missing is None else f"it has no colour for {missing!r}"
        case ScoreChart(lines=lines, turns=turns):
            marks = [mark for line in lines for mark in line.marks]
            if any(not 1 <= mark.turn <= turns or not 0 <= (mark.score or 0) <= 10 for mark in marks):
                return f"scores are from 0 to 10, at turns from 1 to {turns}"
    return None
