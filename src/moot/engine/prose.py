"""Replies in words: what code can see to be wrong with one, whatever the protocol.

A reply that fails is asked for once more with the reason; what fails again is kept and flagged. Whether a short reply
that speaks of its speaker, or not of its subject, declines to argue is a question of meaning, so it is put to the model
itself.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pydantic import BaseModel

from moot.engine.lenient import mended
from moot.engine.prompt import Prompt, Template
from moot.engine.stance import Stance
from moot.evidence.ranking import words as stems
from moot.record.entry import Draft
from moot.text.language import has_spaces, language_of, word_count, words
from moot.text.names import folded

SHINGLE = 4
"""Words in a row that count as repeated when they stand in an earlier statement."""
CLAUSE = 6
"""Words in a row that a small model may not take from what was said before."""
SAID_BEFORE = "it repeats what was said before; say something new"
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
MOST_TIMES = 4
"""A refrain is said as often; more is a model that has lost its way."""
LEAST_SHINGLES = 16
"""Fewer say nothing of copying: two short answers to one question are alike by chance."""
SHORT = 240
"""Characters up to which a reply may be nothing but a refusal…"""
SHORT_WORDS = 40
"""…or words, in a script that has no spaces between them."""
FIRST_PERSON = re.compile(
    r"\b(?:i|me|my|we|us|our|ich|mir|wir|je|j|nous|yo|mi|eu|ik|wij|jag|jeg|я|мне|мы)\b|[我私저]", re.IGNORECASE
)
"""A refusal speaks of its speaker, or of nothing that is debated; in languages other than English the absence of these
words says nothing."""
HEADING = re.compile(
    r"^#{1,6}(?=[ \w])(?!\d)|^(?:\*\*|__)[^*_\n]{1,80}(?<![.!?:;,])(?:\*\*|__):?[^\S\n]*\n|^[^\n]{1,80}\n[=-]{3,}$",
    re.MULTILINE,
)
"""`# Opening`, a line of its own in bold, a line that is underlined. `#7` is an entry."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """What is wrong with a reply: a code for flags, and the reason as the model is told it."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Prose:
    """A kind of ask: words and no JSON. `spoken` is what others hear or read: without headings, without lines of the
    `others`, not copied from what was said `earlier`. One that `argues` is no refusal, and is `about` something.
    `wants` tells what else is missing, where something is. `asked` is the request, which is no answer to itself."""

    spoken: bool = False
    others: Sequence[str] = ()
    earlier: Sequence[Draft] = ()
    argues: bool = False
    about: str = ""
    wants: Callable[[str], str | None] | None = None
    asked: str = ""

    def oddities(self, text: str) -> list[Oddity]:
        found = []
        if is_json(text):
            found.append(Oddity("json_for_prose", "it is JSON, and plain words were asked for"))
        if self.spoken and not found and HEADING.search(text):
            found.append(Oddity("headings", "it has headings, and connected prose was asked for"))
        found += [
            Oddity("impersonation", f"it contains lines for {name}; speak for yourself alone")
            for name in speaks_as(text, self.others)
        ]
        for draft in self.earlier:
            if copies(text, draft.content):
                reason = (
                    f"more than half of it repeats, word for word, what {draft.speaker} has said before; "
                    "use words of your own"
                )
                found.append(Oddity("copying", reason))
                break
        if loops(text):
            found.append(Oddity("loop", "it says the same sentence over and over"))
        if copies(text, self.asked):
            found.append(Oddity("echo", "it repeats the request; answer it"))
        if self.wants is not None and (missing := self.wants(text)) is not None:
            found.append(Oddity("incomplete", missing))
        return found

    def repetitions(self, text: str, first_words: str) -> list[Oddity]:
        """A clause that was said before, behind the first words that a small model was given."""
        own = _runs(text.removeprefix(first_words), CLAUSE)
        if any(own & _runs(draft.content, CLAUSE) for draft in self.earlier):
            return [Oddity("repetition", SAID_BEFORE)]
        return []

    def may_decline(self, text: str) -> bool:
        """Whether a statement that has to argue is so short, and so much of its speaker or so little of its subject,
        that it may be a refusal."""
        short = len(text) <= SHORT if has_spaces(text) else word_count(text) <= SHORT_WORDS
        if not self.argues or not short:
            return False
        if FIRST_PERSON.search(text) is not None or language_of(text) == "other":
            return True
        subject, one_line = _stems(self.about), "\n" not in text.strip()
        return one_line and bool(subject) and not _stems(text) & subject


THOUGHT = Prose()
"""What an agent writes for itself."""


class Reading(BaseModel):
    """How an agent reads its own last reply."""

    argues: bool


def is_json(text: str) -> bool:
    """Whether most of the text is a JSON object or list, as models write it, in a code fence or not."""
    if "{" not in text and "[" not in text:
        return False
    bare = re.sub(r"^```\w*\s|```$", "", text.strip()).strip()
    start = min(place for sign in "{[" if (place := bare.find(sign)) >= 0)
    if 3 * start > len(bare):
        return False
    for whole in (bare[start:], mended(bare)):
        try:
            value, end = json.JSONDecoder(strict=False).raw_decode(whole)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict | list) and 3 * end >= 2 * len(bare):
            return True
    return False


def speaks_as(text: str, names: Iterable[str]) -> list[str]:
    """Those of the names under which lines are spoken: `Viktor: …` where a line or a sentence begins, or the name alone
    in a marked line."""
    seen = folded(text)
    return [name for name in names if _label(folded(name)).search(seen)]


def copies(text: str, earlier: str) -> bool:
    """Whether more than half of a text stands word for word in an earlier one."""
    own = _runs(text, SHINGLE)
    return len(own) >= LEAST_SHINGLES and 2 * len(own & _runs(earlier, SHINGLE)) > len(own)


def loops(text: str) -> bool:
    """Whether most of a text is one sentence, said more than four times."""
    said = Counter(_SENTENCE_END.split(text.strip()))
    sentence, times = said.most_common(1)[0]
    return times > MOST_TIMES and 2 * times > said.total() and len(sentence.split()) >= SHINGLE


def again(prompt: Prompt, oddities: Sequence[Oddity]) -> Prompt:
    """The same once more, with what was wrong; a small model is given other first words, where there are any."""
    reason = "; ".join(one.reason for one in oddities)
    template = Template(ONCE_MORE.full, ONCE_MORE.short, prompt.opening)
    facts = {name: fact.reworded() if isinstance(fact, Stance) else fact for name, fact in prompt.facts.items()}
    return replace(template(**{**facts, "reason": reason}), fault=reason, package=prompt.package)


@lru_cache(maxsize=256)
def _label(name: str) -> re.Pattern[str]:
    mark, said = r"[*_\[\]<>#]{0,6}", r"(?:\s?[(（][^()（）\n]{1,40}[)）])?"
    start = rf"(?:^(?:[-•]\s)?|(?<=[.!?”\"؟।۔]\s)|(?<=[。！？])){mark}\s?{mark}(?:the\s)?{re.escape(name)}"
    alone = rf"^(?:#{{1,6}}\s?|\*\*|__|\[|<)(?:the\s)?{re.escape(name)}(?:\*\*|__|\]|>)?$"
    return re.compile(rf"{start}{mark}{said}{mark}[:：]|{alone}", re.MULTILINE | re.IGNORECASE)


@lru_cache(maxsize=256)  # every statement is held against all before it
def _runs(text: str, length: int) -> frozenset[int]:
    """All runs of so many words."""
    found = words(text.casefold())
    return frozenset(map(hash, zip(*(found[place:] for place in range(length)), strict=False)))


def _stems(text: str) -> set[str]:
    """The words that a text is about, without their endings; in scripts without spaces every two signs."""
    found = {word for word in stems(text) if len(word) > 1}
    return found | set(re.findall(r"(?=([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}))", text))


ONCE_MORE = Template(
    full="""
That reply will not do: {reason}.
Answer again what you were asked before, in full, without that fault and without a word about it.
""",
    short="That was not right: {reason}. Answer again.",
)

DECLINED = Template("""
Look at your last reply as a reader would. Is it a statement in this debate, with at least one claim or reason on its
subject, or does it decline to make one? Set `argues` to false only where it declines.
""")
