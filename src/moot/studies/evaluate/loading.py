"""Reads dataset files into fields with moot's names: JSON Lines, JSON, CSV, TSV and Parquet."""

import csv
import hashlib
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from moot.errors import ConfigError
from moot.plugins.extras import require
from moot.text.json import parse_json

MAX_FILE_BYTES = 512_000_000
MAX_UNPACKED_BYTES = 1_000_000_000
MAX_ROWS = 5_000_000
ROWS_AT_A_TIME = 100
ALIASES = {
    "question": ("question", "input", "prompt", "problem", "Question"),
    "answer": tuple("answer answers target label answerKey Answer".split()),  # noqa: SIM905 (one is also a protocol's name)
    "choices": ("choices", "options"),
    "context": ("context", "passage"),
    "id": ("id",),
    "match": ("match",),
    "tolerance": ("tolerance",),
    "unit": ("unit",),
    "category": ("category", "subject"),
    "group": ("group",),
    "shuffle": ("shuffle",),
}
"""Accepted names of each field. Two names for one field in a line are an error; other keys are ignored."""
_LISTS = {*ALIASES["choices"], *ALIASES["answer"]}
"""Columns of a table that may contain lists."""
_OPTION = re.compile(r"([A-Z])|(?:choice|option)[_ ]?([A-Z]|\d{1,2})|(?:choice|option)[_ ]([a-z])")
_WORKED = re.compile(r"^.*####\s*(\S[^\n]*)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Record:
    """One question of a file, with moot's field names. `line` counts from 1."""

    line: int
    where: str
    fields: dict[str, Any]


def read_records(path: Path) -> tuple[list[Record], str]:
    """Read the questions of a file; also return the hash of what was read."""
    if path.suffix.lower() == ".parquet":
        require("parquet")
    data = _bytes(path)
    records = [
        Record(number, where := f"{path}, line {number}", _fields(row, where)) for number, row in _rows(path, data)
    ]
    return records, hashlib.sha256(data).hexdigest()


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise ConfigError(f"{path} is larger than {MAX_FILE_BYTES:,} bytes")
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error


def _rows(path: Path, data: bytes) -> Iterator[tuple[int, Any]]:
    """The rows of a file with their line numbers."""
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        yield from enumerate(_columns(path, data), 1)
        return
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text (byte {error.start})") from error
    if suffix in (".csv", ".tsv"):
        yield from _table(path, text)
    elif suffix == ".json":
        whole = _json(text, str(path))
        if not isinstance(whole, list):
            raise ConfigError(f"{path}: should be a JSON list of questions, or JSON Lines")
        yield from enumerate(whole, 1)
    else:
        # Not splitlines, which also splits at characters that may occur in JSON strings.
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield number, _json(line, f"{path}, line {number}")


def _json(text: str, where: str) -> Any:
    try:
        return parse_json(text)
    except ValueError as error:
        raise ConfigError(f"{where}: this is not JSON: {error}") from None


def _table(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a table. Empty cells are None, and lists are written as JSON."""
    reader = csv.DictReader(
        io.StringIO(text, newline=""), delimiter="\t" if path.suffix.lower() == ".tsv" else ",", strict=True
    )
    try:
        names = list(reader.fieldnames or ())
        if twice := next((name for name in names if name and names.count(name) > 1), None):
            raise ConfigError(f"{path}: two columns are called {twice!r}")
        for row in reader:
            if None in row or None in row.values():
                raise ConfigError(f"{path}, line {reader.line_num}: has another number of cells than the header")
            found: dict[str, Any] = {key: value if value.strip() else None for key, value in row.items()}
            for name in _LISTS & found.keys():
                found[name] = _list_in(found[name], numbers=name in ALIASES["choices"])
            if tolerance := found.get("tolerance"):
                found["tolerance"] = float(tolerance)
            if (shuffle := found.get("shuffle")) is not None:
                found["shuffle"] = parse_json(shuffle.lower())
            yield reader.line_num, found
    except (csv.Error, ValueError) as error:
        raise ConfigError(f"{path}, line {reader.line_num}: {error}") from None


def _list_in(cell: str | None, *, numbers: bool) -> Any:
    """The list that a cell contains as JSON; any other cell as it is. Numbers alone may be an interval."""
    if cell is None or not cell.lstrip().startswith("["):
        return cell
    try:
        found = parse_json(cell)
    except ValueError:
        return cell
    return found if isinstance(found, list) and (numbers or any(isinstance(one, str) for one in found)) else cell


def _columns(path: Path, data: bytes) -> list[dict[str, Any]]:
    """The rows of a file in columns. Read piece by piece: a few kilobytes can unpack to gigabytes."""
    pa: Any = import_module("pyarrow")
    rows, size = list[dict[str, Any]](), 0
    try:
        for batch in _batches(path, data):
            for start in range(0, batch.num_rows, ROWS_AT_A_TIME):
                found = batch.slice(start, ROWS_AT_A_TIME).to_pylist()
                size += sum(len(value) for row in found for value in row.values() if isinstance(value, str | bytes))
                rows += found
                if size > MAX_UNPACKED_BYTES or len(rows) > MAX_ROWS:
                    raise _too_large(path)
    except (pa.ArrowException, OSError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from None
    return rows


def _too_large(path: Path) -> ConfigError:
    return ConfigError(f"{path} has more than {MAX_UNPACKED_BYTES:,} bytes, unpacked, or {MAX_ROWS:,} rows")


def _batches(path: Path, data: bytes) -> Iterator[Any]:
    file = import_module("pyarrow.parquet").ParquetFile(import_module("pyarrow").BufferReader(data))
    about = file.metadata
    sizes = [about.row_group(number).total_byte_size for number in range(about.num_row_groups)]
    if sum(sizes) > MAX_UNPACKED_BYTES or about.num_rows > MAX_ROWS:
        raise _too_large(path)
    # A long value can stand once in the file, and in every row.
    at_a_time = MAX_UNPACKED_BYTES // max(1, *sizes, MAX_UNPACKED_BYTES // ROWS_AT_A_TIME)
    yield from file.iter_batches(batch_size=at_a_time)


def _fields(row: Any, where: str) -> dict[str, Any]:
    """The fields of a line with moot's names."""
    if not isinstance(row, dict):
        raise ConfigError(f"{where}: should be a JSON object")
    found: dict[str, Any] = {}
    for field, names in ALIASES.items():
        present = [name for name in names if row.get(name) is not None]
        if len(present) > 1:
            raise ConfigError(f"{where}: has both `{present[0]}` and `{present[1]}`; which is the {field}?")
        if present:
            found[field] = row[present[0]]
    if "choices" not in found and (options := _options(row, where)):
        found["choices"] = options
    for field in ("question", "answer"):
        if field not in found:
            others = ", ".join(f"`{alias}`" for alias in ALIASES[field][1:])
            raise ConfigError(f"{where}: has no `{field}` (nor {others})")
    return _usual_forms(found)


def _options(row: Mapping[str, Any], where: str) -> list[Any]:
    """The options of a line that has a column for each: A, B, C, … or choice1, choice2, …, in the order of these names,
    not of the columns."""
    read = {name: _OPTION.fullmatch(name) for name in row if row[name] is not None}
    named = {found[found.lastindex or 0].upper(): name for name, found in read.items() if found}
    start = next((mark for mark in ("A", "B", "0", "1", "2") if mark in named), None)
    if start is not None and len(named) == 1 and sum(bool(_OPTION.fullmatch(name)) for name in row) > 1:
        raise ConfigError(f"{where}: there is only one option, {next(iter(named.values()))}")
    if start is None or len(named) < 2:
        return []
    first = ord("A") if start.isalpha() else 1 - ("0" in named)
    marks = [chr(first + place) if start.isalpha() else str(first + place) for place in range(len(named))]
    if set(marks) != set(named):
        present = ", ".join(named.values())
        raise ConfigError(f"{where}: the options should be A, B, C, … or 1, 2, 3, … without a gap, not {present}")
    return [row[named[mark]] for mark in marks]


def _usual_forms(found: dict[str, Any]) -> dict[str, Any]:
    """Convert forms of widely used datasets: options as `{text: […], label: […]}` or `{A: …, B: …}`, answers as
    `{text: […]}` or `{value: …, aliases: […]}`, or after #### at the end of a worked solution."""
    choices, answer = found.get("choices"), found["answer"]
    if isinstance(choices, Mapping) and isinstance(choices.get("text"), Sequence):
        found["choices"] = list(choices["text"])
        labels = [str(label) for label in choices.get("label", ())]
        if isinstance(answer, str) and answer in labels:
            found["answer"] = found["choices"][labels.index(answer)]
    elif isinstance(choices, Mapping) and sorted(choices) == [chr(ord("A") + place) for place in range(len(choices))]:
        found["choices"] = [choices[letter] for letter in sorted(choices)]
    if isinstance(answer, Mapping) and isinstance(answer.get("text"), list):
        found["answer"] = list(dict.fromkeys(answer["text"]))
    if isinstance(answer, Mapping) and isinstance(answer.get("aliases"), list) and "value" in answer:
        found["answer"] = list(dict.fromkeys([answer["value"], *answer["aliases"]]))
    if isinstance(answer, str) and (worked := _WORKED.match(answer)):
        found["answer"] = worked[1].strip()
    return found
