"""Flags about documents and lookups: what was not read or shown, what was looked up, and what was misquoted."""

from collections import Counter
from collections.abc import Mapping, Sequence

from moot.engine.sources.context import SHOWN
from moot.engine.sources.lookups import LOOK
from moot.present import Flag
from moot.record.entry import Entry, data_of
from moot.record.journal import Record
from moot.record.payloads import Given, Header, Lookup, Misquote
from moot.text import clip, one_line
from moot.text.prose import listed, plural

WHY_NOBODY = "small models, and roles without a lookup step such as a judge, are never asked"


def context_flags(entries: Sequence[Entry], records: Sequence[Record], names: Mapping[str, str]) -> list[Flag]:
    """What to know about the documents: what was not read or not shown, and false quotations."""
    given = {one.document: one for one in data_of(entries, Given)}
    flags = document_flags(given, records, names)
    if wrong := data_of(entries, Misquote):
        who = listed(list(dict.fromkeys(f"{one.agent} ({one.document})" for one in wrong)), 5)
        text = f"{plural(len(wrong), 'citation').capitalize()} of documents and lookups could not be verified: {who}."
        flags.append(Flag(code="misquoted", text=text))
    return flags


def document_flags(given: Mapping[str, Given], records: Sequence[Record], names: Mapping[str, str]) -> list[Flag]:
    """The parts that were not read into the documents, and the parts that were not shown to some agents."""
    flags = [
        Flag(code="documents_not_read", text=f"Not read into {key}: {one.left_out}.", severity="note")
        for key, one in given.items()
        if one.left_out
    ]
    # Where a server refused a request for its length, less was shown: the last record of an agent counts.
    last = {
        (record.key.removeprefix(SHOWN).partition("@")[0].partition("/")[0], key): shown
        for record in records
        if record.kind == "fact" and record.key.startswith(SHOWN) and isinstance(record.value, dict)
        for key, shown in record.value.items()
        if key in given and isinstance(shown, int)
    }
    readers: dict[tuple[str, int], list[str]] = {}
    for (part, key), shown in last.items():
        readers.setdefault((key, shown), []).append(names.get(part, part))
    unseen = [(key, who) for (key, _), who in readers.items() if given[key].image]
    flags += [
        Flag(
            code="images_not_shown",
            text=f"{key} is an image that is not shown to {listed(list(dict.fromkeys(who)), 5)}: their models take "
            "none, or refused it.",
        )
        for key, who in unseen
    ]
    return flags + [
        Flag(
            code="documents_cut",
            text=f"{key} was too long: only the first {shown:,} of its {given[key].characters:,} characters were shown "
            f"to {listed(list(dict.fromkeys(who)), 5)}.",
        )
        for (key, shown), who in readers.items()
        if not given[key].image
    ]


def lookup_flags(
    header: Header, entries: Sequence[Entry], records: Sequence[Record], names: Mapping[str, str]
) -> list[Flag]:
    """How much each agent looked up. An agent that could look things up and did not, while another did, argues from
    memory."""
    sources = [record for record in records if record.kind == "fact" and record.key.startswith("world/tools/")]
    if not sources:
        if not any(record.kind == "reply" for record in records):
            return []
        tools = header.details["Tools"]
        return [
            Flag(
                code="tools_not_used",
                text=f"The tools ({tools}) were not used: {WHY_NOBODY}.",
            )
        ]
    broken = [one for one in sources if isinstance(one.value, dict) and one.value.get("error")]
    flags = [
        Flag(
            code="tool_missing",
            text=f"The tool {one.key.rpartition('/')[2]} could not be used: {clip(one_line(one.value['error']), 200)}.",
        )
        for one in broken
    ]
    flags += [
        Flag(
            code="tools_left_out",
            text=f"Not all that {one.key.rpartition('/')[2]} offers could be used: {one.value['left_out']}.",
            severity="note",
        )
        for one in sources
        if isinstance(one.value, dict) and one.value.get("left_out")
    ]
    found = data_of(entries, Lookup)
    made = Counter(one.agent for one in found if one.error is None)
    parts = [record.agent or "" for record in records if record.kind == "reply" and LOOK in record.key.split("/")]
    asked = dict.fromkeys(names.get(part, part) for part in (one.partition("@")[0] for one in parts))
    without = [name for name in asked if not made[name]]
    if failed := [one for one in found if one.error is not None]:
        reasons = listed(list(dict.fromkeys(one.error or "" for one in failed)), 3)
        text = f"{plural(len(failed), 'lookup').capitalize()} gave nothing: {reasons}."
        flags.append(Flag(code="lookups_failed", text=text, severity="note"))
    if not made:
        did = "found anything" if failed else "looked anything up"
        flags.append(Flag(code="nothing_looked_up", text=f"The agents had tools, but none {did} with them."))
        return flags
    told = listed([f"{name} looked up {plural(count, 'source')}" for name, count in made.items()], 6)
    flags.append(Flag(code="looked_up", text=f"{told}.", severity="note"))
    if without:
        flags.append(
            Flag(code="argued_without_lookups", text=f"{listed(without, 6)} argued without looking up anything.")
        )
    return flags
