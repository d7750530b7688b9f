"""The presentation of a chaired debate: the answer, its flags, the figures of each side, and the checked sources."""

from collections.abc import Sequence

from moot.api import Entry, Material, Payload, data_of, first_data, headline, recorded_brief, without_answer
from moot.evidence import RULED, Status
from moot.present import Block, Flag, Item, Items, Paragraph, Quote, Section, Summary, Table
from moot.protocols.chaired.end import IN_WORDS
from moot.protocols.chaired.payloads import (
    STATUS_WORDS,
    Announcement,
    Conclusion,
    Ruling,
    Verification,
    View,
)
from moot.protocols.chaired.record import readable
from moot.protocols.chaired.result import STATUSES, ChairedOutcome, findings
from moot.protocols.chaired.rules import contradicts
from moot.text import one_line
from moot.text.prose import listed, plural, sentence

DOUBTS: tuple[Status, ...] = ("contradicted", "not_there", "unjudged")
UNDECIDED = 50
"""Of 100, as far as anybody can lean to the topic."""
ASIDE = {"draw": "a draw", "void": "void"}
WITHOUT_ANSWER = {"affirmative_wins": "Upheld", "negative_wins": "Not upheld", "draw": "A draw", "void": "Void"}
"""What became of the topic, where the chair gave no answer in words."""


def summary(outcome: ChairedOutcome, entries: Sequence[Entry]) -> Summary:
    own = readable([entry for entry in entries if not entry.outside])
    concluded = next((entry for entry in own if isinstance(entry.data, Conclusion)), None)
    brief = recorded_brief(own, firmness=_firmness(outcome, concluded.data if concluded else None, own))
    decision = concluded.data if concluded and isinstance(concluded.data, Conclusion) else None
    if decision and outcome.outcome and contradicts(decision.stronger, outcome.outcome):
        brief = without_answer(brief)
    return Summary(
        headline=_headline(outcome, concluded, brief.answer),
        kind="Answer",
        decided=outcome.outcome not in (None, "void"),
        brief=brief,
        reached=_reached(outcome),
        change=_change(outcome),
        flags=[*_verdict_flags(outcome, concluded, own), *_source_flags(outcome), *_conduct_flags(own)],
    )


def _headline(outcome: ChairedOutcome, concluded: Entry | None, answer: str | None) -> str:
    """The chair's answer or, where it gave none, what became of the topic."""
    if outcome.outcome is None:
        return "No outcome yet" if concluded is None else "No answer: the chair came to no usable decision"
    if outcome.outcome == "void" and outcome.decided_by == "code":
        return "No answer: both sides cited fabricated sources"
    if answer:
        return headline(answer, ASIDE.get(outcome.outcome, ""))
    by_rules = ", by the rules alone" if outcome.decided_by == "code" else ""
    return f"{WITHOUT_ANSWER[outcome.outcome]}{by_rules}: {one_line(outcome.topic)}"


def _firmness(outcome: ChairedOutcome, conclusion: Payload | None, entries: Sequence[Entry]) -> str:
    """How firm a chair's decision is: by the sources of the statements that it rests on, by what was struck, and by who
    leans the other way in the end."""
    if outcome.winner is None or not isinstance(conclusion, Conclusion) or not conclusion.rests_on:
        return ""
    rests_on = listed([f"#{seq}" for seq in conclusion.rests_on])
    found = [one.status for (seq, _, _), one in findings(entries).items() if seq in conclusion.rests_on]
    confirmed = found.count("confirmed")
    against = [f"the {role}" for role, one in outcome.leanings.items() if _leans_against(one.after, outcome.winner)]
    firm = bool(found) and confirmed == len(found) and not against
    parts = [
        f"{confirmed} of {plural(len(found), 'citation')} in {rests_on}, on which it rests, confirmed",
        f"{plural(len(outcome.redactions), 'statement')} struck" if outcome.redactions else "",
        f"in the end {listed(against)} still leaning the other way" if against else "",
    ]
    return f"{'Firm' if firm else 'Not firm'}: {'; '.join(filter(None, parts))}."


def _leans_against(leaning: int | None, winner: str) -> bool:
    return leaning is not None and (leaning < UNDECIDED if winner == "promoter" else leaning > UNDECIDED)


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
    how = f"Decided by {by}, after {plural(outcome.rounds, 'round')}."
    if outcome.winner is None:
        return how
    name = outcome.names.get(outcome.winner)
    side = "for" if outcome.winner == "promoter" else "against"
    won = "The stronger case is that of" if outcome.decided_by == "chair" else "It goes to"
    return f"{won} the {outcome.winner}{f', {name}' if name else ''}, who argued {side} the topic. {how}"


def _basis_flags(winner: str, conclusion: Conclusion, entries: Sequence[Entry]) -> list[Flag]:
    """Reasons to doubt what the chair rests a win on. A small model is not asked for it."""
    if not (conclusion.promoter_case or conclusion.detractor_case or conclusion.stronger):
        return []
    flags = []
    if conclusion.stronger is None:
        text = "The chair does not say whose case its answer follows, so it is not compared with the outcome."
        flags.append(Flag(code="conclusion_not_compared", text=text))
    own = [entry.seq for entry in entries if entry.seq in conclusion.rests_on and entry.speaker == winner]
    if not own:
        text = f"The chair cites no statement by the winning side ({winner})."
        flags.append(Flag(code="win_without_statement", text=text))
    elif all(_is_refuted(seq, entries) for seq in own):
        told = listed([f"#{seq}" for seq in own])
        text = f"The {winner}’s win rests on {told}, whose sources do not bear out what is cited from them."
        flags.append(Flag(code="win_rests_on_refuted", text=text))
    return flags


def _is_refuted(seq: int, entries: Sequence[Entry]) -> bool:
    """Whether the sources of a statement speak against it: one is not what it is cited for, and none is."""
    found = {one.status for (target, _, _), one in findings(entries).items() if target == seq}
    return "confirmed" not in found and bool(found & {*RULED, "fabricated"})


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
    struck = [entry for entry in entries if isinstance(entry.data, Ruling) and entry.data.about == "struck"]
    if outcome.outcome == "void" and outcome.decided_by == "chair" and not (outcome.redactions or struck):
        text = "The chair declares the debate void, and nothing was struck that would leave no two cases to compare."
        flags.append(Flag(code="void_without_cause", text=text))
    if outcome.winner and (made_up := outcome.sides[outcome.winner].sources["fabricated"]):
        cited = plural(made_up, "fabricated source")
        text = f"The winner fabricated evidence: the {outcome.winner}, whose side won, cited {cited}."
        flags.append(Flag(code="winner_cited_fabricated_sources", text=text))
    if silent := [f"the {role}" for role, side in outcome.sides.items() if not side.statements]:
        text = f"One-sided: no statement of {listed(silent)} counts."
        flags.append(Flag(code="side_without_statement", text=text))
    if concluded.data.faults:
        text = f"The chair’s conclusion breaks the rules: {'; '.join(concluded.data.faults)}."
        flags.append(Flag(code="conclusion_faulty", text=text, severity="note"))
    if outcome.winner:
        flags += _basis_flags(outcome.winner, concluded.data, entries)
    if outcome.outcome and contradicts(concluded.data.stronger, outcome.outcome):
        stronger = concluded.data.stronger
        case = "neither case" if stronger == "neither" else f"the case of the {stronger}"
        why = f"it follows {case}. {IN_WORDS[outcome.outcome]}"
        text = f"The chair’s answer contradicts the outcome and is left out: {why}"
        flags.append(Flag(code="answer_contradicts_verdict", text=text))
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
        text = f"Not every citation was confirmed; of {plural(checked, 'cited source')}: {listed(doubts)}."
        flags.append(Flag(code="sources_not_verified", text=text))
    if checked and not any(found[status] for status in STATUSES if status != "unjudged"):
        text = f"No source was judged: of {plural(checked, 'cited source')} none was read and compared."
        flags.append(Flag(code="no_source_judged", text=text))
    return flags


def _conduct_flags(entries: Sequence[Entry]) -> list[Flag]:
    """Flags about missing parts of the debate."""
    flags = []
    view = first_data(entries, View)
    if view is not None and (wrong := view.fault or view.failure):
        text = f"The audience’s conclusion cannot be relied on: {wrong}."
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
        Section("ruling", "Both cases, as the chair sums them up", _weighed(concluded), "card", brief=True),
        Section("sides", "What each side has to show", [_sides(outcome)], "card", brief=True),
        Section("audience", "What the audience takes home", [Quote(view.content, aloud=False)] if view else []),
        Section("redacted", "Redacted", _redacted(outcome), brief=True),
        Section("sources", "Sources", _sources(entries)),
    ]


def _weighed(concluded: Entry | None) -> list[Block]:
    """The chair's summary of both cases; what it wrote if it summed up none."""
    if concluded is None or not isinstance(concluded.data, Conclusion):
        return []
    cases = {"promoter": concluded.data.promoter_case, "detractor": concluded.data.detractor_case}
    if not any(cases.values()):
        return [Quote(concluded.content, "The chair", concluded.seq)]
    return [Items([Item(text, lead=f"The {role}:", entries=[concluded.seq]) for role, text in cases.items()])]


def _sides(outcome: ChairedOutcome) -> Table:
    sides = list(outcome.sides.values())
    counted = {
        "Statements that stand": [side.statements for side in sides],
        "Statements withdrawn": [side.withdrawn for side in sides],
        "Statements redacted": [side.redacted for side in sides],
        "Rulings against it": [side.rulings for side in sides],
        **{f"Sources {STATUS_WORDS[status]}": [side.sources[status] for side in sides] for status in STATUSES},
    }
    rows = [[name, *map(str, counts)] for name, counts in counted.items() if any(counts)]
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
    why = (
        "Every sentence that cites a source, with what the verifier found. Without a passage that stands in the page "
        "nothing is confirmed or contradicted; what goes against a sentence was asked twice."
    )
    found = checks(entries)
    return [Paragraph(why, "lead"), found] if found else []


def checks(entries: Sequence[Entry], role: str = "") -> Table | None:
    """Every finding of the verifier, or those on one debater: sentence, passage and finding side by side."""
    by_seq = {entry.seq: entry for entry in entries}
    rows = [
        [
            f"{entry.target_seq}, {by_seq[entry.target_seq].speaker}",
            data.sentence,
            data.url,
            data.quote,
            f"{STATUS_WORDS[data.status].capitalize()}: {data.explanation}",
        ]
        for entry in entries
        if isinstance(data := entry.data, Verification)
        and entry.target_seq in by_seq
        and role in ("", by_seq[entry.target_seq].speaker)
    ]
    columns = ["Entry", "Sentence", "Source", "Passage", "Found"]
    return Table(columns, rows, texts=5, name="What was found of each citation") if rows else None
