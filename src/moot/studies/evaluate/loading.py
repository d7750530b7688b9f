"""Reads dataset files into fields with moot's names: JSON Lines, JSON, CSV, TSV, Parquet, Arrow, and folders of these,
such as a local copy of a dataset from the Hugging Face hub."""

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from moot.errors import ConfigError
from moot.plugins.extras import require

MAX_FILE_BYTES = 512_000_000
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
}
"""Accepted names of each field. Two names for one field in a line are an error; other keys are ignored."""
_SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".arrow")
_COLUMNS = (".parquet", ".arrow")
_WORKED = re.compile(r"^.*####\s*(\S[^\n]*)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Record:
    """One question of a file, with moot's field names. `line` counts from 1 over all files of a dataset."""

    line: int
    where: str
    fields: dict[str, Any]


def read_records(path: Path, split: str | None = None) -> tuple[list[Record], str]:
    """Read the questions of a file or a folder of files; also return the hash of what was read. For a folder, `split`
    is the part to read, such as test."""
    files = _files(path, split)
    digest = hashlib.sha256()
    records: list[Record] = []
    if any(file.suffix in _COLUMNS for file in files):
        require("parquet")
    for file in files:
        data = _bytes(file)
        digest.update(data if len(files) == 1 else hashlib.sha256(data).digest())
        for number, row in _rows(file, data):
            where = f"{file}, line {number}"
            records.append(Record(len(records) + 1 if len(files) > 1 else number, where, _fields(row, where)))
    return records, digest.hexdigest()


def _files(path: Path, split: str | None) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(one for one in path.rglob("*") if one.suffix in _SUFFIXES and one.is_file())
    named = [
        one for one in found if split is None or re.match(rf"{re.escape(split)}\b", one.name) or split in one.parts
    ]
    if not named:
        raise ConfigError(f"{path} holds no file of a dataset{f' for the split {split}' if split else ''}")
    splits = {re.split(r"[-._]", one.name)[0] for one in named}
    if len(splits) > 1:
        told = ", ".join(sorted(splits))
        raise ConfigError(f"{path} holds several files ({told}); choose one with --split, or name the file")
    return named


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise ConfigError(f"{path} is larger than {MAX_FILE_BYTES:,} bytes")
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error


def _rows(path: Path, data: bytes) -> Iterator[tuple[int, Any]]:
    """The rows of a file with their line numbers."""
    if path.suffix in _COLUMNS:
        yield from enumerate(_columns(path, data), 1)
        return
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text (byte {error.start})") from error
    if path.suffix in (".csv", ".tsv"):
        yield from _table(path, text)
    elif path.suffix == ".json":
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
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{where}: this is not JSON: {error}") from None


def _table(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a table. Columns A, B, C, … and choice1, choice2, … are options."""
    reader = csv.DictReader(
        io.StringIO(text, newline=""), delimiter="\t" if path.suffix == ".tsv" else ",", strict=True
    )
    names = [name for name in reader.fieldnames or [] if re.fullmatch(r"[A-Z]|(?:choice|option)[_ ]?\w", name)]
    try:
        for row in reader:
            if None in row or None in row.values():
                raise ConfigError(f"{path}, line {reader.line_num}: has another number of cells than the header")
            found: dict[str, Any] = {key: value for key, value in row.items() if value and key not in names}
            if options := [row[name] for name in names if row[name]]:
                found["choices"] = options
            elif found.get("choices", "").startswith("["):
                found["choices"] = _json(found["choices"], f"{path}, line {reader.line_num}: choices")
            if tolerance := found.get("tolerance"):
                found["tolerance"] = float(tolerance)
            yield reader.line_num, found
    except (csv.Error, ValueError) as error:
        raise ConfigError(f"{path}, line {reader.line_num}: {error}") from None


def _columns(path: Path, data: bytes) -> list[dict[str, Any]]:
    pa: Any = import_module("pyarrow")
    try:
        if path.suffix == ".parquet":
            return list(import_module("pyarrow.parquet").read_table(pa.BufferReader(data)).to_pylist())
        try:
            return list(pa.ipc.open_stream(data).read_all().to_pylist())
        except pa.ArrowInvalid:
            return list(pa.ipc.open_file(data).read_all().to_pylist())
    except pa.ArrowInvalid as error:
        raise ConfigError(f"{path} cannot be read: {error}") from None


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
    for field in ("question", "answer"):
        if field not in found:
            others = ", ".join(f"`{one}`" for one in ALIASES[field][1:])
            raise ConfigError(f"{where}: has no `{field}` (nor {others})")
    return _usual_forms(found)


def _usual_forms(found: dict[str, Any]) -> dict[str, Any]:
    """Convert forms of widely used datasets: options as `{text: […], label: […]}`, answers as `{text: […]}` or after
    #### at the end of a worked solution."""
    choices, answer = found.get("choices"), found["answer"]
    if isinstance(choices, Mapping) and isinstance(choices.get("text"), Sequence):
        found["choices"] = list(choices["text"])
        labels = [str(one) for one in choices.get("label", ())]
        if isinstance(answer, str) and answer in labels:
            found["answer"] = found["choices"][labels.index(answer)]
    if isinstance(answer, Mapping) and isinstance(answer.get("text"), list):
        found["answer"] = list(dict.fromkeys(answer["text"]))
    if isinstance(answer, str) and (worked := _WORKED.match(answer)):
        found["answer"] = worked[1].strip()
    return found
