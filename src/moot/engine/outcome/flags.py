"""Flags for any protocol: about the cast, the models, the replies, and the end of the debate."""

from collections.abc import Mapping, Sequence

from pydantic_core import to_json

from moot.engine.play.endings import CUT
from moot.engine.sources.source_flags import context_flags, lookup_flags
from moot.plugins.files import ignored_words
from moot.present import Flag
from moot.record.entry import Entry, data_of
from moot.record.journal import Record
from moot.record.payloads import Header, Irregular, Switch
from moot.text.prose import listed, plural

_CUT_TEXT = f'{CUT}"'.encode()
"""The end of such a text in JSON; nothing else ends like this."""
MOST_NAMED = 5
ODDITIES = {
    "impersonation": "speaking for another agent",
    "copying": "mostly copied from an earlier statement",
    "loop": "saying the same over and over",
    "echo": "repeating the request",
    "json_for_prose": "in JSON where words were asked for",
    "headings": "with headings where prose was asked for",
    "declined": "declining to argue",
    "incomplete": "without all that was asked for",
}
"""Faults of replies that were kept, by the codes of their flags."""


def common_flags(
    header: Header, entries: Sequence[Entry], records: Sequence[Record], names: Mapping[str, str], inherited: int
) -> list[Flag]:
    """Warnings about the cast, the models that really answered, and missing replies. `names` are the agents' names
    by role; the first `inherited` records belong to another run."""
    switches = [entry for entry in entries if isinstance(entry.data, Switch)]
    chosen = [Flag(code="model_chosen", text=one.content, severity="note") for one in switches if _chosen(one)]
    return [
        *header.flags,
        *dict.fromkeys(chosen),
        *_other_models(header, switches, records[:inherited]),
        *_replaced(switches),
        *_missing(entries),
        *_irregular(entries),
        *_cut(records, names),
        *_marked(entries),
        *_doubtful(records[inherited:]),
        *(context_flags(entries, records, names) if "Documents" in header.details else ()),
        *(lookup_flags(header, entries, records, names) if "Tools" in header.details else ()),
    ]


def unfinished(status: str, reason: str | None) -> list[Flag]:
    """A flag that the debate is not finished, and why."""
    if status == "done":
        return []
    how = {"limit": "Stopped at a limit", "failed": "Stopped by a failure", "interrupted": "Interrupted"}
    text = f"{how.get(status, status)}{f': {reason}' if reason else ''}"
    return [Flag(code="unfinished", text=text if text.endswith(".") else f"{text}.")]


def settings_flags(ignored: Sequence[str]) -> list[Flag]:
    """A note that settings of the project did not count."""
    return [Flag(code="settings_ignored", text=ignored_words(ignored), severity="note")] if ignored else []


def _chosen(entry: Entry) -> bool:
    return isinstance(entry.data, Switch) and entry.data.call is None


def _other_models(header: Header, switches: Sequence[Entry], inherited: Sequence[Record]) -> list[Flag]:
    """Models that answered before a fork but are not in this run's cast."""
    known = {model for member in header.cast for model in member.models}
    known |= {entry.data.to_model for entry in switches if isinstance(entry.data, Switch)}
    spoke = {record.model: record.small for record in inherited if record.kind == "reply" and record.model is not None}
    return [
        Flag(
            code="inherited_model",
            text=f"A part of it, from before the fork, was said through {name}"
            + (", a very small model: what rests on that is no judgement." if spoke[name] else "."),
            severity="warning" if spoke[name] else "note",
        )
        for name in sorted(spoke.keys() - known)
    ]


def _replaced(switches: Sequence[Entry]) -> list[Flag]:
    """Agents whose model failed and was replaced."""
    agents = dict.fromkeys(
        entry.data.agent for entry in switches if isinstance(entry.data, Switch) and not _chosen(entry)
    )
    if not agents:
        return []
    text = f"A fallback model took over during the debate: {listed(list(agents), MOST_NAMED)}."
    return [Flag(code="model_failed", text=text, severity="note")]


def _missing(entries: Sequence[Entry]) -> list[Flag]:
    """Votes, scores and statements that are missing according to the entries. The protocol explains the
    consequences."""
    failed = [
        (entry.data.failing if entry.data is not None else None) or entry.speaker
        for entry in entries
        if getattr(entry.data, "failure", None) is not None
    ]
    failed = [who for who in failed if who != "moot"]
    return _told("replies_missing", failed, "missing or unusable")


def _doubtful(records: Sequence[Record]) -> list[Flag]:
    """Calls whose price was not reported by the server."""
    found = []
    records = [record for record in records if record.doubt is not None]
    if broken := [record for record in records if record.kind == "failure"]:
        text = f"The cost of {plural(len(broken), 'interrupted call')} is unknown; moot counted the maximum."
        found.append(Flag(code="usage_unknown", text=text, severity="note"))
    if wrong := [record for record in records if record.kind == "reply"]:
        replies = plural(len(wrong), "reply", "replies")
        text = f"The server reported impossible token counts for {replies} ({wrong[0].doubt}); moot counts the maximum."
        found.append(Flag(code="usage_doubtful", text=text))
    return found


def _irregular(entries: Sequence[Entry]) -> list[Flag]:
    """Replies that were kept with a fault detected by code, one flag for each kind of fault."""
    if not (found := data_of(entries, Irregular)):
        return []
    agents = {code: [one.agent for one in found if code in one.codes] for code in ODDITIES}
    return [flag for code, who in agents.items() for flag in _told(code, who, ODDITIES[code])]


def _cut(records: Sequence[Record], names: Mapping[str, str]) -> list[Flag]:
    cut = [record for record in records if record.kind == "reply" and record.finish_reason == "length"]
    agents = [(record.agent or "").partition("@")[0] for record in cut]
    return _told("replies_cut", [names.get(part, part) for part in agents], "stopped at the token limit")


def _marked(entries: Sequence[Entry]) -> list[Flag]:
    """Texts that are cut off, even after they were asked for again."""
    told = [entry for entry in entries if entry.data is not None]
    if _CUT_TEXT not in to_json([entry.data for entry in told]):
        return []
    cut = [entry.speaker for entry in told if _CUT_TEXT in to_json(entry.data)]
    how = "had a text that stops before its end, at […]"
    return [flag.model_copy(update={"severity": "note"}) for flag in _told("texts_cut", cut, how, ("entry", "entries"))]


def _told(code: str, who: Sequence[str], how: str, of: tuple[str, str] = ("reply", "replies")) -> list[Flag]:
    """A flag that so many replies are like that, and whose; none if there are none."""
    text = f"{plural(len(who), *of).capitalize()} {how}: {listed(list(dict.fromkeys(who)), MOST_NAMED)}."
    return [Flag(code=code, text=text)] if who else []
