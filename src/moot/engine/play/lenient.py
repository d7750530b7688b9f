"""Repairs JSON as written by small and local models: single or curly quotes, keys without quotes, quotation marks in
strings, a comma after the last value, Python's constants. Only unambiguous faults are repaired; anything else is left
to fail. Takes linear time."""

import re

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
_CONSTANTS = {"True": "true", "False": "false", "None": "null"}


def mended(text: str) -> str:
    """The text from its first brace as valid JSON; empty if it has no brace, or an unterminated string."""
    start = text.find("{")
    if start == -1:
        return ""
    parts, position = [], start
    while position < len(text):
        if ends := _ENDS.get(text[position]):
            end = _end_of(ends, text, position + 1)
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


def _end_of(ends: re.Pattern[str], text: str, position: int) -> int | None:
    """The end of a string that begins before this position."""
    return next((found.end() for found in ends.finditer(text, position) if found[0][0] != "\\"), None)


def _in_double_quotes(inner: str) -> str:
    inner = inner.replace("\\'", "'")
    return '"' + re.sub(r'\\.|"', lambda one: '\\"' if one[0] == '"' else one[0], inner, flags=re.DOTALL) + '"'


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
