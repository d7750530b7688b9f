"""CSV files that are safe to open in a spreadsheet.

A spreadsheet treats a cell that begins with =, +, - or @ as a formula, and models may write anything. Such texts get an
apostrophe in front.
"""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

FORMULAS = ("=", "+", "-", "@", "\t", "\n")


def csv_file(columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([_inert(name) for name in columns])
    writer.writerows([_inert(value) for value in row] for row in rows)
    return text.getvalue()


def _inert(value: Any) -> str | int | float:
    """A cell: empty for null, JSON for composite values, and an apostrophe before texts that would be run as
    formulas."""
    if value is None:
        return ""
    if isinstance(value, bool | list):
        value = json.dumps(value, ensure_ascii=False)
    if isinstance(value, int | float):
        return value
    # The csv module does not quote a lone carriage return, which would end the line.
    text = str(value).replace("\r\n", "\n").replace("\r", "\n")
    return f"'{text}" if text.startswith(FORMULAS) else text
