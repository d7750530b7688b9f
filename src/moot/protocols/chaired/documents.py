"""The documents of a chaired debate. Transcript, verifier report and metadata come from the log, and the models from
the journal. Summary, post and assessment are replies from the journal, shown as plain text. Above each of these is a
line of facts from the record: its author, and how the debate ended."""

import json
from collections.abc import Sequence

from moot.api import Entry, Fault, Material, Record, parse, part_of
from moot.present import Table
from moot.present.markdown import article, inline, quote, table
from moot.protocols.chaired.config import DEBATERS
from moot.protocols.chaired.end import ASSESSMENT_CALL, POST_CALLS, POST_WORDS, SUMMARY_CALL, in_words
from moot.protocols.chaired.payloads import (
    STATUS_WORDS,
    Announcement,
    Conclusion,
    Redaction,
    Ruling,
    Setup,
    Verification,
    Withdrawal,
)
from moot.protocols.chaired.record import mask_of
from moot.protocols.chaired.result import STATUSES, outcome
from moot.protocols.chaired.rules import citations, unknown_addresses
from moot.protocols.chaired.shapes import Assessment
from moot.protocols.chaired.summary import checks
from moot.text.language import word_count
from moot.text.names import slug

PHASES = {"system": "Setup", "opening": "Opening statements", "rebuttal": "Rounds", "closing": "Closing statements"}


def documents(material: Material) -> dict[str, str]:
    """All documents by file name; empty before the debate has started."""
    entries = material.entries
    if not isinstance(material.header, Setup):
        return {}
    found = {
        "transcript.md": transcript(material, entries),
        "verifier-report.md": verifier_report(material, entries),
        "metadata.json": metadata(material, entries),
        "summary.md": summary(material),
        "blog-post.md": blog_post(material, entries),
        "assessor-report.md": assessment(material),
    }
    return {name: text for name, text in found.items() if text is not None}


def transcript(material: Material, entries: Sequence[Entry]) -> str:
    """Every entry in order, with its checks and rulings."""
    result, setup = outcome(entries), material.header
    assert isinstance(setup, Setup)  # noqa: S101 (documents are made of a debate that has begun)
    own, spoke = of_debate(entries), models_of(material)
    outside = f", {len(entries) - len(own)} from outside" if len(own) < len(entries) else ""
    rows = [
        ["Outcome", in_words(result.outcome, result.decided_by) if result.outcome else "none"],
        ["Rounds", f"{result.rounds} of at most {setup.max_rounds}"],
        ["From", own[0].timestamp],
        ["To", own[-1].timestamp],
        ["Entries", f"{len(entries)}, {len(result.redactions)} of them redacted{outside}"],
        ["Evidence", setup.evidence or "the web"],
        *([member.name, ", then ".join(spoke[member.name]) or "was not heard"] for member in setup.cast),
    ]
    parts = [f"# {inline(material.topic)}", table(Table(["", ""], rows, texts=2)), navigation(entries)]
    stretch = ""
    for entry in entries:
        heading = stretch_of(entry, stretch)
        if heading != stretch:
            parts.append(f"## {heading}")
            stretch = heading
        parts.append(item(entry, entries))
    return "\n\n".join(parts) + "\n"


def of_debate(entries: Sequence[Entry]) -> list[Entry]:
    """The debate's own entries, without those appended from outside."""
    return [entry for entry in entries if not entry.outside]


def models_of(material: Material) -> dict[str, list[str]]:
    """The models that each agent actually used, in the order of their first replies."""
    spoke: dict[str, dict[str, None]] = {name: {} for name in material.names.values()}
    for record in material.records:
        name = material.names.get(part_of(record.agent))
        if record.kind == "reply" and record.model is not None and name is not None:
            spoke[name].setdefault(record.model)
    return {name: list(models) for name, models in spoke.items()}


def navigation(entries: Sequence[Entry]) -> str:
    """Links to every section of the debate."""
    stretches: list[str] = []
    for entry in entries:
        heading = stretch_of(entry, stretches[-1] if stretches else "")
        stretches += [heading] if heading not in stretches else []
    return "\n".join(f"- [{name}](#{name.lower().replace(' ', '-')})" for name in stretches)


def stretch_of(entry: Entry, before: str) -> str:
    """The section of the debate that an entry belongs to. A verifier's report belongs where the chair heard it, and
    a note that is not part of the debate, such as a change of model, where it happened."""
    if (entry.type == "verification_result" or entry.phase not in PHASES) and before:
        return before
    if isinstance(entry.data, Announcement) and entry.data.kind == "round":
        return f"Round {entry.data.round}"
    if entry.phase == "rebuttal":
        return before
    return "Conclusion" if entry.phase == "system" and before not in ("", "Setup") else PHASES.get(entry.phase, "Setup")


def item(entry: Entry, entries: Sequence[Entry]) -> str:
    """One entry. Its fact-checks and rulings are listed below it, and also appear at their own places."""
    about = f"answers entry {entry.rebuttal_to_seq}" if entry.rebuttal_to_seq is not None else ""
    about = f"on entry {entry.target_seq}" if entry.target_seq is not None else about
    kind = entry.type.replace("_", " ") + (", from outside" if entry.outside else "")
    title = f"**{entry.seq}. {inline(entry.speaker)}, {inline(kind)}**"
    lines = [f"{title}{f' ({about})' if about else ''} · {entry.timestamp[11:19]} UTC", "", quote(entry.content)]
    notes = [
        f"- Source {number}: {inline(source.title)}, {inline(source.url)}"
        for number, source in enumerate(entry.sources, 1)
    ]
    for later in entries:
        if later.target_seq == entry.seq and isinstance(later.data, Verification):
            notes.append(fact_check(later.seq, later.data))
        elif later.target_seq == entry.seq and isinstance(later.data, Ruling | Redaction):
            sentence = later.data.sentence if isinstance(later.data, Ruling) else None
            about = f", on “{inline(sentence)}”" if sentence else ""
            notes.append(f"- {later.type.capitalize()} {later.seq}, rule {later.data.rule}{about}")
    return "\n".join(str(line) for line in [*lines, *([""] if notes else []), *notes])


def fact_check(seq: int, found: Verification) -> str:
    """A finding in a line: the sentence, what was found of it, and the passage."""
    quoted = f"; the passage: {inline(found.quote)}" if found.quote else ""
    told = f"“{inline(found.sentence)}”, of {inline(found.url)}: {STATUS_WORDS[found.status]}"
    return f"- Fact-check {seq}: {told}{quoted}"


def verifier_report(material: Material, entries: Sequence[Entry]) -> str:
    """Counts; for each debater the sentence, the passage and the finding side by side; what was struck or withdrawn."""
    speakers: dict[int | None, str] = {entry.seq: entry.speaker for entry in entries}
    result = outcome(entries)
    rows = [[STATUS_WORDS[status], f"{result.verification[status]}"] for status in STATUSES]
    parts = [f"# Verifier's report: {inline(material.topic)}", table(Table(["Status", "Citations"], rows))]
    for role in DEBATERS:
        found = checks(entries, role)
        parts += [f"## The {role}", table(found) if found else "No source was cited."]
    struck = mask_of(entries).struck.values()
    gone = [
        f"- Entry {one.seq} of the {speakers[one.seq]}, by ruling {one.ruling}: {inline(one.mark)}" for one in struck
    ]
    gone += [
        f"- {f'“{inline(one)}” of e' if one else 'E'}ntry {entry.target_seq}, withdrawn by the {entry.speaker}: "
        f"{inline(entry.content)}"
        for entry in entries
        if isinstance(entry.data, Withdrawal) and not entry.outside
        for one in entry.data.sentences or [""]
    ]
    parts += ["## Withdrawn claims", "\n".join(gone) or "None."]
    return "\n\n".join(str(part) for part in parts) + "\n"


def metadata(material: Material, entries: Sequence[Entry]) -> str:
    result, setup, own = outcome(entries), material.header, of_debate(entries)
    assert isinstance(setup, Setup)  # noqa: S101
    content = {
        "topic": setup.topic,
        "slug": slug(setup.topic),
        "start": own[0].timestamp,
        "end": own[-1].timestamp,
        "rounds": result.rounds,
        "outcome": result.outcome,
        "reason": result.reasoning,
        "entries": len(entries),
        "redactions": len(result.redactions),
        "verification": result.verification,
        "models": models_of(material),
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def replies(material: Material, *keys: str) -> list[Record]:
    """The replies to these calls, in order of the attempts, for readers."""
    found = [record for record in material.records if record.kind == "reply" and record.key in keys]
    found.sort(key=lambda one: (keys.index(one.key), one.attempt))
    return [record.model_copy(update={"reply": material.shown(record.key, record.reply or "")}) for record in found]


def on_record(material: Material, reply: Record) -> str:
    """The line above a document written by a model: its author, how the debate ended, and its invalid citations."""
    result = outcome(material.entries)
    writer = f"Written by the {inline(part_of(reply.agent))} through {inline(reply.model)}, not by the program."
    told = in_words(result.outcome, result.decided_by) if result.outcome else "none."
    ended = f"The outcome on record: {told}"
    known = {entry.seq for entry in of_debate(material.entries)}
    unknown = ", ".join(f"\\#{seq}" for seq in citations(reply.reply or "") if seq not in known)
    vain = f" This cites {unknown}, and no such entry is in the debate." if unknown else ""
    sources = {source.url for entry in material.entries for source in entry.sources}
    made_up = ", ".join(inline(one) for one in unknown_addresses(reply.reply or "", sources))
    vain += f" This names {made_up}, and nobody cited that." if made_up else ""
    partial = [entry.seq for entry in material.entries if isinstance(entry.data, Ruling) and entry.data.rule == 16]
    if partial and part_of(reply.agent) == "reporter":
        vain += f" The assessor finds the reporter not neutral: ruling {partial[0]}."
    return f"*{writer} {ended}{vain}*"


def written(material: Material, reply: Record, note: str = "") -> str:
    """A document written by a model, below the facts from the record, with a note if needed."""
    return f"{on_record(material, reply)}\n\n{article(reply.reply or '')}\n{note}"


def summary(material: Material) -> str | None:
    found = replies(material, SUMMARY_CALL)
    return written(material, found[-1]) if found else None


def blog_post(material: Material, entries: Sequence[Entry]) -> str | None:
    found = replies(material, *POST_CALLS)
    if not found or any(isinstance(entry.data, Conclusion) and entry.data.outcome == "void" for entry in entries):
        return None
    count, (least, most) = word_count(found[-1].reply or ""), POST_WORDS
    note = "" if least <= count <= most else f"\n*This post has {count} words; {least} to {most} were asked for.*\n"
    return written(material, found[-1], note)


def assessment(material: Material) -> str | None:
    found = replies(material, ASSESSMENT_CALL)
    if not found:
        return None
    last = parse(Assessment, found[-1].reply or "")
    title = f"# Assessor's report: {inline(material.topic)}"
    if isinstance(last, Fault):
        return f"{title}\n\nThere is none: the assessor's reply cannot be used, since {inline(last.reason)}.\n"
    parts = [on_record(material, found[-1]), title, f"Overall: **{last.overall}**", "## Role by role"]
    for role, review in last.roles:
        listed = [f"- {name.capitalize()}: {inline(text)}" for name, text in review]
        parts += [f"### The {role}", "\n".join(listed)]
    neutral = "kept" if last.reporter_neutral else "broken"
    parts += [f"Rule 16, the reporter's neutrality, was {neutral} in the assessor's eyes.", "## Improvements"]
    parts.append("\n".join(f"{number}. {inline(one)}" for number, one in enumerate(last.improvements, 1)))
    return "\n\n".join(parts) + "\n"
