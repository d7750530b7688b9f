"""Covers names in a text, in every script, case and inflection.

A name is found where a word begins with it, ignoring accents, invisible characters and adjacent letters of other
scripts, and has only an ending that is known for names in its script. In scripts without spaces, it is found anywhere.
Words that only look like a name ("Annual" for Ann) are kept.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile

from moot.text.language import tells

SHORT_NAME = 3
"""Names of at most this many letters have no endings but `s`: with others, they are too often ordinary words."""
LONG_NAME = 5
"""Names of at least this many letters are found with an ending in lower case, too."""
_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
_OPTIONAL_MARKS = ("LATIN", "GREEK", "CYRILLIC", "HEBREW", "ARABIC")
"""Scripts in which accents do not distinguish names: Zoe matches Zoë."""
_DECOMPOSED = (*_OPTIONAL_MARKS, "MATHEMATICAL", "MODIFIER", "CIRCLED")
_BEFORE = {
    "ARABIC": ("و", "ف", "ب", "ل", "ك", "ال", "وال", "بال", "لل"),
    "HEBREW": ("ו", "ה", "ב", "ל", "מ", "ש", "כ", "וה", "שה"),
}
"""Prefixes that are written together with the next word."""
_LATIN_ENDINGS = """
s es n en in an a u em om owi ovi ie t et ot at nak nek nal nel val vel rol hoz hez ert ban ben ba be lla lle lta ssa
sta ksi na ta illa ille ilta issa ista ia le st ga ks i e nin nun ya ye da de un ın ı ov ova ove ovu ovou
"""
_CYRILLIC_ENDINGS = "а у ом ем ем е ы и ой ей ю я ов ев ова ева ву в ві ові"
_HANGUL_ENDINGS = (
    "은 는 이 가 을 를 의 와 과 도 에게 께 씨 님 씨는 씨가 씨의 님은 님이 님의 로 으로 이는 이가 이의 만 한테 "
    "라고 이라고 라는 이라는 처럼 에게서 한테서 께서 까지 부터 보다 마저 조차 랑 이랑 하고 씨도 씨를 님도 님을 님께"
)
_INDIC_ENDINGS = "ने को से का की के में पर"
_AFTER = {
    "LATIN": _LATIN_ENDINGS,
    "CYRILLIC": _CYRILLIC_ENDINGS,
    "GREEK": "ς",
    "ARABIC": "ا",
    "HANGUL": _HANGUL_ENDINGS,
    "DEVANAGARI": _INDIC_ENDINGS,
}
_AGGLUTINATIVE = (
    *("GEORGIAN", "ARMENIAN", "BENGALI", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "GUJARATI", "GURMUKHI", "ORIYA"),
    *("SINHALA", "ETHIOPIC"),
)
LONGEST_ENDING = 4
"""Scripts of languages with many endings, and the letters of the longest that is taken for one there."""
_VIRAMAS = "\u09cd\u0bcd\u0c4d\u0ccd\u0d4d\u0acd\u0a4d\u0b4d\u0dca"
"""Signs at the end of a name that its endings replace."""
_LAST_LETTERS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "LATIN": {"a": ("y", "ie", "e", "o", "u", "i", "ou")},
    "CYRILLIC": {
        "а": ("ы", "и", "е", "у", "ой", "ою", "ин", "ина", "ину", "ины", "иной", "ином"),
        "я": ("и", "е", "ю", "ей", "ею", "ин", "ина", "ину", "ины", "иной", "ином"),
        "й": ("я", "ю", "ем", "е"),
        "ь": ("я", "ю", "ем", "е", "и", "ью"),
    },
    "GREEK": {"ος": ("ου", "ο", "ε", "ον"), "ας": ("α",), "ης": ("η",), "α": ("ας",), "η": ("ης",)},
}
"""Endings that replace other endings: Анна, Анны; Νίκος, Νίκου."""
_COMMON = """
will may mark hope grace rose art bill frank joy faith sky sue pat rob drew guy max june april august dawn eve ray gene
page chase miles lane grant clay cliff rich ward dean earl king young can an so in on to do
market markets mein very riches marine martini marina victoria
вера надежда любовь роман лев слава роза лилия марк май
"""
_WORDS = frozenset(_COMMON.split())
"""Words that are also names, or look like a name with an ending: in lower case they are not names."""


@dataclass(frozen=True, slots=True)
class _Form:
    """A spelling of a name, normalised for comparison. An `inflected` form includes its ending; a form that is
    `capital`, such as a part of a name, does not match in lower case."""

    name: str
    text: str
    inflected: bool = False
    capital: bool = False


def masked(text: str, covers: Mapping[str, str]) -> str:
    """The text with every name in `covers` replaced by its cover."""
    text = unicodedata.normalize("NFC", text)
    plain, places = _compared(text)
    spans: dict[int, tuple[int, str]] = {}
    taken = bytearray(len(text))
    for form in _forms(tuple(covers)):
        for start in _occurrences(form.text, plain):
            end = _end(plain, start, form)
            if end is None or not _names(text[places[start]], plain[start:end], form):
                continue
            first, last = places[start], max(places[end], places[end - 1] + 1)
            if taken.find(1, first, last) == -1:
                spans[first] = last, covers[form.name]
                taken[first:last] = b"\1" * (last - first)
    parts, done = [], 0
    for first, (last, cover) in sorted(spans.items()):
        parts += [text[done:first], cover]
        done = last
    return "".join([*parts, text[done:]])


def _compared(text: str) -> tuple[str, list[int]]:
    """The text without case, invisible characters and optional accents; and the source position of each character,
    followed by the end of the text."""
    if text.isascii():
        return text.lower(), list(range(len(text) + 1))
    signs: list[str] = []
    places: list[int] = []
    for place, sign in enumerate(text):
        kind = unicodedata.category(sign)
        if kind == "Cf" or (kind == "Mn" and signs and _script(signs[-1]) in _OPTIONAL_MARKS):
            continue
        for one in unicodedata.normalize("NFKD", sign) if _script(sign) in _DECOMPOSED else sign:
            if one == sign or unicodedata.category(one) != "Mn":
                folded = one.casefold()
                signs += folded
                places += [place] * len(folded)
    return "".join(signs), [*places, len(text)]


@lru_cache(maxsize=64)  # every voter and judge sees all proposals
def _forms(names: tuple[str, ...]) -> tuple[_Form, ...]:
    """All forms of the names, the longest first."""
    found = [form for name in names for form in _forms_of(name)]
    return tuple(sorted(found, key=lambda form: len(form.text), reverse=True))


def _forms_of(name: str) -> Iterator[_Form]:
    parts = unicodedata.normalize("NFC", name).split()
    plain, _ = _compared(" ".join(parts))
    script = _script(plain[-1])
    yield _Form(name, plain.rstrip(_VIRAMAS) if script in _AGGLUTINATIVE else plain)
    for last, others in _LAST_LETTERS.get(script, {}).items():
        if len(plain) > SHORT_NAME and name.casefold().endswith(last.casefold()):
            stem = plain.removesuffix(_compared(last)[0])
            yield from (_Form(name, stem + _compared(other)[0], True, script == "LATIN") for other in others)
    compared = [_compared(part)[0] for part in parts]
    apart = 1 < len(parts) < 4 and not any(one in _WORDS or tells(one) or not one.isalpha() for one in compared)
    if apart and not any(part[0].islower() for part in parts):
        yield from (_Form(name, one, capital=True) for one in compared if len(one) >= SHORT_NAME)


def _occurrences(form: str, plain: str) -> Iterator[int]:
    start = plain.find(form)
    while start != -1:
        yield start
        start = plain.find(form, start + 1)


def _end(plain: str, start: int, form: _Form) -> int | None:
    """The end of the word that begins here with a name; None if it is another word."""
    end = start + len(form.text)
    first, last = _script(plain[start]), _script(plain[end - 1])
    # A name that begins or ends with no letter has no word around it there.
    before = "".join(
        takewhile(lambda sign: first and _script(sign) == first, reversed(plain[max(0, start - 4) : start]))
    )[::-1]
    after = "".join(takewhile(lambda sign: last and _script(sign) == last, plain[end : end + 3 * LONGEST_ENDING]))
    if first in _UNSPACED:
        return end if len(form.text) > 1 or not (before or after) else None
    if before and before not in _BEFORE.get(first, ()):
        return None
    if not after or last in _UNSPACED:
        return end
    if last in _AGGLUTINATIVE:
        letters = sum(sign.isalpha() for sign in after)
        return end + len(after) if letters <= LONGEST_ENDING else None
    short = last == "LATIN" and len(form.text) <= SHORT_NAME
    known = after == "s" if short else after in _endings(last)
    return end + len(after) if known and not form.inflected else None


def _names(first: str, word: str, form: _Form) -> bool:
    """Whether a word is the name, and not another word, given its first letter as written."""
    ending = word[len(form.text) :]
    if not first.islower() or form.name[0].islower():
        return not (word in _WORDS and (form.inflected or ending))
    if form.capital or {word, form.text, form.name.casefold()} & _WORDS:
        return False
    return ending in ("", "s") or len(form.text) >= LONG_NAME


@cache
def _endings(script: str) -> frozenset[str]:
    """The possible endings of a name, normalised."""
    return frozenset(_compared(one)[0] for one in _AFTER.get(script, "").split())


@cache
def _script(sign: str) -> str:
    """The script of a letter, accent or digit; empty for characters that are not part of a word."""
    if not (sign.isalnum() or unicodedata.category(sign).startswith("M")):
        return ""
    return unicodedata.name(sign, "").replace("-", " ").replace("FULLWIDTH ", "").partition(" ")[0]
