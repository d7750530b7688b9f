"""Replies in prose: faults that code can detect in any protocol.

A faulty reply is asked for once more with the reason; if it is faulty again, it is kept and flagged. A copy of what was
said before is flagged at once. Whether a short
reply declines to argue is a question of meaning, so the model itself is asked.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from moot.engine.play.objects import mended
from moot.engine.play.prompt import Prompt, Template
from moot.present.data import Model
from moot.record.entry import Draft
from moot.text.json import LENIENT
from moot.text.language import SENTENCE_ENDS, word_count, words
from moot.text.names import folded

SHINGLE = 4
"""A sequence of this many words counts as repeated if it is in an earlier statement."""
MOST_TIMES = 4
"""A refrain may occur this often; a model that repeats more has lost its way."""
LEAST_SHINGLES = 16
"""With fewer sequences, copying cannot be detected: two short answers to one question are similar by chance."""
SHORT = 12
"""Up to this many words, a statement that has to argue may be just a refusal. Most refusals are shorter, most
statements much longer."""
HEADING = re.compile(
    r"^#{1,6}(?=[ \w])(?!\d)|^(?:\*\*|__)[^*_\n]{1,80}(?<![.!?:;,])(?:\*\*|__):?[^\S\n]*\n|^[^\n]{1,80}\n[=-]{3,}$",
    re.MULTILINE,
)
"""`# Opening`, a separate line in bold, an underlined line. `#7` is an entry."""


@dataclass(frozen=True, slots=True)
class ReplyFault:
    """A fault of a reply: a code for flags, and the reason as sent to the model. What is only `noted` is not asked for
    again."""

    code: str
    reason: str
    noted: bool = False


@dataclass(frozen=True, slots=True)
class Prose:
    """A request for words, not JSON. `spoken` text is heard or read by others: it has no headings and no lines of the
    `others`, and is not copied from what was said `earlier`. Text that `argues` is not a refusal."""

    spoken: bool = False
    others: Sequence[str] = ()
    earlier: Sequence[Draft] = ()
    argues: bool = False

    def faults(self, text: str, asked: str = "") -> list[ReplyFault]:
        """The faults of a text. `asked` is the request, which must not be repeated as the answer."""
        found = []
        if is_json(text):
            found.append(ReplyFault("json_for_prose", "it is JSON, and plain words were asked for"))
        if self.spoken and not found and has_headings(text):
            found.append(ReplyFault("headings", "it has headings, and connected prose was asked for", noted=True))
        found += [
            ReplyFault("impersonation", f"it contains lines for {name}; speak for yourself alone")
            for name in speaks_as(text, self.others)
        ]
        if (place := first_copied(text, [draft.content for draft in self.earlier])) is not None:
            # A model that copies does so again: in a lab, 125 of 133 second tries were copies too.
            reason = f"more than half of it repeats, word for word, what {self.earlier[place].speaker} has said before"
            found.append(ReplyFault("copying", reason, noted=True))
        if loops(text):
            found.append(ReplyFault("loop", "it says the same sentence over and over"))
        if asked and copies(text, asked):
            found.append(ReplyFault("echo", "it repeats the request; answer it"))
        return found

    def may_decline(self, text: str) -> bool:
        """Whether a statement that has to argue may be a refusal: it is short, and without a figure, which would be an
        answer."""
        short = len(text) <= 10 * SHORT and word_count(text) <= SHORT  # the longest word is no statement
        return self.argues and short and re.search(r"\d", text) is None


THINKING = Prose()
"""Text that an agent writes for itself."""


class Reading(Model):
    """An agent's reading of its own last reply."""

    argues: bool


def is_json(text: str) -> bool:
    """Whether most of the text is a JSON object or list, with or without a code fence."""
    if "{" not in text and "[" not in text:
        return False
    bare = re.sub(r"^```\w*\s|```$", "", text.strip()).strip()
    start = min(place for sign in "{[" if (place := bare.find(sign)) >= 0)
    if 3 * start > len(bare):
        return False
    for whole in (bare[start:], mended(bare)):
        try:
            value, end = LENIENT.raw_decode(whole)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict | list) and 3 * end >= 2 * len(bare):
            return True
    return False


def has_headings(text: str) -> bool:
    return HEADING.search(text) is not None


def speaks_as(text: str, names: Sequence[str]) -> list[str]:
    """The names under which lines are spoken: `Viktor: …` at the start of a line or a sentence, or only the name in a
    marked line."""
    if not names:
        return []
    seen = folded(text)
    return [name for name in names if _label(folded(name)).search(seen)]


def copies(text: str, earlier: str) -> bool:
    """Whether more than half of a text occurs verbatim in an earlier one."""
    return first_copied(text, [earlier]) is not None


def first_copied(text: str, earlier: Sequence[str]) -> int | None:
    """The place of the first earlier text in which more than half of this one occurs verbatim."""
    if not earlier or len(own := _runs(text, SHINGLE)) < LEAST_SHINGLES:
        return None
    most = len(own) // 2
    for place, one in enumerate(earlier):
        if len(said := _runs(one, SHINGLE)) > most and len(own & said) > most:
            return place
    return None


def loops(text: str) -> bool:
    """Whether a text says the same sentences over and over: every sequence of words, on average, more than four
    times."""
    count = len(words(text))
    if count < LEAST_SHINGLES or MOST_TIMES * len(_runs(text, SHINGLE)) >= count:
        return False
    return sum(sign in SENTENCE_ENDS for sign in text) > MOST_TIMES


def again(faults: Sequence[ReplyFault]) -> Prompt:
    """The request to answer again without these faults."""
    reason = "; ".join(one.reason for one in faults if not one.noted)
    return replace(ONCE_MORE(what_is_wrong=reason), fault=reason)


@lru_cache(maxsize=256)
def _label(name: str) -> re.Pattern[str]:
    mark, said = r"[*_\[\]<>#]{0,6}", r"(?:\s?[(（][^()（）\n]{1,40}[)）])?"
    start = rf"(?:^(?:[-•]\s)?|(?<=[.!?”\"؟।۔]\s)|(?<=[。！？])){mark}\s?{mark}{re.escape(name)}"
    alone = rf"^(?:#{{1,6}}\s?|\*\*|__|\[|<){re.escape(name)}(?:\*\*|__|\]|>)?$"
    bracketed = rf"^\[{re.escape(name)}\]\s(?!\()"
    return re.compile(rf"{start}{mark}{said}{mark}[:：]|{alone}|{bracketed}", re.MULTILINE | re.IGNORECASE)


@lru_cache(maxsize=256)  # every statement is compared with all earlier ones
def _runs(text: str, length: int) -> frozenset[int]:
    """All sequences of this many words."""
    found = words(text.casefold())
    return frozenset(map(hash, zip(*(found[place:] for place in range(length)), strict=False)))


ONCE_MORE = Template("""
That reply will not do: {what_is_wrong}.
Answer again what you were asked before, without that fault and without a word about it.
""")

DECLINED = Template("""
Look at your last reply as a reader would. Is it a statement in this debate, with at least one claim or reason on its
subject, or does it decline to make one? Set `argues` to false only where it declines.
""")
