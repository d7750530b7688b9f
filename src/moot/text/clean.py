"""Making untrusted text fit to be shown and kept."""

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Text without what a terminal would obey or a reader be fooled by: control characters, direction overrides."""
    if text.isprintable():  # nothing to look for, and that is soon found out
        return text
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def one_line(text: object) -> str:
    """Printable text with every run of white space made one space."""
    return " ".join(printable(str(text)).split())


def clip(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def valid_text(text: str) -> str:
    """The text without half characters, which JSON can spell but no file or terminal takes; halves that belong
    together, as when a stream splits an emoji, become one character again."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def reason_without_secrets(error: Exception, url: str) -> str:
    """What a database's driver says, unless it quotes of the address what may be a part of the password."""
    user, _, rest = url.partition("://")[2].rpartition("@")
    settings = [pair.partition("=") for pair in rest.partition("?")[2].split("&")]
    given = "".join(value for key, _, value in settings if "password" in key)
    secrets = [*re.split(r"[:/@?#%&=]+", user)[1:], *given.split("%")]
    said = " ".join(str(error).split())
    if type(error).__name__ == "ProgrammingError" or any(part and part in said for part in secrets):
        return "it cannot read the address; in a password @ is written %40, / is %2F and % is %25"
    return said
