"""Rows as files: CSV and Parquet with one flat column per value, JSONL with complete rows.

JSONL and Parquet have all texts unchanged. CSV has texts changed so that no spreadsheet runs them as formulas.
"""

import json
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from moot.studies.batch.rows import Row
from moot.studies.csv_file import csv_file

Cell = str | int | float | bool | None
KINDS = {
    **dict.fromkeys(("decided", "upheld", "changed_by_debate", "correct", "first_correct"), "bool_"),
    **dict.fromkeys(("confirmed", "scores_contradict_winner", "minds_shown", "accepted"), "bool_"),
    **dict.fromkeys(("failures", "calls", "input_tokens", "output_tokens", "flips", "flips_without_evidence"), "int64"),
    **dict.fromkeys(("cost", "seconds"), "float64"),
}
"""The types of Parquet columns that are not texts; factors, answers and seeds have the types of their values."""


def flat(row: Row, factors: Sequence[str], designs: Sequence[str]) -> dict[str, Cell]:
    """One row as plain cells. Several names share a cell, in speaking order, separated by semicolons."""
    whole = row.model_dump(mode="json")
    for key in (
        "design",
        "factors",
        "contestants",
        "scores",
        "flips",
        "flags",
        "flag_texts",
        "answered_by",
        "readings",
    ):
        del whole[key]
    answer = whole.pop("answer")
    return {
        **{key: whole.pop(key) for key in ("id", "group", "unit", "protocol", "status", "reason")},
        **{f"design.{name}": row.design.get(name) for name in designs},
        **{f"factor.{name}": row.factors.get(name) for name in factors},
        **whole,
        "answer": answer,
        "flags": "; ".join(row.flags) or None,
        "answered_by": "; ".join(row.answered_by) or None,
        "personas": "; ".join(one.name for one in row.contestants) or None,
        "models": "; ".join(one.model for one in row.contestants) or None,
        "sides": "; ".join(one.side or "" for one in row.contestants).strip("; ") or None,
        "scores": _scores(row.scores),
        "flips": len(row.flips),
        "flips_without_evidence": sum(not flip.evidence for flip in row.flips),
    }


def as_table(rows: Sequence[Row]) -> list[dict[str, Cell]]:
    factors = list(dict.fromkeys(name for row in rows for name in row.factors))
    designs = list(dict.fromkeys(name for row in rows for name in row.design))
    return [flat(row, factors, designs) for row in rows]


def csv_of(rows: Sequence[Row]) -> bytes:
    table = as_table(rows)
    return csv_file(list(table[0]) if table else [], (row.values() for row in table)).encode()


def jsonl_of(rows: Sequence[Row]) -> bytes:
    return "".join(f"{row.model_dump_json()}\n" for row in rows).encode()


def parquet_of(rows: Sequence[Row]) -> bytes | None:
    """The rows as a Parquet file; None if pyarrow is not installed."""
    if find_spec("pyarrow") is None:
        return None
    pa: Any = import_module("pyarrow")
    pq: Any = import_module("pyarrow.parquet")
    table = as_table(rows)
    names = list(table[0]) if table else []
    columns = {name: _column(pa, name, [row[name] for row in table]) for name in names}
    buffer = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), buffer)
    return bytes(buffer.getvalue().to_pybytes())


def _column(pa: Any, name: str, values: list[Cell]) -> Any:
    """A column with one type, the same in every batch. Factors, answers and seeds have the type of their values; they
    are texts if the values have several types, none, or are too large for a number."""
    if not name.startswith("factor.") and name not in ("answer", "seed"):
        return pa.array(values, getattr(pa, KINDS.get(name, "string"))())
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int, float}:
        kinds, values = {float}, [None if value is None else float(value) for value in values]
    if len(kinds) != 1 or (int in kinds and any(abs(int(value or 0)) >= 2**63 for value in values)):
        kinds, values = {str}, [None if value is None else _text(value) for value in values]
    return pa.array(values, pa.string() if kinds == {str} else None)


def _scores(scores: dict[str, float | None]) -> str | None:
    return json.dumps(scores, ensure_ascii=False) if scores else None


def _text(value: Cell) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)
