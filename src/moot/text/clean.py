"""Makes untrusted text safe to show and to store, and short enough."""

import re
import unicodedata

from moot.text.language import is_unspaced

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")

JOINER = "\N{ZERO WIDTH JOINER}"
_UNSEEN = "\N{BRAILLE PATTERN BLANK}\N{HANGUL FILLER}\N{HALFWIDTH HANGUL FILLER}\N{REPLACEMENT CHARACTER}"
"""Signs that show nothing, though Unicode counts them as letters or symbols."""


def printable(text: str) -> str:
    """The text without characters that control a terminal or mislead a reader, such as direction overrides, and without
    the two that no XML may have."""
    if text.isprintable():  # a quick check for the common case
        return text
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def spelled_out(document: str) -> str:
    """JSON that means the same and has no such character: each is spelled as an escape."""
    return document if document.isprintable() else _CONTROL.sub(lambda one: f"\\u{ord(one[0]):04x}", document)


def shows(text: str) -> bool:
    """Whether a reader sees anything of the text: a letter, a digit, a punctuation mark or a symbol."""
    return any(unicodedata.category(sign)[0] in "LNPS" and sign not in _UNSEEN for sign in text)


def one_line(text: object) -> str:
    """Printable text with each run of white space reduced to one space."""
    return " ".join(printable(str(text)).split())


def clip(text: str, longest: int) -> str:
    """The text in at most so many characters, with an ellipsis where it is cut."""
    return text if len(text) <= longest else f"{cut(text, longest - 1)}…"


def cut(text: str, place: int) -> str:
    """The text up to this place, or to the end of the last whole word before it. A word that takes half of the room is
    cut, and scripts without spaces are cut between any two characters."""
    end = next((at for at in range(place, place // 2, -1) if _divides(text, at)), place)
    while end > 1 and (_continues(text[end : end + 1]) or text[end - 1] == JOINER):
        end -= 1
    return text[:end].rstrip().rstrip(",;:–—(") or text[:place]


def _divides(text: str, at: int) -> bool:
    before, after = text[at - 1 : at], text[at : at + 1]
    apart = any(not sign or sign.isspace() or is_unspaced(sign) for sign in (before, after))
    return apart and not _continues(after)


def _continues(sign: str) -> bool:
    """Whether a character belongs to the one before it: an accent, or a part of a composed picture."""
    return bool(sign) and (unicodedata.category(sign) in ("Mn", "Me") or sign in f"{JOINER}\ufe0e\ufe0f")


def valid_text(text: str) -> str:
    """The text without lone surrogates, which JSON can spell but files and terminals reject. Surrogate pairs that a
    stream has split become one character again."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def reason_without_secrets(error: Exception, url: str) -> str:
    """The message of a database driver, unless it quotes a part of the address that might belong to the password."""
    user, _, rest = url.partition("://")[2].rpartition("@")
    settings = [pair.partition("=") for pair in rest.partition("?")[2].split("&")]
    passwords = "".join(value for key, _, value in settings if "password" in key)
    secrets = [*re.split(r"[:/@?#%&=]+", user)[1:], *passwords.split("%")]
    message = " ".join(str(error).split())
    if type(error).__name__ == "ProgrammingError" or any(part and part in message for part in secrets):
        return "it cannot read the address; in a password @ is written %40, / is %2F and % is %25"
    return message
