"""The chair's rulings: on the verifier's findings, challenges, conduct, and replies that broke a rule."""

import re
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from moot.engine.prompt import Prompt, fenced
from moot.engine.room import Aside
from moot.engine.structured import Failure
from moot.evidence import Finding, find_quote, says
from moot.protocols.chaired.cast import Stage
from moot.protocols.chaired.citing import said_in
from moot.protocols.chaired.config import DEBATERS, STATEMENTS, Role
from moot.protocols.chaired.desk import Checked, Citation, begin_judging, check, look_up_quotations
from moot.protocols.chaired.payloads import AGAINST_NOBODY, Challenge, Redaction, Ruling, Spoken, Verification
from moot.protocols.chaired.prompts import CLARIFY, CONDUCT
from moot.protocols.chaired.record import mask_of, on_record, shared_wording
from moot.protocols.chaired.rules import Breach
from moot.protocols.chaired.shapes import Clarified, Conduct, conduct_shape
from moot.record.entry import Draft

BY_WEIGHT = ("verified", "unjudged", "unreachable", "unreliable", "fabricated")
CONDUCT_RULES = {
    "ad_hominem": 6,
    "misrepresentation": 7,
    "contests_ruling": 1,
    "declines_to_argue": 4,
}
CONDUCT_WORDS = {
    "ad_hominem": "attacks the person",
    "misrepresentation": "misrepresents the other side",
    "contests_ruling": "contests a ruling, and rulings are final",
    "declines_to_argue": "declines to argue, and is no statement",
}
ANSWERS = {
    "partly": "bears out only a part of what it is cited for",
    "contradicts": "says otherwise than what it is cited for",
    "says_nothing": "leaves open what it is cited for",
    "unrelated": "is about something else than what it is cited for",
}


Found = Checked | list[Draft] | Conduct | Failure


@dataclass(frozen=True, slots=True)
class Pending:
    """Work on one entry while the debate continues: checking a citation, its quotations, or its conduct."""

    entry: Draft
    work: "Aside[Checked] | Aside[list[Draft]] | Aside[Conduct | Failure]"


def look_into(stage: Stage, draft: Draft, at: str) -> list[Pending]:
    """Start to check an entry's citations, quotations and conduct, while the debate continues."""
    room, pending = stage.room, list[Pending]()
    before = [one for one in stage.record if one.to == "all" and one is not draft and one.type in STATEMENTS]
    struck = stage.struck()
    cites = draft.data.cites if isinstance(draft.data, Spoken) else []
    for number, cite in enumerate(cites, 1):
        place = f"{at}.{number}"
        citation = Citation(draft, draft.sources[cite.source - 1].url, cite.sentence, place, before, struck)
        stage.desk.look_up(room, citation.url, place)  # now: the place where a page is first asked for names it
        pending.append(Pending(draft, room.errand(verify(stage, citation))))
    pending.append(Pending(draft, room.errand(look_up_quotations(room, stage.desk, draft, before, at))))
    spoken_of = statements_spoken_of(stage, draft)
    prompt = conduct_prompt(stage, draft, spoken_of)
    judged = room.ask_for(conduct_shape(bool(spoken_of)), stage.judge_of_conduct(at), prompt, "conduct")
    pending.append(Pending(draft, room.errand(judged)))
    return pending


def verify(stage: Stage, citation: Citation) -> Coroutine[Any, Any, Checked]:
    """The check of a citation. Its judgement is begun now, so that the first who says something is asked about."""
    verifier, small = stage.agent("verifier", citation.at), "verifier" in stage.small
    judging = begin_judging(stage.room, stage.desk, verifier, citation, small=small)
    return check(stage.room, stage.desk, verifier, citation, judging, small=small)


def statements_spoken_of(stage: Stage, draft: Draft) -> list[Draft]:
    """The other side's statements that a statement answers or names: only what is shown can be misrepresented."""
    named = {int(number) for number in re.findall(r"#(\d{1,6})", draft.content)}
    if isinstance(draft.rebuttal_to, Draft) and draft.rebuttal_to.seq is not None:
        named.add(draft.rebuttal_to.seq)
    others = [one for one in on_record(stage.record) if one.speaker in DEBATERS and one.speaker != draft.speaker]
    return [one for one in others if one.seq in named]


def conduct_prompt(stage: Stage, draft: Draft, spoken_of: Sequence[Draft]) -> Prompt:
    """The questions to the chair about a statement that a program cannot answer."""
    shown = next((one for one in on_record(stage.record) if one.seq == draft.seq), draft)
    quoted = [fenced(one.content, f"entry #{one.seq}, which it speaks of") for one in spoken_of]
    return CONDUCT(role=draft.speaker, statement=shown, spoken_of="".join(f"\n\n{one}" for one in quoted))


async def rule_on(stage: Stage, pending: list[Pending], phase: str) -> None:
    """Handle all new findings: first fabricated sources, then the rest in the order of the entries."""
    settled = [(one.entry, await one.work) for one in pending]
    pending.clear()
    for _, found in settled:
        for entry in reported(found):
            stage.heard(entry)
    for entry, found in settled:
        if isinstance(found, Checked) and found.finding.status == "fabricated":
            redact(stage, entry, found.cited.url, found.finding, phase)
    for entry, found in settled:
        if isinstance(found, Failure):
            stage.lacks(f"no judgement of the conduct in entry {entry.seq}", found, phase)
        elif entry.seq not in mask_of(stage.record).struck:
            rule_on_finding(stage, entry, found, phase)


def reported(found: Found) -> list[Draft]:
    """The verifier's entries about it."""
    if isinstance(found, Checked):
        return [found.entry]
    return found if isinstance(found, list) else []


def rule_on_finding(stage: Stage, entry: Draft, found: Found, phase: str) -> None:
    if isinstance(found, Checked):
        note_finding(stage, entry, found.cited.url, found.finding, phase)
    elif isinstance(found, Conduct):
        rule_on_conduct(stage, entry, found, phase)
    for one in found if isinstance(found, list) else []:
        note_quotation(stage, entry, one, phase)


def redact(stage: Stage, entry: Draft, url: str, found: Finding, phase: str) -> None:
    """Strike an entry for good; a second fabrication in it changes nothing any more."""
    if entry.seq in mask_of(stage.record).struck:
        return
    # Only words from code: the verifier's could repeat the struck claim.
    how = found.explanation if found.confidence is None else "the page has nothing to do with what it is cited for"
    reason = f"a source of it is fabricated: {how}"
    text = (
        f"Entry {entry.seq} of the {entry.speaker} is struck from the record, with all that it says. The source {url} "
        f"is fabricated: {how}. Rules 12 and 14; this is a severe penalty."
    )
    shown = [text for passage in stage.desk.passages for text in (passage.title, passage.text)]
    evidence = [*shown, *stage.desk.verified]
    data = Redaction(rule=12, against=entry.speaker, url=url, reason=reason, spared=shared_wording(entry, evidence))
    stage.heard(stage.room.emit("redaction", "chair", text, phase=phase, data=data, target=entry))
    stage.warnings[entry.speaker].append(f"your entry {entry.seq} was redacted, since {reason}")


def note_finding(stage: Stage, entry: Draft, url: str, found: Finding, phase: str) -> None:
    """Rule that a source does not support its sentence, and warn the debater; once for each source. A source that could
    not be read or judged is named, but does not count against anybody."""
    if found.status == "verified" or ruled_already(stage, entry, url, found.status):
        return
    if found.status in AGAINST_NOBODY:
        text = f"{unknown(found, url, entry)} That is held against nobody."
        data = Ruling(about="source", rule=13, url=url, status=found.status)
        stage.heard(stage.room.emit("ruling", "chair", text, phase=phase, data=data, target=entry))
        return
    words = shortcoming(found)
    text = f"The source {url} of entry {entry.seq} {words} ({found.status}). The sentence does not count as sourced."
    data = Ruling(about="source", rule=13, against=entry.speaker, url=url, status=found.status)
    stage.heard(stage.room.emit("ruling", "chair", text, phase=phase, data=data, target=entry))
    warn_of_source(stage, entry, url, words)


def warn_of_source(stage: Stage, entry: Draft, url: str, words: str) -> None:
    stage.warnings[entry.speaker].append(f"the source {url} of your entry {entry.seq} {words}")


def unknown(found: Finding, url: str, entry: Draft) -> str:
    """That nothing is known of a source, and why."""
    if found.status == "unreachable":
        return f"The source {url} of entry {entry.seq} could not be read: {found.explanation}."
    return f"No judgement of the source {url} of entry {entry.seq} could be had."


def note_quotation(stage: Stage, entry: Draft, looked: Draft, phase: str) -> None:
    """Rule on quotations that were not found."""
    data = looked.data
    if not isinstance(data, Verification) or data.status != "unreliable":
        return
    text = f"A quotation in entry {entry.seq} of the {entry.speaker} is not one: {data.explanation}; rule 13."
    ruling = Ruling(about="quotation", rule=13, against=entry.speaker, status=data.status)
    stage.heard(stage.room.emit("ruling", "chair", text, phase=phase, data=ruling, target=entry))
    stage.warnings[entry.speaker].append(f"your entry {entry.seq} quotes words that stand nowhere, against rule 13")


def shortcoming(found: Finding) -> str:
    """The fault of a source that was not verified. If code found no valid passage, nobody has judged that the page does
    not support the sentence."""
    if found.answer is not None:
        return ANSWERS.get(found.answer, "does not bear out what it is cited for")
    return f"is not shown to bear out what it is cited for: {found.explanation}"


def ruled_already(stage: Stage, entry: Draft, url: str, status: str) -> bool:
    """Whether there is already an equal or worse ruling on the source."""
    return any(
        isinstance(one.data, Ruling)
        and (one.data.url, one.target) == (url, entry)
        and BY_WEIGHT.index(one.data.status or "verified") >= BY_WEIGHT.index(status)
        for one in stage.record
    )


def rule_on_conduct(stage: Stage, entry: Draft, found: Conduct, phase: str) -> None:
    """A ruling, if the words that the chair quotes are in the statement; without them there is nothing to show."""
    for words in found.unsourced:
        rule_on_unsourced(stage, entry, words, phase)
    rule = CONDUCT_RULES.get(found.breach)
    if rule is None or find_quote(found.words, entry.content, least=1) is None:
        return
    what = CONDUCT_WORDS[found.breach]
    text = f"Entry {entry.seq} of the {entry.speaker} {what}; rule {rule}. {found.reason}"
    data = Ruling(about="conduct", rule=rule, against=entry.speaker)
    stage.heard(stage.room.emit("ruling", "chair", text, phase=phase, data=data, target=entry))
    stage.warnings[entry.speaker].append(f"your entry {entry.seq} {what}, against rule {rule}")


def rule_on_new_points(stage: Stage, sentences: Sequence[str]) -> None:
    """A ruling on each closing statement in which the chair, who has read the whole record, finds a new point."""
    for entry in [one for one in stage.record if one.type == "closing_statement"]:
        new = [one for one in sentences if find_quote(one, entry.content) is not None]
        if not new or entry.seq in mask_of(stage.record).struck:
            continue
        quoted = " ".join(f"“{one}”" for one in new)
        text = f"Entry {entry.seq} of the {entry.speaker} brings a new point into a closing statement; rule 4. {quoted}"
        data = Ruling(about="conduct", rule=4, against=entry.speaker)
        stage.heard(stage.room.emit("ruling", "chair", text, phase="system", data=data, target=entry))


def rule_on_unsourced(stage: Stage, entry: Draft, words: str, phase: str) -> None:
    """A ruling on a sentence that states a fact without a source, if the sentence is in the statement."""
    sentence = next((one for one in said_in(entry.content) if says(words, one.text)), None)
    if sentence is None or sentence.cites or sentence.labelled or entry.phase == "closing":
        return
    text = (
        f"Entry {entry.seq} of the {entry.speaker} states a fact without a source, and unlabelled: “{sentence.text}” "
        "It does not count; rule 11."
    )
    data = Ruling(about="unsourced", rule=11, against=entry.speaker)
    stage.heard(stage.room.emit("ruling", "chair", text, phase=phase, data=data, target=entry))
    stage.warnings[entry.speaker].append(f"a sentence of your entry {entry.seq} states a fact and cites no source")


def rule_on_label(stage: Stage, entry: Draft) -> None:
    """A ruling on a statement whose sources no sentence cites, and which was labelled."""
    text = (
        f"Entry {entry.seq} of the {entry.speaker} cites no source at any sentence. It counts as conjecture; rule 11."
    )
    data = Ruling(about="unsourced", rule=11, against=entry.speaker)
    stage.heard(stage.room.emit("ruling", "chair", text, phase=entry.phase, data=data, target=entry))
    stage.warnings[entry.speaker].append(f"your entry {entry.seq} cites no source, and counts as conjecture")


def strike(stage: Stage, role: Role, broken: Breach, call: str, phase: str) -> None:
    """A debater loses a turn because all replies broke a rule. The reply does not go on the record."""
    text = f"The {role}'s turn is struck, since {broken}."
    data = Ruling(about="struck", rule=broken.rule, against=role, call=call, failure=str(broken))
    stage.heard(stage.room.emit("ruling", "chair", text, phase=phase, data=data))
    stage.warnings.setdefault(role, []).append(f"your last turn was struck, since {broken}")


async def settle_challenge(stage: Stage, draft: Draft, pending: list[Pending], at: str, phase: str) -> None:
    """An urgent check of the sentence that is challenged, with the challenger's words before the verifier; the turn
    waits for it. Then redaction, a warning, or the challenge is dismissed."""
    challenge, entry = draft.data, draft.target
    if not isinstance(challenge, Challenge) or not isinstance(entry, Draft):
        return
    objection = draft.content if challenge.claim in draft.content else f"{draft.content}\n\n{challenge.claim}"
    said = [one for one in stage.record if one.type in STATEMENTS and (one.seq or 0) < (entry.seq or 0)]
    place = f"{at}.challenge"
    citation = Citation(entry, challenge.url, challenge.sentence, place, said, stage.struck(), objection)
    checked = await verify(stage, citation)
    found = checked.finding
    stage.heard(checked.entry)
    if found.status == "fabricated":
        # No agent may receive the struck words, so finish all work on them first.
        await rule_on(stage, pending, phase)
        redact(stage, entry, challenge.url, found, phase)
        return
    against: str | None = None
    if found.status == "verified":
        text = f"Challenge {draft.seq} is dismissed: the source {challenge.url} bears out what entry {entry.seq} cites."
    elif found.status in AGAINST_NOBODY:
        text = (
            f"Challenge {draft.seq} is left open. {unknown(found, challenge.url, entry)} That is held against nobody."
        )
    else:
        against, words = entry.speaker, shortcoming(found)
        text = (
            f"Challenge {draft.seq} is upheld: the source {challenge.url} of entry {entry.seq} {words} "
            f"({found.status}). The {entry.speaker} is warned, and withdraws or replaces it."
        )
        warn_of_source(stage, entry, challenge.url, words)
    data = Ruling(about="challenge", rule=13, against=against, url=challenge.url, status=found.status)
    stage.heard(stage.room.emit("ruling", "chair", text, phase=phase, data=data, target=entry))


async def settle_clarification(stage: Stage, draft: Draft, at: str, phase: str) -> None:
    chair = stage.agent("chair", f"{at}.clarify")
    known = {"record": stage.shown(), "you": stage.you("chair"), "hearsay": stage.hearsay}
    prompt = CLARIFY(**known, role=draft.speaker, request=stage.quoted(draft))
    found = await stage.room.ask_for(Clarified, chair, prompt, "clarify")
    failure = found.reason if isinstance(found, Failure) else None
    text = f"No clarification could be had: {failure}" if isinstance(found, Failure) else found.answer
    data = Ruling(about="clarification", rule=1, failure=failure)
    stage.heard(
        stage.room.emit("ruling", "chair", text, phase=phase, data=data, target=draft, call=chair.key("clarify"))
    )
