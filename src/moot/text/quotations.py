"""Looks up quotations in texts of any script: the same words, however they are spaced and set."""

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from moot.text.language import SENTENCE_ENDS, is_unspaced

SHORTEST_QUOTE = 20
"""Characters, with white space collapsed; a wide character (Chinese, Japanese, Korean) counts as three."""

_PIECES = re.compile(r"[!-&(-,./0-_a-~]+|\s+|.", re.DOTALL)
_PLAIN = frozenset(map(chr, range(33, 127))) - set("'-`")
_SIGNS = {
    **dict.fromkeys("\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff", ""),
    **dict.fromkeys(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))), ""),
    **dict.fromkeys("`´‘’‚‛′ʼ", "'"),
    **dict.fromkeys("“”„‟″«»「」『』", '"'),
    **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
}
_ENCLOSING = " \"'.。"
SHORTEST_SAID = 4
"""Words. Shorter quoted text is often a name or an expression."""
SHORTEST_STRETCH = 8
"""Characters. The shortest piece to look for first if a quotation has omissions: single words could be combined into
anything."""
MOST_LEFT_OUT = 500
"""Characters. The longest omission in a quotation."""
MOST_BEGINNINGS = 20
"""The most places in a text that are tried as the start of a quotation with omissions."""
QUOTED = re.compile(
    r"“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|»([^«»]+)«|‹([^‹›]+)›|›([^‹›]+)‹|「([^「」]+)」|『([^『』]+)』|＂([^＂]+)＂"
    r"|\"([^\"]+)\"|‚([^‚‘]+)‘|‘((?:[^‘’]|’(?=\w))+)’(?!\w)"
    r"|(?<!\w)'((?:[^'\n]|(?<=\w)'(?=\w))+)'(?!\w)"
)
_OPENING = "\"'“‘„‚«‹»›([{¿¡`*\u200e\u200f"
_CLOSING = f"\"'“”‘’«»‹›)]}}`*\u200e\u200f,;:،؛፣፤፥{SENTENCE_ENDS}"
_BETWEEN = "、，。！？；：「」『』（）【】《》—"
"""The marks that stand before a word, after it, and between two words without a space."""
_LEFT_OUT = re.compile(r"\[[^\[\]]{0,60}\]|…|\.{3}")


@dataclass(frozen=True, slots=True)
class Found:
    """The position of a quotation in a text, and its spelling there."""

    start: int
    end: int
    text: str


class Searched:
    """A text in which quotations are looked up. It is prepared once for all of them."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _folded(self) -> "tuple[str, array[int]]":
        return _fold(self.text)

    def find(self, quote: str, least: int, after: int = 0) -> Found | None:
        """The first place of a quotation after this many characters, as `find_quote` looks it up."""
        wanted = wanted_signs(quote)
        if not wanted or width_of(wanted) < least:
            return None
        signs, places = self._folded
        start = signs.find(wanted, bisect_left(places, after))
        while start >= 0:
            end = start + len(wanted)
            if not _joined(signs, places, start) and not _joined(signs, places, end):
                first, last = places[start], places[end - 1] + 1
                return Found(first, last, self.text[first:last])
            start = signs.find(wanted, start + 1)
        return None


def find_quote(quote: str, text: str, least: int = SHORTEST_QUOTE) -> Found | None:
    """Look up a quotation. White space, kinds of quotation marks and dashes, ellipses, ligatures, soft hyphens and
    encodings of accents are ignored; case and every word count. Marks around the quotation are not part of it. None if
    it is not found as whole words, or has fewer than `least` characters."""
    return Searched(text).find(quote, least)


def set_apart(phrases: Sequence[str], text: str) -> list[str]:
    """Two or more different phrases as they stand in a text, each as whole words in a place of its own; none of them if
    one does not. Words end at spaces and at marks that are never a part of one: code knows no other end of a word in
    Chinese or Thai. Case and kinds of quotation marks and dashes are ignored."""
    text, *wanted = (" ".join(unicodedata.normalize("NFC", part).split()) for part in (text, *phrases))
    wanted, left, places = [*map(_alike, wanted)], _alike(text), dict[str, str]()
    for phrase in sorted(wanted, key=len, reverse=True):
        at = left.find(phrase) if any(unicodedata.category(sign)[0] in "LNS" for sign in phrase) else -1
        while at >= 0 and not (_ends(text, at - 1, -1, _OPENING) and _ends(text, at + len(phrase), 1, _CLOSING)):
            at = left.find(phrase, at + 1)
        if at < 0:
            return []
        end = at + len(phrase)
        places[phrase], left = text[at:end], left[:at] + " " * len(phrase) + left[end:]
    return [places[phrase] for phrase in wanted] if len(places) == len(wanted) > 1 else []


def _alike(text: str) -> str:
    """A text in lower case and with one kind of quotation mark and dash, as long as before."""
    return "".join(_SIGNS.get(sign) or sign.lower()[0] for sign in text)


def _ends(text: str, at: int, step: int, marks: str) -> bool:
    """Whether a word ends before this place: there are only these marks, up to a space, a comma before
    a letter, or a mark between two words."""
    while 0 <= at < len(text) and text[at] in marks:
        at += step
    if not 0 <= at < len(text) or text[at].isspace() or text[at] in _BETWEEN:
        return True
    before, after = (at, at + 1) if step < 0 else (at - 1, at)
    return text[before] == "," and text[after].isalpha()


def quotations(text: str) -> list[str]:
    """The quotations in a text that are long enough to be somebody's words, not a name or an expression."""
    found = []
    for one in QUOTED.finditer(text):
        quote = next(filter(None, one.groups()))
        found += quotations(quote) or [quote]
    return [
        quote
        for quote in found
        if len(quote.split()) >= SHORTEST_SAID or width_of(wanted_signs(quote)) >= 2 * SHORTEST_QUOTE
    ]


def says(quote: str, text: str) -> bool:
    """Whether a text contains these words in order. If the quotation has omissions (…), each piece must be there, close
    to the piece before, and one longer than a single word. Case and punctuation at both ends are ignored."""
    return _said_at(quote, Searched(text.casefold())) is not None


def _said_at(quote: str, text: Searched) -> tuple[int, int] | None:
    """Where a text contains these words, as `says` looks for them. Its case must be folded."""
    pieces = [wanted for piece in _LEFT_OUT.split(quote.casefold()) if (wanted := wanted_signs(piece).strip(" ,;:!?"))]
    least = SHORTEST_STRETCH if len(pieces) > 1 else 1
    place = next((place for place, piece in enumerate(pieces) if width_of(piece) >= least), None)
    if place is None:
        return None
    ahead, (first, *behind), after = pieces[:place], pieces[place:], 0
    for _ in range(MOST_BEGINNINGS):
        found = text.find(first, 1, after)
        if found is None:
            return None
        after = found.end
        before = text.text[max(0, found.start - MOST_LEFT_OUT) : found.start]
        if _goes_on(ahead, before, 0) is not None and (end := _goes_on(behind, text.text, after)) is not None:
            return found.start, end
    return None


class Said:
    """A text in which words are looked up in any case and with omissions. It is prepared once for all of them."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _folded(self) -> "tuple[Searched, array[int]]":
        # Some letters become several once their case is folded.
        return Searched(self.text.casefold()), array("l", accumulate(len(sign.casefold()) for sign in self.text))

    def find(self, quote: str) -> Found | None:
        """The first place of a quotation, as `says` looks for it."""
        if (start := self.text.find(quote)) >= 0:
            return Found(start, start + len(quote), quote)
        folded, ends = self._folded
        if (found := _said_at(quote, folded)) is None:
            return None
        start, end = bisect_right(ends, found[0]), bisect_left(ends, found[1]) + 1
        return Found(start, end, self.text[start:end])


def _goes_on(pieces: Sequence[str], text: str, end: int) -> int | None:
    """Where these pieces end that follow in order, each close to the one before; None if they do not."""
    for piece in pieces:
        found = find_quote(piece, text[end : end + MOST_LEFT_OUT + len(piece)], least=1)
        if found is None:
            return None
        end += found.end
    return end


def wanted_signs(quote: str) -> str:
    """The characters of a quotation that are searched for."""
    return _fold(quote)[0].strip(_ENCLOSING)


def width_of(wanted: str) -> int:
    return sum(3 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in wanted)


def _fold(text: str) -> tuple[str, "array[int]"]:
    """The characters that are compared, and the source position of each."""
    signs: list[str] = []
    places = array("l")
    last = ""
    for piece in _PIECES.finditer(text):
        run, start = piece.group(), piece.start()
        if run[0] in _PLAIN:
            folded = run
            places.extend(range(start, start + len(run)))
        else:
            sign = _space(text, piece) if run[0].isspace() else _SIGNS.get(run[0])
            folded = _plain_sign(run[0], signs) if sign is None else sign
            if folded in {"", last}:  # nothing, or a repeated white space or dash
                continue
            places.extend([start] * len(folded))
        signs.append(folded)
        last = folded if folded in {" ", "-"} else ""
    return "".join(signs), places


def _space(text: str, white: re.Match[str]) -> str:
    """White space as it is compared: none between signs of scripts that put no spaces between words, where it is only
    the end of a line, and none where French puts it, at its quotation marks and before some ends of sentences."""
    before, after = text[max(0, white.start() - 1) : white.start()], text[white.end() : white.end() + 1]
    if not before or not after:
        return " "
    tight = (_is_tight(before) and _is_tight(after)) or before in "«‹" or after in "»›?!:;"
    return "" if tight else " "


def _is_tight(sign: str) -> bool:
    return is_unspaced(sign) or "\u3000" <= sign <= "\u303f" or "\uff00" <= sign <= "\uffef"


def _plain_sign(sign: str, before: Sequence[str]) -> str:
    """A sign without its form, except a raised or lowered digit after a digit: 10² is not 102."""
    raised = unicodedata.decomposition(sign).startswith(("<super>", "<sub>"))
    if raised and before and before[-1][-1:].isdigit():
        return sign
    return unicodedata.normalize("NFKD", sign)


def _joined(signs: str, places: "array[int]", at: int) -> bool:
    """Whether the neighbours at this position belong to one word, so that a quotation cannot begin or end between them.
    Scripts without upper and lower case may join words and are accepted."""
    if not 0 < at < len(signs):
        return False
    if places[at - 1] == places[at] or unicodedata.combining(signs[at]):
        return True
    return all(unicodedata.category(sign) in {"Lu", "Ll", "Nd"} for sign in signs[at - 1 : at + 1])
