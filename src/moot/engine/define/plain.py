"""The default presentation of a debate."""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from moot.plugins.guard import Broken, guarded
from moot.present import Facts, Line, Lines, Section, Summary, checked
from moot.record.entry import Entry
from moot.record.payloads import Cited, Gap, Given, Header, Irregular, Lookup, Misquote, Recap, Switch
from moot.text import clip, one_line
from moot.text.figures import figure
from moot.text.prose import sentence

if TYPE_CHECKING:
    from moot.engine.outcome.material import Material

TELLING = ("headline", "decision", "winner", "answer", "verdict", "outcome")
"""Fields of an outcome that can contain the decision, most specific first."""
NO_VERDICT = Line("note", "would announce the verdict here", text="")
"""The line of a verdict in a rehearsal."""
LONGEST_VALUE = 120
"""The longest value, in characters, that is shown together with others."""


def plain_summary(outcome: Any, entries: Sequence[Entry]) -> Summary:  # noqa: ARG001 (one of several)
    """The first field of the outcome that contains a decision, as the headline; otherwise a list of its fields."""
    has = [name for name in TELLING if hasattr(outcome, name)]
    values = (getattr(outcome, name) for name in has)
    headline = next((str(value) for value in values if isinstance(value, str) and value), None)
    if headline is not None:
        return Summary(headline=headline)
    if has:
        return Summary(headline="Nothing was decided", decided=False)
    fields = {name: value for name, value in outcome.model_dump(mode="json").items() if name != "topic"}
    listed = ", ".join(f"{name} {_in_words(value) or '…'}" for name, value in fields.items())
    return Summary(headline="The protocol gives no summary", reached=clip(sentence(listed), 500) if listed else "")


def plain_sections(material: "Material") -> list[Section]:  # noqa: ARG001 (one of several)
    return []


def plain_lines() -> Lines:
    return plain_line


def guarded_lines(make: Callable[[], Lines]) -> Lines:
    """Lines that survive errors in the protocol's code: an entry that fails gets None, and is shown plainly."""
    failed = rehearsed = False
    make = cache(make)

    def line(entry: Entry) -> Line | None:
        nonlocal failed, rehearsed
        if isinstance(entry.data, Header):
            rehearsed = entry.data.is_rehearsal
        made = guarded(lambda: _checked(make()(entry)))
        if not isinstance(made, Broken):
            return NO_VERDICT if rehearsed and made is not None and made.kind == "verdict" else made
        if not failed:
            logging.getLogger(__name__).warning("an entry could not be put into a line: %s", made.why)
        failed = True
        return None

    return line


def _checked(made: Any) -> Line | None:
    """The line, with a sentence in place of each block that cannot be drawn."""
    if made is None:
        return None
    if not isinstance(made, Line):
        raise TypeError(f"a line should be a Line, not {made!r:.100}")
    return checked(made)


def plain_line(entry: Entry) -> Line:
    """A line for an entry by its audience: everyone, some, or only the speaker. A failure has no speaker. Short
    values of its data are listed below the text."""
    if entry.type == "note":
        return Line("note", "notes")
    label = entry.type.replace("_", " ")
    data = {} if entry.data is None else entry.data.model_dump(mode="json")
    failure = data.pop("failure", None)
    if failure is not None:
        return Line("note", f"failed ({label})", text=None if entry.content else str(failure), tone="bad")
    facts = _short(data, entry.content)
    body = [Facts(facts)] if facts else ()
    return Line("statement" if entry.to == "all" else "private" if entry.to else "note", label, body=body)


def _short(data: Mapping[str, Any], content: str) -> list[tuple[str, str]]:
    """The numbers, booleans and short texts of a payload that the content does not already contain."""
    texts = {name: _in_words(value) for name, value in data.items()}
    return [
        (name.replace("_", " "), value)
        for name, value in texts.items()
        if value is not None and len(value) <= LONGEST_VALUE and not _says(content, value)
    ]


def _says(content: str, value: str) -> bool:
    """Whether a content has a value. A single word may be there for another purpose, such as `for` and `before`, unless
    it stands behind a colon."""
    before = r"(?<=: )" if value.isalpha() else r"(?<![\w.,])"
    return re.search(rf"{before}{re.escape(value)}(?![\w]|[.,]\d)", one_line(content)) is not None


def _in_words(value: Any) -> str | None:
    """A single value as text; None for anything else."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return figure(value)
    return (one_line(value) or None) if isinstance(value, str | int) else None


def common_line(entry: Entry) -> Line | None:
    """A line for the entry types of every log; None for a protocol's own type."""
    if entry.outside:
        return Line("note", f"added a {entry.type.replace('_', ' ')}")
    match entry.data:
        case Header():
            return Line("note", "introduces the topic and the cast, shown above")
        case Switch():
            return Line("note", "notes that an agent changed its model")
        case Recap(replaced=keys):
            span = f"{keys[0]} to {keys[-1]}" if keys else "none"
            return Line("note", f"sums up its {len(keys)} oldest exchanges ({span}), which give way to this")
        case Gap():
            return Line("note", "notes that a reply could not be had", tone="bad")
        case Irregular():
            return Line("note", "notes what is wrong with a reply", tone="bad")
        case _:
            return _source_line(entry)


def _source_line(entry: Entry) -> Line | None:
    """A line for an entry about documents and lookups."""
    match entry.data:
        case Given(sha256=sha256, characters=size, image=image):
            what = "an image (" if image else f"a document ({size:,} characters, "
            return Line("note", f"gives everybody {what}sha256 {sha256[:12]})")
        case Lookup(number=number, characters=size, error=error):
            found = f"{size:,} characters" if error is None else "nothing"
            return Line("private", f"looks something up ({number}: {found})", tone="plain" if error is None else "bad")
        case Cited(agent=agent, sha256=sha256):
            return Line("note", f"shows what {agent} cites (sha256 {sha256[:12]})")
        case Misquote(agent=agent):
            return Line("note", f"checks what {agent} cites", tone="bad")
        case _:
            return None
