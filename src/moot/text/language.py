"""Properties of a text that can be found without understanding it: its script, its length, its questions."""

import re
from collections.abc import Sequence
from typing import Literal

QUESTION_MARKS = "?？؟⁇⁈⁉⸮፧꘏՞\u037e"
"""The question marks of all scripts; Armenian has its mark inside a word. In Greek, a semicolon is a question mark,
too."""
FULL_STOPS = ".!…。！．｡۔।॥։።។။"
SENTENCE_ENDS = FULL_STOPS + QUESTION_MARKS
CLOSING = "\"'”’»›)]）」』】*_`"
"""Characters that may follow the end of a sentence."""

_IDEOGRAPHIC = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_ALPHABETIC = "\u0e00-\u0eff\u0f40-\u0fbc\u1000-\u109f\u1780-\u17dd"
_IDEOGRAPH = re.compile(f"[{_IDEOGRAPHIC}]")
_UNSPACED_LETTER = re.compile(f"[{_ALPHABETIC}]")
_WORD = re.compile(rf"[{_IDEOGRAPHIC}]|[^\W{_IDEOGRAPHIC}]+")
_IN_ASCII_WORDS = bytes(sign if chr(sign).isalnum() or chr(sign) == "_" else ord(" ") for sign in range(128)).ljust(256)
IDEOGRAPHS_PER_WORD, LETTERS_PER_WORD = 2, 5
"""The number of characters equivalent to a word, in Chinese and Japanese, and in Thai, Lao, Khmer, Burmese and
Tibetan."""

_UNSPACED_LANGUAGES = re.compile(
    r"(?:chinese|mandarin|cantonese|japanese|thai|lao|khmer|burmese|tibetan|zh|ja|jp|th|lo|km|my|bo)\b", re.IGNORECASE
)
_ENGLISH_NAMES = re.compile(r"(?:en|eng|english)\b", re.IGNORECASE)


def is_question(text: str) -> bool:
    """Whether a text ends with a question mark of its script."""
    said = text.rstrip().rstrip(CLOSING).rstrip()
    if said.endswith((*QUESTION_MARKS, "吗", "嗎")) or (said.endswith(";") and re.search("[α-ωΑ-Ω]", said)):
        return True
    return "՞" in said.rstrip("։").rpartition("։")[2]


def ends_sentence(text: str) -> bool:
    """Whether a text ends where a sentence may end, in any script."""
    return text.rstrip().rstrip(CLOSING).endswith(tuple(SENTENCE_ENDS))


def words(text: str) -> list[str]:
    """The words of a text; in scripts without spaces, each ideograph."""
    if text.isascii():  # most texts are, and the pattern takes ten times as long
        return text.encode().translate(_IN_ASCII_WORDS).decode().split()
    return _WORD.findall(text)


def word_count(text: str) -> int:
    """The length of a text in words. In scripts without spaces, a fixed number of characters counts as one word."""
    if text.isascii():
        return len(text.split())
    ideographs, letters = len(_IDEOGRAPH.findall(text)), len(_UNSPACED_LETTER.findall(text))
    if not (ideographs or letters):
        return len(text.split())
    spaced = _UNSPACED_LETTER.sub(" ", _IDEOGRAPH.sub(" ", text)).split()
    others = sum(any(sign.isalnum() for sign in one) for one in spaced)
    return others + -(-ideographs // IDEOGRAPHS_PER_WORD) + -(-letters // LETTERS_PER_WORD)


def has_spaces(text: str) -> bool:
    """Whether words are mostly separated by spaces."""
    if text.isascii():
        return True
    unspaced = len(_IDEOGRAPH.findall(text)) + len(_UNSPACED_LETTER.findall(text))
    return 2 * unspaced <= sum(sign.isalnum() for sign in text)


def is_unspaced(sign: str) -> bool:
    """Whether a character is of a script that puts no spaces between words."""
    return not sign.isascii() and bool(_IDEOGRAPH.match(sign) or _UNSPACED_LETTER.match(sign))


def in_english_letters(text: str) -> bool:
    """Whether a text has no letter that English lacks. Otherwise no English words are put around it."""
    return text.isascii() or not any(sign.isalpha() and not sign.isascii() for sign in text)


def is_english_name(language: str) -> bool:
    """Whether this is a name of the English language."""
    return _ENGLISH_NAMES.match(language) is not None


def unspaced(language: str) -> bool:
    """Whether this language is written without spaces between words."""
    return _UNSPACED_LANGUAGES.match(language) is not None or not has_spaces(language)


# TO DELETE with its last users: text/claims, engine/stance, engine/advice, evidence/anchors.

_ENGLISH = """
the and that it with are this not should would be have has were from what how why which who does did could must if than
they their there you your our its but whether better when people all more without because good worse worth right wrong
true safe ready dead work too
"""
_SHARED = {
    **dict.fromkeys(("is", "of", "we"), "nl"),
    **dict.fromkeys(("for", "to", "by", "at"), "da nb"),
    **dict.fromkeys(("on", "or"), "fr"),
    "was": "de nl",
    "will": "de",
    "an": "de",
    "so": "de nl",
    "in": "de nl it",
    "as": "pt nl fr",
    "do": "pt pl cs",
    "can": "tr ca",
    "a": "es pt it fr hu pl cs",
}
"""Frequent in English and in other languages. They suggest English beside a word of English alone, or beside each other
where no other language has them all: `is` and `a`, but not `was` and `in`."""
_OTHER = """
der die das und ist nicht wir ein eine oder soll sollte sollten warum wie den dem des zu mit für auf von werden kann
muss es sich auch het een en de van moeten moet wij niet zijn wat hoe waarom le la les et est que qui pour il un
une nous doit dans pas du au ou pourquoi comment el los las y por para qué cómo debe debemos una uno con se o os da em
não é como devemos ao di che non lo gli perché dobbiamo si e w nie na czy jest się jak ve bir bu mı mi mu için
ne och att det som är ska vi inte varför på og skal ikke hvorfor er ja ei että pitäisikö az egy hogy nem kell és și să
nu este z je proč mají že
"""
_TELLS = {
    **dict.fromkeys(_OTHER.split(), -2),
    **dict.fromkeys(_SHARED, 1),
    **dict.fromkeys(_ENGLISH.split(), 2),
}
"""How strongly a word suggests English."""
CLEARLY = 2
"""How strongly a text must suggest English before English words are put around it."""


def language_of(text: str) -> Literal["en", "other"] | None:
    """Whether a text is English, by its script and its most frequent words; None if that is unclear."""
    letters = [] if text.isascii() else [sign for sign in text if sign.isalpha()]
    if 2 * sum(sign < "\u0250" for sign in letters) < len(letters):
        return "other"
    english = _suggests_english(text)
    if english:
        return "en" if english > 0 else "other"
    return "other" if any(sign > "\u007f" for sign in letters) else None


def _suggests_english(text: str) -> int:
    """How strongly the words of a text suggest English; negative for another language."""
    found = words(text)
    shared = [word.casefold() for word in found if word.casefold() in _SHARED]
    told = [tells(word) for word in found]
    if max(told, default=0) < _TELLS["the"] and _in_one_language(shared):
        told = [told_by for told_by in told if told_by < 0]
    return sum(told) - sum(not word.isascii() for word in found)


def _in_one_language(shared: Sequence[str]) -> bool:
    """Whether there is another language that has all these words."""
    return not shared or bool(set.intersection(*(set(_SHARED[word].split()) for word in shared)))


def tells(word: str) -> int:
    """How strongly a word suggests English; negative for another language, 0 for a word that is not among the most
    frequent."""
    return _TELLS.get(word.casefold(), 0)


def is_english(text: str) -> bool:
    return language_of(text) == "en"


def is_clearly_english(text: str) -> bool:
    """Whether English words around this text would not look strange."""
    return is_english(text) and _suggests_english(text) >= CLEARLY
