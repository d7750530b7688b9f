"""Unified diffs, as git, diff and other programs print them, with or without colours: their titles and lines."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from moot.text import clip
from moot.text.prose import plural

MOST_NAMED = 3
LONGEST_TITLE = 200
_COLOUR = re.compile(r"\x1b\[[0-9;]{0,20}[mK]")
_BEGINNINGS = ("diff ", "commit ", "From ", "Index: ", "--- ")
_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_PREFIX = re.compile(r"^[abciow12]/")
_ESCAPED = re.compile(rb"\\(?:([2-3][0-7]{2})|([\"\\]))")

_SECTION = re.compile(r"^(?=diff --git )", re.MULTILINE)
_NAMES = re.compile(r"^--- (.*)\n\+\+\+ (.*)\n(?=@@ )", re.MULTILINE)
_UNSEEN = re.compile(
    r"^(?:Binary files .* differ|GIT binary patch|(?:new file mode|index [0-9a-f.]{1,200}) 160000)$",
    re.MULTILINE,
)
"""Lines for files whose content is not in the diff; 160000 is the mode of a repository within another."""


@dataclass(slots=True)
class Passage:
    """Consecutive lines of a file. `first` is the number of the first; lines that were removed stood before it."""

    file: str
    first: int
    lines: list[str] = field(default_factory=list)
    removed: bool = False


@dataclass(slots=True)
class _Change:
    """The change of one file. Its passages are the lines that it has now, and those that were removed."""

    name: str = ""
    added: int = 0
    removed: int = 0
    passages: list[Passage] = field(default_factory=list)

    def take(self, line: str) -> None:
        """Add a line of a hunk, whose passage is the last but for those that were removed."""
        kept = next(one for one in reversed(self.passages) if not one.removed)
        number = kept.first + len(kept.lines)
        sign, text = line[:1], line[1:]
        if sign == "-":
            self.removed += 1
            last = self.passages[-1]
            if not last.removed or last.first != number:
                last = Passage(self.name, number, removed=True)
                self.passages.append(last)
            last.lines.append(text)
        elif sign != "\\":
            self.added += sign == "+"
            kept.lines.append(text)


def without_colours(text: str) -> str:
    """A diff without the colours that a terminal would show; any other text unchanged."""
    if title_of_diff(text):  # what looks like a colour in it is in the files
        return text
    plain = _COLOUR.sub("", text)
    return plain if plain != text and title_of_diff(plain) else text


def without_binary(text: str) -> str:
    """A diff that git made with --text, without the bytes of binary files. A repository says itself which of its files
    are not text, so git is not asked: a file is binary if there is a zero byte in its change."""
    return "".join(_named_only(part) if "\0" in part else part for part in _SECTION.split(text))


def _named_only(section: str) -> str:
    names = _NAMES.search(section)
    if names is None:
        return section
    return f"{section[: names.start()]}Binary files {names[1]} and {names[2]} differ\n"


def unseen(text: str) -> str:
    """How many files of a diff it only names, because they are binary or a repository of their own; "" if none."""
    count = len(_UNSEEN.findall(text))
    return f"{plural(count, 'file')} that the diff only names (binary, or a repository of its own)" if count else ""


def passages(text: str, name: str = "") -> list[Passage]:
    """The lines of a text with their numbers: of a diff, those of each file that it shows."""
    if not title_of_diff(text):
        return [Passage(name, 1, text.split("\n"))]
    return [one for change in _files(text) for one in change.passages if one.lines]


def title_of_diff(text: str) -> str:
    """A title for a unified diff, such as `A change of 3 files (+10, -2): a.py, b.py, c.py`; "" for any other text."""
    changes = _files(text)
    files = list(dict.fromkeys(one.name for one in changes))
    if not files:
        return ""
    added, removed = sum(one.added for one in changes), sum(one.removed for one in changes)
    beyond = len(files) - MOST_NAMED
    named = ", ".join(files[:MOST_NAMED]) + (f" and {beyond} more" if beyond > 0 else "")
    return clip(f"A change of {plural(len(files), 'file')} (+{added}, -{removed}): {named}", LONGEST_TITLE)


def _files(text: str) -> list[_Change]:
    text = text.lstrip()
    return [one for one in _changes(text.split("\n")) if one.name] if text.startswith(_BEGINNINGS) else []


def _changes(lines: list[str]) -> Iterator[_Change]:
    """The changes by file. Lines count within hunks alone, which say how long they are."""
    change, old, new = _Change(), 0, 0
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if old > 0 or new > 0:
            change.take(line)
            old -= line[:1] not in ("+", "\\")
            new -= line[:1] not in ("-", "\\")
        elif hunk := _HUNK.match(line):
            old, new = int(hunk[1] or 1), int(hunk[3] or 1)
            # What deletes a file, or lines at its beginning, counts from line 0.
            change.passages.append(Passage(change.name, max(int(hunk[2]), 1)))
        elif line.startswith("diff --git "):
            yield change
            change = _Change(_twice(line.removeprefix("diff --git ")))
        elif line.startswith("--- ") and following.startswith("+++ "):
            if change.added or change.removed:  # no line parts the files of a plain diff
                yield change
                change = _Change()
            gone = _name(following) == "/dev/null"
            change.name = _name(line if gone else following)
        elif line.startswith(("rename to ", "copy to ")):
            change.name = unquoted(line.partition(" to ")[2])
    yield change


def _twice(names: str) -> str:
    """The name in `a/x.py b/x.py`, for a binary file, or one that only changes its mode; else ""."""
    before, after = _plain(names[: len(names) // 2]), _plain(names[len(names) // 2 + 1 :])
    return before if before == after else ""


def _name(line: str) -> str:
    """The name in a line such as `+++ b/x.py`, behind which a plain diff has the time, after a tab."""
    return _plain(line[4:].partition("\t")[0].strip())


def _plain(name: str) -> str:
    """A name without quotation marks and without its prefix."""
    return _PREFIX.sub("", unquoted(name))


def unquoted(name: str) -> str:
    """The name that git prints in quotation marks, if it has odd characters: `"\\303\\244.py"` is `ä.py`. Control
    characters stay escaped, since a name is in one line."""
    if len(name) < 2 or not name.startswith('"') or not name.endswith('"'):
        return name
    inner = _ESCAPED.sub(lambda one: bytes([int(one[1], 8)]) if one[1] else one[2], name[1:-1].encode())
    return inner.decode("utf-8", "replace")
