"""CSV files that a spreadsheet can open without running anything in them.

It takes a cell that begins with =, +, - or @ for a formula, and models write what they like: such a text has an
apostrophe before it.
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
    """A cell: nothing for null, JSON for what is no single value, and texts that a spreadsheet would run as texts."""
    if value is None:
        return ""
    if isinstance(value, bool | list):
        value = json.dumps(value, ensure_ascii=False)
    if isinstance(value, int | float):
        return value
    # The csv module does not put a lone carriage return into quotes, and it would end the line.
    text = str(value).replace("\r\n", "\n").replace("\r", "\n")
    return f"'{text}" if text.startswith(FORMULAS) else text
