"""What the text of a reply holds: JSON objects as small and local models write them, or parts marked in prose."""

import json
import re
from collections.abc import Mapping
from typing import Any

from moot.engine.play.structured import needed_parts, resolved
from moot.text.json import DECODER, LENIENT

MOST_READ_IN_VAIN = 20
"""Limits the search for objects: the characters read in vain after braces that open no object, in multiples of the
text's length. Only a text made to be slow exceeds it."""
LONGEST_LITERAL = len("false")
"""A text that stops within a literal is faulty from its start on."""


_MARKED = re.compile(
    r"^[ \t>*_`#\d.)-]{0,8}([^\W\d_][\w \t]{0,40}?)[*_`]{0,3}[ \t]?[:：=][*_`]{0,3}[ \t]?", re.MULTILINE
)
_NAME, _NEXT = re.compile(r'\s*+,?\s*+("(?:[^"\\]|\\.)*+")\s*+:\s*+'), re.compile(r"\s*+,")
LONGEST_BARE = 100
"""A reply of a single value is no longer."""


def objects_in(text: str, *, broken_lines: bool = False, cut: bool = False) -> list[dict[str, Any]]:
    """Every outermost JSON object in the text; ValueError if finding them would take too long. In a `cut` text, the
    search ends at the object that the end of the text leaves unfinished. `broken_lines` may be in strings."""
    objects = []
    text = _Unnumbered(text)
    ending = len(text.rstrip()) - LONGEST_LITERAL
    position, in_vain = text.find("{"), 0
    while position != -1:
        try:
            value, end = (LENIENT if broken_lines else DECODER).raw_decode(text, position)
        except json.JSONDecodeError as error:
            end = position + 1
            # For an unterminated string, the error has the position of its start, but everything after it was read.
            read = len(text) if error.msg.startswith("Unterminated") else error.pos
            if cut and read >= ending:
                break
            in_vain += read - position
            if in_vain > MOST_READ_IN_VAIN * len(text):
                raise ValueError("too many braces in it open no object") from None
        else:
            objects.append(value)
        position = text.find("{", end)
    return objects


def finished_parts(text: str) -> dict[str, Any]:
    """The parts of an object that the end of the text leaves unfinished, but for the last of them, which may be cut."""
    found, position = {}, text.find("{") + 1
    while position and (name := _NAME.match(text, position)):
        try:
            value, position = DECODER.raw_decode(text, name.end())
        except json.JSONDecodeError:
            break
        if _NEXT.match(text, position) is None:
            break
        found[DECODER.decode(name[1])] = value
    return found


def _list_in(text: str) -> list[Any] | None:
    """The list that the text is, if it is one."""
    try:
        found = DECODER.decode(text)
    except ValueError:
        return None
    return found if isinstance(found, list) else None


class _Unnumbered(str):
    """A text without line numbers: otherwise, for each brace that opens nothing, all lines before it would be counted
    for a message that nobody reads."""

    __slots__ = ()

    def count(self, *_: Any) -> int:
        return 0

    def rfind(self, *_: Any) -> int:
        return -1


def with_tex(text: str) -> str:
    """The text with the commands of TeX that JSON would read as a control character and some letters."""
    return _TEX.sub(r"\\\\", text) if "{" in text else text


_TOKEN = re.compile(
    r"""
    (?P<comma>,(?=\s*+[}\]]))
  | (?P<constant>\b(?:True|False|None)\b)
  | (?P<key>(?<=[{,\s])[^\W\d]\w{0,60}+(?=\s*:))
  | (?P<other>[^"',“\w]++|\w++|[,])
    """,
    re.VERBOSE | re.DOTALL,
)
_ENDS = {
    opened: re.compile(rf"\\.|[{closed}](?=\s*(?:[,:}}\]]|$))", re.DOTALL)
    for opened, closed in (("'", "'"), ('"', '"'), ("“", "”“"))
}
"""A quote ends a string if JSON continues after it, or the text ends; any other is an apostrophe or a quotation."""
_ESCAPES = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|["\\]')
"""The escapes that JSON knows; any other backslash stands for itself, as in TeX."""
_TEX = re.compile(r"\\\\|\\(?=[bf][a-zA-Z]|(?:neq|rho|right|text|tfrac|theta|times)(?![a-z]))")
"""Two backslashes, or one before a command of TeX whose first letter JSON takes for a control character."""
_CONSTANTS = {"True": "true", "False": "false", "None": "null"}


def mended(text: str) -> str:
    """The text from its first brace as valid JSON; empty if it has no brace, or an unterminated string. Mends what
    small models write and leaves no doubt: single or curly quotes, keys without quotes, quotation marks or TeX in
    strings, a comma after the last value, Python's constants. Takes linear time."""
    start = text.find("{")
    if start == -1:
        return ""
    parts, position = [], start
    while position < len(text):
        if ends := _ENDS.get(text[position]):
            end = next((found.end() for found in ends.finditer(text, position + 1) if found[0][0] != "\\"), None)
            if end is None:  # An unterminated string: the rest of the text cannot be separated from it.
                break
            parts.append(_in_double_quotes(text[position + 1 : end - 1]))
            position = end
            continue
        token = _TOKEN.match(text, position)
        if token is None:
            break
        position = token.end()
        parts.append(_put_right(token))
    return "".join(parts)


def _in_double_quotes(inner: str) -> str:
    inner = inner.replace("\\'", "'")
    return '"' + _ESCAPES.sub(lambda one: one[0] if len(one[0]) > 1 else f"\\{one[0]}", inner) + '"'


def _put_right(token: re.Match[str]) -> str:
    match token.lastgroup:
        case "comma":
            return ""
        case "constant":
            return _CONSTANTS[token[0]]
        case "key":
            return f'"{token[0]}"'
        case _:
            return token[0]


def without_braces(text: str, schema: Mapping[str, Any]) -> Any:
    """What a reply without an object says: a list, a single value, or each part after its name on a line; what stands
    before is the part that is asked for first. None if it says nothing of these."""
    bare = re.sub(r"^```\w*\s|```$", "", text.strip()).strip()
    if bare.startswith("["):
        return _list_in(bare)
    parts, needed = schema.get("properties", {}), needed_parts(schema)
    if "{" in bare or not needed:
        return None
    known = {letters(name): name for name in parts}
    marks = [found for found in _MARKED.finditer(bare) if _name(found) in known]
    names = [known[_name(found)] for found in marks]
    first = next(iter(parts))
    if marks and len(set(names)) == len(names) and set(needed) <= {first, *names}:
        ends = [*(found.start() for found in marks[1:]), len(bare)]
        said = [bare[found.end() : end].strip("*_` \n") for found, end in zip(marks, ends, strict=True)]
        before = {} if first in names else {first: bare[: marks[0].start()].strip()}
        return before | dict(zip(names, said, strict=True))
    single = len(needed) == 1 and len(bare) <= LONGEST_BARE and not _is_free(resolved(parts[needed[0]], schema))
    return {needed[0]: bare.strip("*_`\"' \n")} if single else None


def _name(mark: re.Match[str]) -> str:
    """The name that marks a part, also if a number comes after it: `Question 1:`."""
    return letters(mark[1]).rstrip("0123456789")


def _is_free(schema: Mapping[str, Any]) -> bool:
    """Whether any text would be a value: then a reply that is nothing but text may be something else."""
    return schema.get("type") not in ("integer", "number", "boolean") and not schema.keys() & {"enum", "const"}


def whole(value: float) -> float:
    """The value as an integer, if it is one."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


def letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
