"""The presentation of a chaired debate: the outcome in words, its flags, the figures of each side, the checked
sources, and the lines of its entries."""

from collections.abc import Sequence
from dataclasses import replace

from moot.engine.material import Material
from moot.engine.plain import plain_line
from moot.present import Block, Flag, Item, Items, Line, Lines, Paragraph, Quote, Section, Summary, Table
from moot.protocols.chaired.config import DEBATERS
from moot.protocols.chaired.documents import stretch_of
from moot.protocols.chaired.end import IN_WORDS
from moot.protocols.chaired.payloads import (
    STATUS_WORDS,
    Announcement,
    Challenge,
    Conclusion,
    Leaning,
    Question,
    Redaction,
    Ruling,
    Setup,
    Spoken,
    Verification,
    View,
    Withdrawal,
)
from moot.protocols.chaired.record import readable
from moot.protocols.chaired.result import STATUSES, ChairedOutcome, findings
from moot.protocols.chaired.rules import contradicts
from moot.record.entry import Entry, data_of, first_data
from moot.record.payloads import Header
from moot.text.prose import listed, plural, sentence

STEPS = {
    "topic": "is wording the topic",
    "turn": "is preparing a statement",
    "check": "is checking a source",
    "conduct": "is weighing the conduct",
    "clarify": "is clarifying",
    "questions": "is listening",
    "relay": "is choosing questions",
    "go-on": "is deciding whether to go on",
    "unresolved": "is naming what is unresolved",
    "decision": "is deciding",
    "leaning": "is saying in private what it leans to",
    "view": "is taking stock",
    "summary": "is writing the summary",
    "post": "is writing the post",
    "post-again": "is writing the post again",
    "assessment": "is assessing the debate",
}
DOCUMENTS = (
    "In the folder of the run are also transcript.md, verifier-report.md, metadata.json and, where they were written, "
    "summary.md, blog-post.md and assessor-report.md."
)
DOUBTS = ("unreliable", "unreachable", "unjudged")


def summary(outcome: ChairedOutcome, entries: Sequence[Entry]) -> Summary:
    own = readable([entry for entry in entries if not entry.outside])
    concluded = next((entry for entry in own if isinstance(entry.data, Conclusion)), None)
    return Summary(
        headline=headline(outcome, concluded),
        decided=outcome.outcome not in (None, "void"),
        reached=_reached(outcome),
        change=_change(outcome),
        flags=[*_verdict_flags(outcome, concluded, own), *_source_flags(outcome), *_conduct_flags(own)],
    )


def headline(outcome: ChairedOutcome, concluded: Entry | None) -> str:
    """Who won, in words."""
    if outcome.outcome is None or concluded is None:
        return "No outcome yet" if concluded is None else "No outcome"
    if outcome.decided_by == "code" and outcome.winner:
        return concluded.content.partition("\n")[0].partition(",")[0]
    won = IN_WORDS[outcome.outcome].rstrip(".")
    name = outcome.names.get(outcome.winner or "")
    return won.replace(f"The {outcome.winner} wins", f"The {outcome.winner}, {name}, wins") if name else won


def _change(outcome: ChairedOutcome) -> str | None:
    """What debating changed in the minds of the listeners."""
    told = []
    for role, one in outcome.leanings.items():
        if one.before is None or one.after is None:
            continue
        if one.before == one.after:
            told.append(f"the {role} leant {one.after} of 100 to the topic before and after")
        else:
            by = f" after {listed([f'#{seq}' for seq in one.moved_by])}" if one.moved_by else ""
            told.append(f"the {role} moved from {one.before} to {one.after} of 100 for the topic{by}")
    return sentence("; ".join(told)) if told else None


def _reached(outcome: ChairedOutcome) -> str:
    if outcome.outcome is None:
        return ""
    by = "the chair" if outcome.decided_by == "chair" else "the rules alone"
    return f"By {by}, after {plural(outcome.rounds, 'round')}."


def _basis_flags(winner: str, conclusion: Conclusion, entries: Sequence[Entry]) -> list[Flag]:
    """Reasons to doubt what the chair rests a win on. A small model is not asked for it."""
    if not (conclusion.promoter_case or conclusion.detractor_case or conclusion.stronger):
        return []
    flags = []
    if conclusion.stronger is None:
        text = "The chair does not say whose case its reasons speak for, so they are not compared with the outcome."
        flags.append(Flag(code="conclusion_not_compared", text=text))
    own = [entry.seq for entry in entries if entry.seq in conclusion.rests_on and entry.speaker == winner]
    if not own:
        text = f"Nothing that the {winner} said bears its win: the chair names no statement of that side."
        flags.append(Flag(code="win_without_statement", text=text))
    elif all(_is_refuted(seq, entries) for seq in own):
        told = listed([f"#{seq}" for seq in own])
        text = f"The {winner}’s win rests on {told}, whose sources do not bear out what is cited from them."
        flags.append(Flag(code="win_rests_on_refuted", text=text))
    return flags


def _is_refuted(seq: int, entries: Sequence[Entry]) -> bool:
    """Whether the sources of a statement speak against it: one is not what it is cited for, and none is."""
    found = {one.status for (target, _, _), one in findings(entries).items() if target == seq}
    return "verified" not in found and bool(found & {"unreliable", "fabricated"})


def _verdict_flags(outcome: ChairedOutcome, concluded: Entry | None, entries: Sequence[Entry]) -> list[Flag]:
    """Reasons not to take the chair's conclusion at face value."""
    if concluded is None or not isinstance(concluded.data, Conclusion):
        return []
    flags = []
    if outcome.outcome is None:
        text = f"The chair came to no usable decision: {concluded.data.failure or 'no reason is given'}."
        flags.append(Flag(code="no_decision", text=text))
    if outcome.decided_by == "code":
        who = "one side" if outcome.winner else "both sides"
        text = f"Decided by the rules alone: {who} cited fabricated sources."
        flags.append(Flag(code="decided_by_rules", text=text))
    if outcome.winner and (made_up := outcome.sides[outcome.winner].sources["fabricated"]):
        cited = plural(made_up, "fabricated source")
        text = f"The winner fabricated evidence: the {outcome.winner}, whose side won, cited {cited}."
        flags.append(Flag(code="winner_cited_fabricated_sources", text=text))
    if silent := [f"the {role}" for role, side in outcome.sides.items() if not side.statements]:
        text = f"No debate of two sides: no statement of {listed(silent)} stands."
        flags.append(Flag(code="side_without_statement", text=text))
    if concluded.data.faults:
        text = f"The chair’s conclusion is not as the rules want it: {'; '.join(concluded.data.faults)}."
        flags.append(Flag(code="conclusion_faulty", text=text, severity="note"))
    if outcome.winner:
        flags += _basis_flags(outcome.winner, concluded.data, entries)
    if outcome.outcome and contradicts(concluded.data.stronger, outcome.outcome):
        stronger = concluded.data.stronger
        named = "neither side" if stronger == "neither" else f"the {stronger}"
        text = (
            f"The chair’s reasons contradict the record: it says that they speak for {named}, and on record is: "
            f"{IN_WORDS[outcome.outcome]}"
        )
        flags.append(Flag(code="conclusion_contradicts_record", text=text))
    return flags


def _source_flags(outcome: ChairedOutcome) -> list[Flag]:
    found = outcome.verification
    checked, flags = sum(found.values()), []
    if made_up := found["fabricated"]:
        by = [f"the {role}" for role, side in outcome.sides.items() if side.sources["fabricated"]]
        are = "is" if made_up == 1 else "are"
        text = f"Of {plural(checked, 'cited source')}, {made_up} {are} fabricated, by {listed(by)}."
        flags.append(Flag(code="sources_fabricated", text=text))
    if outcome.redactions:
        were = "was" if len(outcome.redactions) == 1 else "were"
        count = plural(len(outcome.redactions), "entry", "entries")
        text = f"{count.capitalize()} {were} redacted for fabricated sources."
        flags.append(Flag(code="entries_redacted", text=text))
    if doubts := [f"{found[status]} {STATUS_WORDS[status]}" for status in DOUBTS if found[status]]:
        text = f"Not every source was verified; of {plural(checked, 'cited source')}: {listed(doubts)}."
        flags.append(Flag(code="sources_not_verified", text=text))
    if checked and not any(found[status] for status in ("verified", "unreliable", "fabricated")):
        text = f"No source was judged: of {plural(checked, 'cited source')} none was read and compared."
        flags.append(Flag(code="no_source_judged", text=text))
    return flags


def _conduct_flags(entries: Sequence[Entry]) -> list[Flag]:
    """Flags about missing parts of the debate."""
    flags = []
    view = first_data(entries, View)
    if view is not None and (wrong := view.fault or view.failure):
        text = f"The audience’s conclusion is not as the rules want it: {wrong}."
        flags.append(Flag(code="audience_conclusion_faulty", text=text))
    announced = data_of(entries, Announcement)
    if lacking := [f"the {one.failing or 'chair'}" for one in announced if one.failure]:
        missing = plural(len(lacking), "judgement")
        text = f"A role failed, and the debate went on without it: {missing} of {listed(list(dict.fromkeys(lacking)))}."
        flags.append(Flag(code="judgements_missing", text=text))
    ruled = [entry.data for entry in entries if isinstance(entry.data, Ruling)]
    if any(one.about == "reporter" for one in ruled):
        text = "The assessor finds that the reporter was not neutral: read summary and post with that in mind."
        flags.append(Flag(code="reporter_not_neutral", text=text))
    if any(one.about == "reasons" for one in ruled):
        text = "The assessor finds that the chair’s reasons speak for another outcome than the one on record."
        flags.append(Flag(code="reasons_contradict_outcome", text=text))
    if invented := _by_side(ruled, "quotation"):
        text = f"Quotations whose words were found nowhere: {invented}."
        flags.append(Flag(code="quotations_not_found", text=text))
    if conduct := _by_side(ruled, "conduct"):
        text = f"The chair ruled on conduct: {conduct}."
        flags.append(Flag(code="conduct_ruled_on", text=text, severity="note"))
    if struck := _by_side(ruled, "struck"):
        text = f"Turns were struck, since they kept breaking a rule: {struck}."
        flags.append(Flag(code="turns_struck", text=text, severity="note"))
    return flags


def _by_side(ruled: Sequence[Ruling], about: str) -> str:
    """How many rulings about this went against each, in words."""
    found = [one.against or "" for one in ruled if one.about == about]
    return listed([f"the {role} {found.count(role)}" for role in dict.fromkeys(found)])


def sections(material: Material) -> list[Section]:
    outcome, entries = material.result.outcome, material.entries
    assert isinstance(outcome, ChairedOutcome)  # noqa: S101 (there is a header, so there is one)
    concluded = next((entry for entry in entries if isinstance(entry.data, Conclusion)), None)
    view = next((entry for entry in entries if isinstance(entry.data, View)), None)
    return [
        Section("ruling", "Outcome", [_reasons(concluded)] if concluded else [], "card"),
        Section("sides", "What each side has to show", [_sides(outcome)], "card", brief=True),
        Section("audience", "What the audience takes home", [Quote(view.content, aloud=False)] if view else []),
        Section("redacted", "Redacted", _redacted(outcome), brief=True),
        Section("sources", "Sources", _sources(entries)),
        Section("documents", "Documents", _documents(entries), "end", brief=True),
    ]


def _reasons(concluded: Entry) -> Quote:
    """The chair's reasons; the outcome is in the headline above them."""
    reasons = concluded.content.partition("\n\n")[2]
    return Quote(reasons or concluded.content, "The chair", concluded.seq)


def _sides(outcome: ChairedOutcome) -> Table:
    sides = list(outcome.sides.values())
    rows = [
        ["Statements that stand", *(f"{side.statements}" for side in sides)],
        ["Statements withdrawn", *(f"{side.withdrawn}" for side in sides)],
        ["Statements redacted", *(f"{side.redacted}" for side in sides)],
        ["Rulings against it", *(f"{side.rulings}" for side in sides)],
        *([f"Sources {STATUS_WORDS[status]}", *(f"{side.sources[status]}" for side in sides)] for status in STATUSES),
    ]
    return Table(["", *outcome.sides], rows, name="What each side has to show")


def _redacted(outcome: ChairedOutcome) -> list[Block]:
    if not outcome.redactions:
        return []
    items = [
        Item(
            f"of the {one.speaker}, redacted by ruling {one.ruling}: {one.reason}",
            f"Entry {one.seq}",
            link=f"e{one.seq}",
        )
        for one in outcome.redactions
    ]
    why = "What these entries said is in no prompt after the ruling, in no document and not in this report."
    return [Paragraph(why, "lead"), Items(items)]


def _sources(entries: Sequence[Entry]) -> list[Block]:
    """Every finding of the verifier: sentence, passage and finding side by side."""
    by_seq = {entry.seq: entry for entry in entries}
    rows = [
        [
            f"{entry.target_seq}, {by_seq[entry.target_seq].speaker}",
            data.sentence,
            data.url or data.found_in or "nowhere",
            data.quote,
            f"{STATUS_WORDS[data.status].capitalize()}: {data.explanation}",
        ]
        for entry in entries
        if isinstance(data := entry.data, Verification) and entry.target_seq in by_seq
    ]
    if not rows:
        return []
    why = (
        "Every sentence that cites a source, and every quotation, with what the verifier found. Without a passage that "
        "stands in the page and has the sentence’s figures, dates and names, nothing is verified."
    )
    columns = ["Entry", "Sentence", "Source", "Passage", "Found"]
    return [Paragraph(why, "lead"), Table(columns, rows, texts=5, name="What was found of each citation")]


def _documents(entries: Sequence[Entry]) -> list[Block]:
    """The list of documents from the chair's last statement."""
    said = [entry for entry in entries if isinstance(entry.data, Announcement) and entry.data.kind == "end"]
    return [Paragraph(DOCUMENTS, "small")] if said else []


PLACES = {
    "openings": "the opening statements",
    "closings": "the closing statements",
    "over": "the decision",
    "end": "the reports",
}


def place(entries: Sequence[Entry]) -> str:
    """What the chair announced last."""
    at, most = "the beginning", 0
    for entry in entries:
        if isinstance(entry.data, Setup):
            most = entry.data.max_rounds
        elif isinstance(entry.data, Announcement) and entry.data.kind == "round":
            at = f"round {entry.data.round} of at most {most}"
        elif isinstance(entry.data, Announcement):
            at = PLACES.get(entry.data.kind, at)
    return at


def lines() -> Lines:
    """Puts a chaired debate's entries into lines, each in its section of the debate."""
    sides: dict[str, str] = {}
    stretch = ""

    def line(entry: Entry) -> Line | None:
        nonlocal stretch
        if entry.outside:
            return None
        if isinstance(entry.data, Header):
            sides.update({member.name: member.side for member in entry.data.cast if member.side})
        stretch = stretch_of(entry, stretch)
        return replace(_line(entry, sides.get(entry.speaker)) or plain_line(entry), group=stretch)

    return line


def _line(entry: Entry, side: str | None) -> Line | None:  # noqa: C901, PLR0912 (a case for each kind)
    words = entry.type.replace("_", " ")
    match entry.data:
        case Spoken(round=number):
            when = f"round {number}" if number else entry.phase
            return Line("statement", " · ".join(filter(None, [side, words, when])))
        case Challenge():
            return Line("mark", "challenges a source", "challenge")
        case Verification(status=status, url=url, explanation=why):
            tone = "good" if status == "verified" else "bad"
            text = f"{url}: {why}" if url else why
            return Line("mark", "reports to the chair", STATUS_WORDS[status], text=text, tone=tone)  # type: ignore[arg-type]
        case Withdrawal():
            return Line("mark", "takes back an entry", "withdrawn")
        case Redaction():
            return Line("mark", "strikes an entry", "redacted", tone="bad")
        case Ruling(rule=rule):
            return Line("mark", "rules", f"rule {rule}")
        case Question(to=to):
            return Line("statement", f"asks the {to}")
        case Leaning():
            return Line("note", "tells in private how far it leans")
        case Conclusion():
            return Line("verdict", "concludes")
        case View():
            return Line("statement", "takes home")
        case Announcement(kind="missing"):
            return Line("mark", "goes on without", "missing", tone="bad")
        case Announcement():
            return Line("note", "announces", tone="strong")
        case _:
            return Line("statement", words) if entry.speaker in DEBATERS else None
