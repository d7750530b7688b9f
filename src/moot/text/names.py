"""Names: two that look the same are the same; and names of files for any text."""

import re
import unicodedata
from collections.abc import Sequence
from unicodedata import combining

LONGEST_SLUG = 50
_APOSTROPHES = re.compile("[‘’ʼ`´]")
_BLANKS = re.compile(r"[^\S\n]+")
_IN_ASCII = bytes(range(128)).translate(bytes.maketrans(b"`\t\x0b\x0c\r\x1c\x1d\x1e\x1f", b"'" + b" " * 8)).ljust(256)


def folded(text: str) -> str:
    """The text in normalised Unicode, without case and invisible characters, with one kind of apostrophe and single
    spaces; line breaks are kept. Accents are kept, too: Zoë is not Zoe."""
    if text.isascii():
        plain = text.encode().translate(_IN_ASCII).decode().casefold()
        return _BLANKS.sub(" ", plain) if "  " in plain else plain
    visible = "".join(one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one) != "Cf")
    plain = unicodedata.normalize("NFKC", visible.casefold().replace("i\u0307", "i"))
    return _BLANKS.sub(" ", _APOSTROPHES.sub("'", plain))


def name_alone(text: str, names: Sequence[str]) -> str | None:
    """The one of these names that the text is, whatever its case and the signs around it; None if it says more, or
    could be two of them."""
    bare = {name: folded(name).strip() for name in names}
    said = folded(text).strip()
    found = [name for name in names if bare[name] == said]
    found = found or [name for name in names if _without_signs(bare[name]) == _without_signs(said) != ""]
    return found[0] if len(found) == 1 else None


def _without_signs(text: str) -> str:
    first = next((at for at, sign in enumerate(text) if sign.isalnum()), len(text))
    last = next((at for at in range(len(text), 0, -1) if text[at - 1].isalnum() or combining(text[at - 1])), 0)
    return text[first:last]


_LATIN = "aceijopsxyABCEHIJKMOPSTXYoABEZHIKMNOPTYX"
_LIKE_LATIN = "асеіјорѕхуАВСЕНІЈКМОРЅТХУοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
_LOOKS = str.maketrans(_LIKE_LATIN, _LATIN)


def look_of(name: str) -> str:
    """The folded name with Cyrillic and Greek letters replaced by the Latin ones that look the same: who reads two such
    names cannot tell them apart."""
    plain = name if name.isascii() else unicodedata.normalize("NFKC", name).translate(_LOOKS)
    return folded(plain).strip()


def slug(text: str) -> str:
    """A safe file name for any text: lower-case letters of its script, digits and hyphens, at most 50 characters and
    100 bytes. Accents are left out of Latin letters."""
    plain = re.sub(r"(?<=[a-z])[\u0300-\u036f]+", "", unicodedata.normalize("NFKD", text.casefold()))
    # Marks are parts of words in many scripts.
    words = (sign if unicodedata.category(sign)[0] in "LMN" else "-" for sign in unicodedata.normalize("NFC", plain))
    short = re.sub(r"-+", "-", "".join(words)).strip("-")[:LONGEST_SLUG]
    return short.encode()[: 2 * LONGEST_SLUG].decode(errors="ignore").strip("-") or "debate"
