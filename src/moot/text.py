"""Making untrusted text fit to be shown and kept."""

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Text without what a terminal would obey or a reader be fooled by: control characters, direction overrides."""
    if text.isprintable():  # nothing to look for, and that is soon found out
        return text
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def valid_text(text: str) -> str:
    """The text without half characters, which JSON can spell but no file or terminal takes; halves that belong
    together, as when a stream splits an emoji, become one character again."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
