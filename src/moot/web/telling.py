"""A debate as one text that grows while it runs: public statements word by word, as they are written.

Only one statement grows at a time, since a text has one end; what others say meanwhile follows after it. Text that was
sent cannot be taken back: if a statement starts again, or has other words in the log, the text says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import moot
from moot.engine.define.protocol import Protocol
from moot.engine.staging.statements import Statement
from moot.present.markdown import inline, quote
from moot.service.host import News, Silent, Speaking, Written
from moot.web.partial_json import Legible
from moot.web.plain_text import paragraphs

ANEW = "*This is said anew:*\n\n"
CHANGED = "*In the record it stands as follows:*\n\n"
UNSETTLED = "-+*=~#>0123456789.) \t"
"""Of a last line with nothing else it is not known yet whether it is a list, a rule or a heading."""


@dataclass(slots=True)
class _Growing:
    """A statement in progress."""

    reply: Legible
    text: str = ""

    def settled(self) -> str:
        """The text whose Markdown no longer changes: whole words, without a line that only just began."""
        end = max(self.text.rfind(" "), self.text.rfind("\n"), 0)
        before, _, last = self.text[:end].rpartition("\n")
        return (self.text[:end] if last.strip(UNSETTLED) else before).rstrip()


class Telling:
    """Takes the news of a debate in order, and returns the further text for each. `expected` are the statements that
    are known beforehand, by call."""

    def __init__(self, protocol: Protocol, expected: Mapping[str, Statement]) -> None:
        self._paragraph = paragraphs(protocol)
        self._expected = expected
        self._growing: dict[str, _Growing] = {}
        self._sent: dict[str, str] = {}  # the Markdown that was sent of statements, until their entries come
        self._current: str | None = None  # the call whose statement grows at the end of the text
        self._open: str | None = None  # the call whose statement ends the text, not yet followed by a blank line
        self._waiting: list[moot.Entry] = []
        self._recorded: set[str] = set()  # calls whose entries are told

    def hear(self, news: News) -> str:
        if isinstance(news, Speaking) and news.key in self._expected and news.key not in self._recorded:
            return self._speaking(news)
        if isinstance(news, Silent):
            return self._silent(news.key)
        if isinstance(news, Written) and not news.again:
            if self._current not in (None, news.entry.call):
                self._waiting.append(news.entry)
                return ""
            return self._recorded_one(news.entry)
        return ""

    def end(self) -> str:
        """The text that is missing when the debate has ended."""
        self._growing = {key: one for key, one in self._growing.items() if key == self._current}
        return (self._silent(self._current) if self._current else "") + self._closed()

    def _speaking(self, news: Speaking) -> str:
        key, anew = news.key, ""
        if news.start == 0:
            said = self._expected[key]
            self._growing[key] = _Growing(Legible(said.field))
            if self._sent.pop(key, None):
                anew = self._closed() + ANEW
        growing = self._growing.get(key)
        if growing is None:
            return anew
        growing.text += growing.reply.more(news.text)
        self._current = self._current or key
        return anew + (self._grow(growing.settled()) if self._current == key else "")

    def _silent(self, key: str) -> str:
        """The rest of a statement that is complete."""
        if key != self._current:
            self._growing.pop(key, None)  # its entry has the whole text
            return ""
        text = self._grow(self._growing.pop(key).text)
        return text + self._next()

    def _recorded_one(self, entry: moot.Entry) -> str:
        """An entry while nobody speaks, or of who speaks: it has the rest of the statement."""
        if entry.call is not None:
            self._growing.pop(entry.call, None)
        text = self._written(entry)
        return text + (self._next() if self._current is not None else "")

    def _next(self) -> str:
        """After a statement: the entries that waited for it, and the beginning of the next."""
        self._current = None
        waiting, self._waiting = self._waiting, []
        text = "".join(map(self._written, waiting))
        self._current = next((key for key in self._growing if key not in self._recorded), None)
        return text + (self._grow(self._growing[self._current].settled()) if self._current else "")

    def _grow(self, text: str) -> str:
        """What is new in the Markdown of the current statement."""
        assert self._current is not None  # noqa: S101 (else nothing grows)
        words = str(quote(text)) if text.strip() else ""
        before = self._sent.get(self._current, "")
        if len(words) <= len(before) or not words.startswith(before):
            return ""
        self._sent[self._current] = words
        if before:
            return words[len(before) :]
        head = f"{self._closed()}**{inline(self._expected[self._current].speaker)}**:\n\n{words}"
        self._open = self._current
        return head

    def _written(self, entry: moot.Entry) -> str:
        found = self._paragraph(entry)
        if found is None:
            return ""
        sent = self._sent.pop(entry.call or "", "")
        self._recorded.add(entry.call or "")
        if not sent:
            return self._closed() + found.whole()
        if not found.words.startswith(sent):
            return f"{self._closed()}{CHANGED}{found.whole()}"
        if self._open == entry.call:
            self._open = None
            return f"{found.words[len(sent) :]}\n\n({found.how})\n\n{_below(found.rest)}"
        left = found.words if len(found.words) > len(sent) else ""
        return f"{self._closed()}**{inline(found.speaker)}** ({found.how})\n\n{_below(left)}{_below(found.rest)}"

    def _closed(self) -> str:
        """A blank line, if the text ends in a statement."""
        was, self._open = self._open, None
        return "\n\n" if was is not None else ""


def _below(text: str) -> str:
    return f"{text}\n\n" if text else ""
