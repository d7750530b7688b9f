"""ICCMA's numeric format (editions from 2021): `p af N`, then one attack `i j` per line; # starts a comment line.

Arguments are the numbers 1 to N. Other names are numbered in order when written, and reported as a loss.
"""

import re

from moot.argument.formats.base import FormatError, line_of, list_losses, quoted
from moot.argument.graph import Graph, Pair

MOST_ARGUMENTS = 10_000_000
"""The header alone creates this many names, and one line of text must not use all memory."""
MOST_DIGITS = 9
_HEADER = re.compile(r"(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*p[ \t]+af[ \t]+(\d+)[ \t\r]*(?:\n|\Z)", re.ASCII)
_COMMENT = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
_LINE = re.compile(rf"[ \t\r]*(?:(\d{{1,{MOST_DIGITS}}})[ \t\r]+(\d{{1,{MOST_DIGITS}}})[ \t\r]*)?", re.ASCII)


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
    return Graph.numbered(map(str, range(1, count + 1)), _attacks(body, count, line + 1))


def write(graph: Graph) -> str:
    attacks = "".join([f"{source + 1} {target + 1}\n" for source, target in graph.attacks])
    return f"p af {len(graph)}\n{attacks}"


def losses(graph: Graph) -> list[str]:
    numbered = all(name == str(number) for number, name in enumerate(graph.names, 1))
    return [*([] if numbered else ["names (they become 1, 2, 3…)"]), *list_losses(graph, ())]


def _first_line(text: str) -> int:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            return number
    return 1


def _attacks(body: str, count: int, first_line: int) -> list[Pair]:
    attacks = []
    for number, line in enumerate(body.split("\n"), first_line):
        found = _LINE.fullmatch(line)
        if not found:
            raise _fault(line, number)
        if found[1] is not None:
            source, target = int(found[1]), int(found[2])
            for one in (source, target):
                if not 1 <= one <= count:
                    raise FormatError(f"there is no argument {one} among the {count}", number)
            attacks.append((source - 1, target - 1))
    return attacks


def _fault(line: str, number: int) -> FormatError:
    if not re.fullmatch(r"[0-9 \t\r]*", line):
        return FormatError(f"{quoted(line)} is not an attack of the form: i j", number)
    if (words := len(line.split())) != 2:
        return FormatError(f"{words} numbers, where an attack has two", number)
    return FormatError(f"a number of more than {MOST_DIGITS} digits", number)
