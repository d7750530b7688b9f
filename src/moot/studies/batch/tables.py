"""Rows as CSV with one flat column per value, whose texts no spreadsheet runs as formulas."""

import json
from collections.abc import Sequence
from typing import Any

from moot.studies.batch.rows import Row
from moot.studies.csv_file import csv_file

NESTED = {"design", "factors", "contestants", "scores", "flips", "flags", "flag_texts", "answered_by", "readings"}


def _flat(row: Row, factors: Sequence[str], designs: Sequence[str]) -> dict[str, Any]:
    """One row as plain cells. Several names share a cell, in speaking order, separated by semicolons."""
    whole = row.model_dump(mode="json", exclude=NESTED)
    return {
        **{key: whole.pop(key) for key in ("id", "group", "protocol", "status", "reason")},
        **{f"design.{name}": row.design.get(name) for name in designs},
        **{f"factor.{name}": row.factors.get(name) for name in factors},
        **whole,
        "flags": "; ".join(row.flags),
        "answered_by": "; ".join(row.answered_by),
        "personas": "; ".join(contestant.name for contestant in row.contestants),
        "models": "; ".join(contestant.model for contestant in row.contestants),
        "sides": "; ".join(contestant.side or "" for contestant in row.contestants).strip("; "),
        "scores": json.dumps(row.scores, ensure_ascii=False) if row.scores else None,
        "flips": len(row.flips),
        "flips_without_evidence": sum(not flip.evidence for flip in row.flips),
    }


def csv_of(rows: Sequence[Row]) -> str:
    factors = list(dict.fromkeys(name for row in rows for name in row.factors))
    designs = list(dict.fromkeys(name for row in rows for name in row.design))
    table = [_flat(row, factors, designs) for row in rows]
    return csv_file(list(table[0]) if table else [], (row.values() for row in table))
