"""ICCMA's numeric format (editions from 2021): `p af N`, then one attack `i j` per line; # starts a comment line.

Arguments are the numbers 1 to N. Other names are numbered in order when written, and reported as a loss.
"""

import re
from typing import TYPE_CHECKING

from moot.argument.formats.base import FormatError, line_of, list_losses, quoted
from moot.argument.graph import Graph, Pair, plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_ARGUMENTS = 10_000_000
"""The header alone creates this many names, and one line of text must not use all memory."""
MOST_DIGITS = 9
_LONG = 50_000
"""The number of characters from which on numpy reads faster, even though it has to be loaded."""
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
    attacks = _attack_array(body, count) if len(body) > _LONG else None
    return Graph.numbered(
        map(str, range(1, count + 1)), _attack_list(body, count, line + 1) if attacks is None else attacks
    )


def write(graph: Graph) -> str:
    attacks = "".join([f"{source + 1} {target + 1}\n" for source, target in plain(graph.attack_pairs)])
    return f"p af {len(graph)}\n{attacks}"


def losses(graph: Graph) -> list[str]:
    numbered = all(name == str(number) for number, name in enumerate(graph.names, 1))
    return [*([] if numbered else ["names (they become 1, 2, 3…)"]), *list_losses(graph, ())]


def _first_line(text: str) -> int:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            return number
    return 1


def _attack_list(body: str, count: int, first_line: int) -> list[Pair]:
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


def _attack_array(body: str, count: int) -> "NDArray[np.int64] | None":
    """The attacks of a long file; None if something is wrong, and reading line by line says what."""
    import numpy as np

    data = np.frombuffer(body.encode(), dtype=np.uint8)
    digit = (data >= ord("0")) & (data <= ord("9"))
    blank = (data == ord(" ")) | (data == ord("\t")) | (data == ord("\r"))
    newline = data == ord("\n")
    if not (digit | blank | newline).all():
        return None
    change = np.flatnonzero(np.diff(digit, prepend=False, append=False))
    starts, lengths = change[0::2], change[1::2] - change[0::2]
    in_line = np.bincount(np.searchsorted(np.flatnonzero(newline), starts), minlength=1)
    if ((in_line != 2) & (in_line != 0)).any() or (lengths > MOST_DIGITS).any():
        return None
    values = np.zeros(len(starts), dtype=np.int64)
    for place in range(int(lengths.max(initial=0))):
        longer = np.flatnonzero(lengths > place)
        values[longer] = 10 * values[longer] + data[starts[longer] + place] - ord("0")
    return None if ((values < 1) | (values > count)).any() else values.reshape(-1, 2) - 1
