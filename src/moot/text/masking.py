"""Covers names in a text, by one rule for all scripts and languages: identity of strings.

Case, accents, width and invisible characters make no difference. A name is covered where no cased letter or digit
touches it, as in “Viktor’s” but not in “Viktors”; in scripts without capitals, which often join words, anywhere. Each
part of a name is covered, too, if it has at least three letters, is written with a capital where its script has them,
and no other name has it. So a word that is also a name is covered (“Will” where somebody is called Will).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache

SHORTEST_PART = 3


def masked(text: str, covers: Mapping[str, str]) -> str:
    """The text with every name in `covers` replaced by its cover."""
    return _masked(text, tuple(covers.items()))


@lru_cache(maxsize=256)  # every voter and judge is shown the same proposals
def _masked(text: str, covers: tuple[tuple[str, str], ...]) -> str:
    text, cover = unicodedata.normalize("NFC", text), dict(covers)
    whole, parts, forms, any_form = _forms(tuple(cover))
    if not forms:
        return text
    plain, places = _plain(text)
    kept, done = list[str](), 0
    for found in any_form.finditer(plain):
        start, end = found.span()
        form = next((one for one in forms if plain.startswith(one, start) and _stands_alone(plain, start, one)), None)
        if form is None or places[start] < done:
            continue
        if form not in whole and text[places[start]].islower():
            continue
        end = start + len(form)
        kept += [text[done : places[start]], cover[whole.get(form) or parts[form]]]
        done = max(places[end], places[end - 1] + 1)
    return "".join([*kept, text[done:]])


@lru_cache(maxsize=64)
def _forms(names: tuple[str, ...]) -> tuple[dict[str, str], dict[str, str], list[str], re.Pattern[str]]:
    """The names by their plain forms, and by the parts that no other has; all these forms, the longest first; and what
    finds any of them in one pass."""
    several = {name: [_plain(part)[0] for part in unicodedata.normalize("NFC", name).split()] for name in names}
    times = Counter(part for own in several.values() for part in set(own))
    whole = {plain: name for name, own in several.items() if (plain := " ".join(own).strip())}
    parts = {
        part: name
        for name, own in several.items()
        for part in own
        if len(own) > 1 and all(map(str.isalpha, own)) and times[part] == 1 and len(part) >= SHORTEST_PART
    }
    forms = sorted({*whole, *parts}, key=len, reverse=True)
    return whole, parts, forms, re.compile("|".join(map(re.escape, forms)))


def _stands_alone(plain: str, start: int, form: str) -> bool:
    """Whether no letter or digit goes on where a form begins or ends with a cased letter or a digit."""
    end = start + len(form)
    before = start > 0 and _is_cased(plain[start - 1]) and _is_cased(plain[start])
    return not before and not (end < len(plain) and _is_cased(plain[end]) and _is_cased(plain[end - 1]))


@cache
def _is_cased(sign: str) -> bool:
    return sign.isdigit() or sign.lower() != sign.upper()


def _plain(text: str) -> tuple[str, list[int]]:
    """The text without case, width, accents and invisible characters; and the source position of each character,
    followed by the end of the text."""
    if text.isascii():
        return text.lower(), list(range(len(text) + 1))
    signs = list(map(_plain_sign, text))
    return "".join(signs), [*(place for place, sign in enumerate(signs) for _ in sign), len(text)]


@cache
def _plain_sign(sign: str) -> str:
    apart = sign if "가" <= sign <= "힣" else unicodedata.normalize("NFKD", sign)
    return "".join(one for one in apart.casefold() if unicodedata.category(one) not in ("Cf", "Mn"))
