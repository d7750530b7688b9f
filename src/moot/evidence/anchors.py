"""Anchors: the figures, dates and names of a sentence, which code can look up in a passage.

Figures are compared by value, in any notation: `4,000`, `4 000`, `four thousand`. A name is a capitalised word inside
the sentence, or a word written like an identifier (`CO2`, `PostgreSQL`).
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from decimal import Decimal

from moot.evidence.ranking import overlap, words
from moot.text.language import language_of

_REFERENCE = re.compile(
    r"\[[\d,;\s–-]+\]|(?:#|\b(?:entry|entries|round|rule|ruling|source|point)\s+#?)\d+", re.IGNORECASE
)
"""References within a debate: `[1]`, `#7`, `entry 7`."""
_NUMBER = re.compile(
    r"(?<![\w.])\d{1,3}(?:[.,’'\u00a0\u202f ]\d{3})+(?:[.,]\d+)?(?!\d)"
    r"|(?<![\w.])\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?(?!\d)|(?<![\w.])\d+(?:[.,]\d+)?"
)
_GROUPED = re.compile(r"\d{1,3}(?:[.,’' ]\d{3})+(?:[.,]\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?")
"""In thousands, or as in India: `12,34,567`."""
_WORD = re.compile(r"[^\W\d_]*[\d_]\w*|[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SCALE_WORDS = {
    10**3: "thousand k tausend mille mil тыс тысяча тысячи тысяч",
    10**5: "lakh",
    10**6: "million millions m millionen mio millones milioni миллион миллиона миллионов млн",
    10**7: "crore",
    10**9: "billion billions bn milliarden milliards mrd miliardi миллиард миллиарда миллиардов млрд",
    10**12: "trillion trillions",
}
_SCALES = {word: value for value, several in _SCALE_WORDS.items() for word in several.split()}
_UNSURE = ("m", "k")
"""Scales that may be units: 5 m can be five metres."""
_SIGNS = {"千": 10**3, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_SCALE = re.compile(
    rf"[\s\u00a0-]*(?:({'|'.join(sorted(_SCALES, key=len, reverse=True))})\b|([{''.join(_SIGNS)}]))", re.IGNORECASE
)
_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()  # noqa: SIM905
_UNITS += ["seventeen", "eighteen", "nineteen"]
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {word: value for value, word in enumerate(_UNITS)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
_SPELT = re.compile(
    rf"\b(?:{'|'.join([*_VALUES, 'hundred', 'thousand', 'million', 'billion'])})"
    rf"(?:[\s-]+(?:and\s+)?(?:{'|'.join([*_VALUES, 'hundred', 'thousand', 'million', 'billion'])}))*\b",
    re.IGNORECASE,
)
_LEAST_SPELT = 10
"""Smaller numbers in words are ignored: `one` and `two` are often not figures."""
_IDENTIFIER = re.compile(
    r"(?=\w{0,40}[^\W\d_])(?:\w{0,40}\d\w{0,40}|\w{1,40}_\w{1,40}|\w{0,40}[a-z]\w{0,40}[A-Z]\w{0,40}|[A-Z]{2,}s?)"
)
"""Limited in length: longer words are not names."""
_GERMAN_WORDS = """
der die das den dem des und ist sind nicht ein eine einen einem einer mit von zu zum zur im auf für sich wird werden je
bei aus nach auch haben mehr wie oder dass sie wir nur noch kann können durch über
"""
_GERMAN = frozenset(_GERMAN_WORDS.split())
_GERMAN_SHARE = 0.1
"""A text with more than this share of these words counts as German, where every noun is capitalised."""
_NEAR = 600
"""Characters on either side of a passage in which names are accepted, because a passage often says `it`."""
_SHARED = 0.1
"""The smallest share of a sentence's words that a passage must contain, together with its surroundings."""


def missing(sentence: str, page: str, title: str, start: int, end: int) -> list[str]:
    """The figures, dates and names of a sentence that are missing from the passage from `start` to `end` of a page.
    Figures and dates must be in the sentences of the passage or in adjacent ones, names near the passage or in the
    title."""
    first, last = _sentence_start(page, start), _sentence_end(page, end)
    passage = page[_sentence_start(page, max(0, first - 2)) : _sentence_end(page, min(len(page), last + 2))]
    said = set(_values(passage, least=0))
    lacking = [told for told, values in _figures(sentence) if not values & said]
    near = f"{title}\n{page[max(0, start - _NEAR) : end + _NEAR]}"
    return list(dict.fromkeys([*lacking, *_missing_names(sentence, near, page)]))


def bears(sentence: str, page: str, title: str, start: int, end: int) -> bool:
    """Whether the passage and its surroundings share words with the sentence. True if there are too few words to
    compare, or they are in different languages."""
    near = f"{title}\n{page[max(0, start - _NEAR) : end + _NEAR]}"
    share = overlap(plain(sentence), near)
    return share is None or share >= _SHARED or foreign(sentence, near)


def foreign(sentence: str, text: str) -> bool:
    """Whether one is English and the other is not, so that they share no words whatever they say."""
    return {language_of(sentence), language_of(text)} == {"en", "other"}


def figures(text: str) -> list[str]:
    """The figures of a text as written there, without references to entries."""
    return [told for told, _ in _figures(text)]


def stands(figure: str, texts: Iterable[str]) -> bool:
    """Whether one of the texts contains the figure, in any spelling."""
    wanted = set(_values(figure, least=0))
    return any(wanted & set(_values(text, least=0)) for text in texts)


def plain(text: str) -> str:
    """A text without citations and references to entries."""
    return " ".join(_REFERENCE.sub(" ", text).split()).replace(" .", ".").replace(" ,", ",")


def _figures(text: str) -> Iterator[tuple[str, set[Decimal]]]:
    """Each figure of a text and its possible values."""
    text = unicodedata.normalize("NFKC", _REFERENCE.sub(" ", text))
    for found in _NUMBER.finditer(text):
        scale = _SCALE.match(text, found.end())
        yield found.group() + (scale.group() if scale else ""), _scaled(_readings(found.group()), scale)
    for found in _SPELT.finditer(text):
        value = _spelt(found.group())
        if value is not None and value >= _LEAST_SPELT:
            yield found.group(), {value}


def _values(text: str, least: int) -> Iterator[Decimal]:
    """All possible values of the figures in a text."""
    text = unicodedata.normalize("NFKC", text)
    for found in _NUMBER.finditer(text):
        yield from _scaled(_readings(found.group()), _SCALE.match(text, found.end()))
    for found in _SPELT.finditer(text):
        value = _spelt(found.group())
        if value is not None and value >= least:
            yield value


def _scaled(values: set[Decimal], scale: re.Match[str] | None) -> set[Decimal]:
    """The possible values of a number with what follows it."""
    if scale is None:
        return values
    word = (scale[1] or "").lower()
    scaled = {value * (_SCALES[word] if word else _SIGNS[scale[2]]) for value in values}
    return scaled | values if word in _UNSURE else scaled


def _readings(number: str) -> set[Decimal]:
    """The possible values of a number: `1.234` is a decimal in some countries and a thousand in others."""
    found = {Decimal(re.sub(r"[.,](?=\d+$)", ".", number))} if re.fullmatch(r"\d+(?:[.,]\d+)?", number) else set()
    if _GROUPED.fullmatch(number):
        whole, sign, rest = number, "", ""
        if cut := re.search(r"([.,])(\d+)$", number):
            inner = number[: cut.start()]
            if len(cut[2]) != 3 or (cut[1] not in inner and re.search(r"[.,’' ]", inner)):
                whole, sign, rest = inner, ".", cut[2]
        found.add(Decimal(re.sub(r"\D", "", whole) + sign + rest))
    return found


def _spelt(text: str) -> Decimal | None:
    """The value of a number in words; None for `hundred` or `million` alone, which are often not figures."""
    total, part, counted = 0, 0, False
    for word in re.split(r"[\s-]+", text.lower()):
        if word in _VALUES:
            part, counted = part + _VALUES[word], True
        elif word == "hundred" and part:
            part *= 100
        elif word in _SCALES and part:
            total, part = total + part * _SCALES[word], 0
    return Decimal(total + part) if counted else None


def _missing_names(sentence: str, near: str, page: str) -> Iterator[str]:
    known = {_bare(word) for word in words(_bare(near))} | {_bare(word) for word in _WORD.findall(near)}
    initials = "".join(word[0] if word[0].isupper() else " " for word in _WORD.findall(near))
    for run in _names(sentence, capitals=not (_is_german(page) or _is_german(sentence))):
        lacking = [name for name in run if not _known(name, known, initials)]
        if lacking and not (len(run) > 1 and "".join(name[0] for name in run).casefold() in known):
            yield from lacking


def _known(name: str, known: set[str], initials: str) -> bool:
    forms = {_bare(name), *(_bare(one) for one in words(_bare(name)))}
    return bool(forms & known) or (name.isupper() and len(name) > 1 and name in initials)


def _names(sentence: str, *, capitals: bool) -> Iterator[list[str]]:
    """The names of a sentence; adjacent ones count as one name."""
    text = _REFERENCE.sub(" ", sentence)
    run: list[str] = []
    end, first = -1, True
    for found in _WORD.finditer(text):
        word = re.sub(r"['’]s?$", "", found.group())
        between = text[end : found.start()] if end >= 0 else ""
        begins = first or bool(re.search(r"[.:!?“\"„«(]", between))
        named = bool(_IDENTIFIER.fullmatch(word)) or (capitals and word[:1].isupper() and not begins and len(word) > 1)
        if run and not (named and between.isspace()):
            yield run
            run = []
        if named:
            run.append(word)
        end, first = found.end(), False
    if run:
        yield run


def _is_german(text: str) -> bool:
    found = _WORD.findall(text[:20_000].casefold())
    return sum(word in _GERMAN for word in found) > _GERMAN_SHARE * len(found)


def _bare(word: str) -> str:
    """A word in lower case without accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", word) if not unicodedata.combining(sign)).casefold()


def _sentence_start(page: str, at: int) -> int:
    return max(
        (page.rfind(sign, 0, at) + len(sign) for sign in (". ", "! ", "? ", "\n", "。") if sign in page[:at]), default=0
    )


def _sentence_end(page: str, at: int) -> int:
    ends = [place for sign in (". ", "! ", "? ", "\n", "。") if (place := page.find(sign, at)) >= 0]
    return min(ends, default=len(page))
