"""Covers names in a text, by one rule for all scripts and languages.

Case, accents, width and invisible characters make no difference. A name is covered where it is a word, and

- in scripts without spaces, anywhere;
- with up to three more letters of its script, as in “Viktors” and “Viktorowi”, if it has at least four letters and is
  written with a capital; from five letters on, the last of its letters may be another, as in “Сергея” for Сергей;
- in scripts without capitals, from two letters on, with up to three letters after it and two before it, which may be
  an ending and a preposition.

Each part of a name with two or three parts is covered, too, if it is capitalised, has at least three letters, and no
other name has it. So a word that is also a name is covered (“will” where somebody is called Will), and a name in an
unusual form is not.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile

MOST_AFTER, MOST_BEFORE = 3, 2
SHORT, LONG = 4, 5
_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")


@dataclass(frozen=True, slots=True)
class _Form:
    """What is looked for: a name, a part of it, or a `stem` without its last letter. Parts and stems have a capital."""

    name: str
    text: str
    capital: bool = False
    stem: bool = False


def masked(text: str, covers: Mapping[str, str]) -> str:
    """The text with every name in `covers` replaced by its cover."""
    return _masked(text, tuple(covers.items()))


@lru_cache(maxsize=256)  # every voter and judge is shown the same proposals
def _masked(text: str, covers: tuple[tuple[str, str], ...]) -> str:
    text, cover = unicodedata.normalize("NFC", text), dict(covers)
    pattern, forms = _forms(tuple(cover))
    plain, places = _plain(text)
    parts, done, at = list[str](), 0, 0
    while forms and (found := pattern.search(plain, at)):
        start = found.start()
        fits = ((form, _end(text, plain, places, start, form)) for form in forms if plain.startswith(form.text, start))
        form, end = next(((form, end) for form, end in fits if end), (None, 0))
        at = end or start + 1
        if form:
            parts += [text[done : places[start]], cover[form.name]]
            done = max(places[end], places[end - 1] + 1)
    return "".join([*parts, text[done:]])


@lru_cache(maxsize=64)
def _forms(names: tuple[str, ...]) -> tuple[re.Pattern[str], list[_Form]]:
    """A pattern for all forms of the names, and the forms, the longest first."""
    parts = {name: unicodedata.normalize("NFC", name).split() for name in names}
    times = Counter(part for several in parts.values() for part in set(several))
    found = list[_Form]()
    for name, several in parts.items():
        plain = _plain(" ".join(several))[0]
        found += [_Form(name, plain)] if plain else []
        found += [_Form(name, plain[:-1], True, True)] if len(plain) >= LONG and plain[-1].isalpha() else []
        if 1 < len(several) < 4 and all(part.isalpha() and not part[0].islower() for part in several):
            own = [_plain(part)[0] for part in several if times[part] == 1]
            found += [_Form(name, part, capital=True) for part in own if len(part) > 2]
    found.sort(key=lambda form: (-len(form.text), form.stem))
    return re.compile("|".join(dict.fromkeys(_beginning(form.text) for form in found))), found


def _beginning(form: str) -> str:
    """A pattern for the first letters of a form: at the beginning of a word, if it is in Latin letters."""
    inside = rf"(?<![a-z]{re.escape(form[0])})" if "a" <= form[0] <= "z" else ""
    return re.escape(form[0]) + inside + re.escape(form[1:3])


def _end(text: str, plain: str, places: list[int], start: int, form: _Form) -> int:
    """The end of the word that begins here with a form of a name; 0 if it is another word."""
    end = start + len(form.text)
    first, last = _script(plain[start]), _script(plain[end - 1])
    before = list(takewhile(lambda sign: first and _script(sign) == first, reversed(plain[max(0, start - 9) : start])))
    after = list(takewhile(lambda sign: last and _script(sign) == last, plain[end : end + 9]))
    if first in _UNSPACED:
        return end if len(form.text) > 1 or not (before or after) else 0
    cased = form.name[0] != form.name[0].swapcase()
    capital = form.name[0].islower() or not text[places[start]].islower()
    enough = len(form.text) + form.stem >= (SHORT if cased else 2)
    if sum(map(str.isalpha, before)) > (0 if cased or not enough else MOST_BEFORE) or (form.capital and not capital):
        return 0
    if not after or last in _UNSPACED:
        return end
    short = not plain[end - 1].isdigit() and sum(map(str.isalpha, after)) <= MOST_AFTER
    return end + len(after) if enough and capital and short else 0


def _plain(text: str) -> tuple[str, list[int]]:
    """The text without case, width, accents and invisible characters; and the source position of each character,
    followed by the end of the text."""
    if text.isascii():
        return text.lower(), list(range(len(text) + 1))
    signs = list(map(_plain_sign, text))
    return "".join(signs), [*(place for place, sign in enumerate(signs) for _ in sign), len(text)]


@cache
def _plain_sign(sign: str) -> str:
    apart = sign if _script(sign) == "HANGUL" else unicodedata.normalize("NFKD", sign)
    return "".join(one for one in apart.casefold() if unicodedata.category(one) not in ("Cf", "Mn"))


@cache
def _script(sign: str) -> str:
    """The script of a letter, accent or digit; empty for characters that are not part of a word."""
    if not (sign.isalnum() or unicodedata.category(sign).startswith("M")):
        return ""
    return unicodedata.name(sign, "").replace("-", " ").replace("FULLWIDTH ", "").partition(" ")[0]
