"""The chair's rulings: on the verifier's findings, challenges, conduct, and replies that broke a rule."""

from dataclasses import dataclass

from moot.engine.prompt import Prompt, fenced
from moot.engine.room import Aside
from moot.engine.structured import Failure
from moot.evidence import Finding, find_quote
from moot.protocols.chaired.cast import Stage
from moot.protocols.chaired.config import Role
from moot.protocols.chaired.desk import Citation, check
from moot.protocols.chaired.payloads import Challenge, Redaction, Ruling, Spoken
from moot.protocols.chaired.prompts import CLARIFY, CONDUCT
from moot.protocols.chaired.record import mask_of, on_record
from moot.protocols.chaired.rules import Breach
from moot.protocols.chaired.shapes import Clarified, Conduct
from moot.record.entry import Draft

BY_WEIGHT = ("verified", "unjudged", "unreachable", "unreliable", "fabricated")
CONDUCT_RULES = {"ad_hominem": 6, "misrepresentation": 7, "new_point_in_closing": 4}
CONDUCT_WORDS = {
    "ad_hominem": "attacks the person",
    "misrepresentation": "misrepresents the other side",
    "new_point_in_closing": "brings a new point into a closing statement",
}


@dataclass(frozen=True, slots=True)
class Pending:
    """Work on one entry during the debate: checking a source, or its conduct."""

    entry: Draft
    url: str | None
    work: "Aside[Finding] | Aside[Conduct | Failure]"


def look_into(stage: Stage, draft: Draft, at: str) -> list[Pending]:
    """Start to check an entry's sources and its conduct, while the debate continues."""
    room, pending = stage.room, []
    claims = draft.data.cited_for if isinstance(draft.data, Spoken) else []
    for number, (source, claim) in enumerate(zip(draft.sources, claims, strict=True), 1):
        place = f"{at}.{number}"
        verifier = stage.agent("verifier", place)
        citation = Citation(draft, source.url, claim, place)
        found = room.errand(check(room, stage.desk, verifier, citation, small="verifier" in stage.small))
        stage.desk.checks.setdefault((draft.seq, source.url), []).append(found)
        pending.append(Pending(draft, source.url, found))
    judged = room.ask_for(Conduct, stage.agent("chair", at), conduct_prompt(stage, draft), "conduct")
    pending.append(Pending(draft, None, room.errand(judged)))
    return pending


def conduct_prompt(stage: Stage, draft: Draft) -> Prompt:
    """The questions to the chair about a statement that a program cannot answer."""
    shown = {one.seq: one for one in on_record(stage.record)}
    answered = ""
    if isinstance(draft.rebuttal_to, Draft) and (before := shown.get(draft.rebuttal_to.seq)) is not None:
        answered = f"It answers this:\n\n{fenced(before.content, 'the statement it answers')}\n\n"
    closing = " And a closing brings no new point (new_point_in_closing)." if draft.phase == "closing" else ""
    return CONDUCT(role=draft.speaker, statement=shown.get(draft.seq, draft), answered=answered, closing=closing)


async def rule_on(stage: Stage, pending: list[Pending], phase: str) -> None:
    """Handle all new findings: fabrications first, then the rest in the order of the entries."""
    settled = [(one, await one.work) for one in pending]
    pending.clear()
    stage.found.update((one.entry.speaker, found.status) for one, found in settled if isinstance(found, Finding))
    fabricated = [(one, found) for one, found in settled if isinstance(found, Finding) and found.status == "fabricated"]
    for one, found in fabricated:
        redact(stage, one.entry, one.url or "", found, phase)
    for one, outcome in settled:
        if isinstance(outcome, Failure):
            stage.lacks(f"no judgement of the conduct in entry {one.entry.seq}", outcome, phase)
        if one.entry.seq in mask_of(stage.record).struck:
            continue
        if isinstance(outcome, Finding):
            note_finding(stage, one.entry, one.url or "", outcome, phase)
        elif isinstance(outcome, Conduct):
            rule_on_conduct(stage, one.entry, outcome, phase)


def redact(stage: Stage, entry: Draft, url: str, found: Finding, phase: str) -> None:
    """Permanently strike an entry; a second fabrication in it changes nothing."""
    stage.fabricated.add(entry.speaker)
    if entry.seq in mask_of(stage.record).struck:
        return
    # Only words from code: the verifier's could repeat the struck claim.
    how = found.explanation if found.confidence is None else "the page has nothing to do with what it is cited for"
    reason = f"a source of it is fabricated: {how}"
    text = (
        f"Entry {entry.seq} of the {entry.speaker} is struck from the record, with all that it says. The source {url} "
        f"is fabricated: {how}. Rules 12 and 14; this is a severe penalty."
    )
    data = Redaction(rule=12, against=entry.speaker, url=url, reason=reason)
    stage.heard(stage.room.emit("redaction", "chair", text, phase=phase, data=data, target=entry))
    stage.warnings[entry.speaker].append(f"your entry {entry.seq} was redacted, since {reason}")


def note_finding(stage: Stage, entry: Draft, url: str, found: Finding, phase: str) -> None:
    """Rule once per source that it is unreliable or could not be reached, and warn the debater. An unjudged source
    is named without blame."""
    if found.status == "verified" or ruled_already(stage, entry, url, found.status):
        return
    if found.status == "unjudged":
        text = f"No judgement of the source {url} of entry {entry.seq} could be had. That is held against nobody."
        data = Ruling(about="source", rule=13, url=url, status=found.status)
        stage.heard(stage.room.emit("ruling", "chair", text, phase=phase, data=data, target=entry))
        return
    words = shortcoming(found)
    text = f"The source {url} of entry {entry.seq} {words} ({found.status}). The claim does not count as sourced."
    data = Ruling(about="source", rule=13, against=entry.speaker, url=url, status=found.status)
    stage.heard(stage.room.emit("ruling", "chair", text, phase=phase, data=data, target=entry))
    stage.warnings[entry.speaker].append(f"the source {url} of your entry {entry.seq} {words}: withdraw or replace it")


def shortcoming(found: Finding) -> str:
    """The fault of a source that was not verified. If code found no matching passage, this does not mean that the
    page contradicts the claim."""
    if found.status == "unreachable":
        return "could not be read"
    return f"{'is not shown to' if found.confidence is None else 'does not'} bear out what it is cited for"


def ruled_already(stage: Stage, entry: Draft, url: str, status: str) -> bool:
    """Whether there is already an equal or worse ruling on the source."""
    return any(
        isinstance(one.data, Ruling)
        and (one.data.url, one.target) == (url, entry)
        and BY_WEIGHT.index(one.data.status or "verified") >= BY_WEIGHT.index(status)
        for one in stage.record
    )


def rule_on_conduct(stage: Stage, entry: Draft, found: Conduct, phase: str) -> None:
    """Rule on conduct if the quoted words are really in the statement; without them there is no evidence."""
    rule = CONDUCT_RULES.get(found.breach)
    if rule is None or find_quote(found.words, entry.content) is None:
        return
    if found.breach == "new_point_in_closing" and entry.phase != "closing":
        return
    what = CONDUCT_WORDS[found.breach]
    text = f"Entry {entry.seq} of the {entry.speaker} {what}; rule {rule}. {found.reason}"
    data = Ruling(about="conduct", rule=rule, against=entry.speaker)
    stage.heard(stage.room.emit("ruling", "chair", text, phase=phase, data=data, target=entry))
    stage.warnings[entry.speaker].append(f"your entry {entry.seq} {what}, against rule {rule}")


def strike(stage: Stage, role: Role, broken: Breach, call: str, phase: str) -> None:
    """A debater loses a turn because all replies broke a rule. The reply does not go on the record."""
    text = f"The {role}'s turn is struck, since {broken}."
    data = Ruling(about="struck", rule=broken.rule, against=role, call=call, failure=str(broken))
    stage.heard(stage.room.emit("ruling", "chair", text, phase=phase, data=data))
    stage.warnings.setdefault(role, []).append(f"your last turn was struck, since {broken}")


async def settle_challenge(stage: Stage, draft: Draft, pending: list[Pending], phase: str) -> None:
    """An urgent check that the turn waits for. Then a redaction, a warning, or the challenge is dismissed."""
    challenge, entry = draft.data, draft.target
    if not isinstance(challenge, Challenge) or not isinstance(entry, Draft):
        return
    # An entry can cite a source for several claims: the challenge succeeds if one of them is not supported.
    made = [await one for one in stage.desk.checks[entry.seq, challenge.url]]
    found = max(made, key=lambda one: BY_WEIGHT.index(one.status))
    if found.status == "fabricated":
        # No agent may receive the struck words, so finish all work on them first.
        await rule_on(stage, pending, phase)
        redact(stage, entry, challenge.url, found, phase)
        return
    against: str | None
    rule, against = (15, draft.speaker) if found.status == "verified" else (13, entry.speaker)
    if found.status == "verified":
        text = f"Challenge {draft.seq} is dismissed: the source {challenge.url} bears out what entry {entry.seq} cites."
    elif found.status == "unjudged":
        against = None
        text = (
            f"Challenge {draft.seq} is left open: no judgement of the source {challenge.url} of entry {entry.seq} "
            "could be had. That is held against nobody."
        )
    else:
        words = shortcoming(found)
        text = (
            f"Challenge {draft.seq} is upheld: the source {challenge.url} of entry {entry.seq} {words} "
            f"({found.status}). The {entry.speaker} is warned, and withdraws or replaces it."
        )
        stage.warnings[entry.speaker].append(
            f"the source {challenge.url} of your entry {entry.seq} {words}: withdraw it"
        )
    data = Ruling(about="challenge", rule=rule, against=against, url=challenge.url, status=found.status)
    stage.heard(stage.room.emit("ruling", "chair", text, phase=phase, data=data, target=entry))


async def settle_clarification(stage: Stage, draft: Draft, at: str, phase: str) -> None:
    chair = stage.agent("chair", f"{at}.clarify")
    prompt = CLARIFY(record=stage.shown(), role=draft.speaker, request=stage.quoted(draft))
    found = await stage.room.ask_for(Clarified, chair, prompt, "clarify")
    failure = found.reason if isinstance(found, Failure) else None
    text = f"No clarification could be had: {failure}" if isinstance(found, Failure) else found.answer
    data = Ruling(about="clarification", rule=1, failure=failure)
    stage.heard(
        stage.room.emit("ruling", "chair", text, phase=phase, data=data, target=draft, call=chair.key("clarify"))
    )
