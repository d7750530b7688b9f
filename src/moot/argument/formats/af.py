"""ICCMA's numeric format (editions from 2021): `p af N`, then one attack `i j` per line; # starts a comment line.

Arguments are the numbers 1 to N. Other names are numbered in order when written, and reported as a loss.
"""

import re

import numpy as np
from numpy.typing import NDArray

from moot.argument.formats.base import FormatError, line_of, list_losses, quoted
from moot.argument.graph import Graph

MOST_ARGUMENTS = 10_000_000
"""The header alone creates this many names, and one line of text must not use all memory."""
MOST_DIGITS = 9
_HEADER = re.compile(r"(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*p[ \t]+af[ \t]+(\d+)[ \t\r]*(?:\n|\Z)", re.ASCII)
_COMMENT = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)


def read(text: str) -> Graph:
    header = _HEADER.match(text)
    if not header:
        raise FormatError("the first line that is no comment has to be: p af <number of arguments>", _first_line(text))
    count = int(header[1]) if len(header[1]) < 12 else MOST_ARGUMENTS + 1
    line = line_of(text, header.start(1))
    if count > MOST_ARGUMENTS:
        raise FormatError(f"more than {MOST_ARGUMENTS:,} arguments", line)
    body = text[header.end() :]
    if "#" in body:
        body = _COMMENT.sub("", body)
    values, lines = _numbers(body, line + 1)
    if values.size and not (values.min() >= 1 and values.max() <= count):
        wrong = int(np.flatnonzero((values < 1) | (values > count))[0])
        raise FormatError(f"there is no argument {values[wrong]} among the {count}", int(lines[wrong]))
    return Graph.numbered(map(str, range(1, count + 1)), values.reshape(-1, 2) - 1)


def write(graph: Graph) -> str:
    attacks = "".join([f"{source} {target}\n" for source, target in (graph.attacks + 1).tolist()])
    return f"p af {len(graph)}\n{attacks}"


def losses(graph: Graph) -> list[str]:
    numbered = all(name == str(number) for number, name in enumerate(graph.names, 1))
    return [*([] if numbered else ["names (they become 1, 2, 3…)"]), *list_losses(graph, ())]


def _first_line(text: str) -> int:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            return number
    return 1


def _numbers(body: str, first_line: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All numbers of the lines, two or zero in each, and the line of each."""
    data = np.frombuffer(body.encode(), dtype=np.uint8)
    newlines = np.flatnonzero(data == ord("\n"))
    known = _KNOWN[data]
    if not known.all():
        line = int(np.searchsorted(newlines, np.argmin(known)))
        raise FormatError(f"{quoted(body.split(chr(10))[line])} is not an attack of the form: i j", first_line + line)
    change = np.flatnonzero(np.diff(_DIGIT[data], prepend=False, append=False))
    starts, lengths = change[0::2], change[1::2] - change[0::2]
    lines = np.searchsorted(newlines, starts)
    count = np.bincount(lines, minlength=1)
    if (wrong := np.flatnonzero((count != 2) & (count != 0))).size:
        raise FormatError(f"{count[wrong[0]]} numbers, where an attack has two", first_line + int(wrong[0]))
    if (wrong := np.flatnonzero(lengths > MOST_DIGITS)).size:
        raise FormatError(f"a number of more than {MOST_DIGITS} digits", first_line + int(lines[wrong[0]]))
    values = np.zeros(len(starts), dtype=np.int64)
    for place in range(int(lengths.max(initial=0))):
        longer = np.flatnonzero(lengths > place)
        values[longer] = 10 * values[longer] + data[starts[longer] + place] - ord("0")
    return values, lines + first_line


def _bytes_table(chars: bytes) -> NDArray[np.bool_]:
    return np.isin(np.arange(256), np.frombuffer(chars, dtype=np.uint8))


_DIGIT = _bytes_table(b"0123456789")
_KNOWN = _bytes_table(b"0123456789 \t\r\n")
