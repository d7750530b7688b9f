"""Properties of a text that can be found without understanding it: its script, its length, its questions."""

import re

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
