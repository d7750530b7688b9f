"""Rows as files: CSV with one flat column per value, JSONL with complete rows.

JSONL has all texts unchanged, CSV so that no spreadsheet runs them as formulas.
"""

import json
from collections.abc import Sequence

from moot.studies.batch.rows import Row
from moot.studies.csv_file import csv_file

Cell = str | int | float | bool | None


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
        **{key: whole.pop(key) for key in ("id", "group", "protocol", "status", "reason")},
        **{f"design.{name}": row.design.get(name) for name in designs},
        **{f"factor.{name}": row.factors.get(name) for name in factors},
        **whole,
        "answer": answer,
        "flags": "; ".join(row.flags) or None,
        "answered_by": "; ".join(row.answered_by) or None,
        "personas": "; ".join(contestant.name for contestant in row.contestants) or None,
        "models": "; ".join(contestant.model for contestant in row.contestants) or None,
        "sides": "; ".join(contestant.side or "" for contestant in row.contestants).strip("; ") or None,
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


def _scores(scores: dict[str, float | None]) -> str | None:
    return json.dumps(scores, ensure_ascii=False) if scores else None
