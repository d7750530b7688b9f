"""The chair's rulings: on the verifier's findings, challenges, conduct, and replies that broke a rule."""

from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from moot.api import Draft, Failure, Prompt, Task, fenced
from moot.evidence import RULED, Finding, find_quote
from moot.protocols.chaired import prompts
from moot.protocols.chaired.cast import Stage
from moot.protocols.chaired.citing import page_of, said_around, said_in, without_marks
from moot.protocols.chaired.computing import numbers_in, uncited, with_results
from moot.protocols.chaired.config import DEBATERS, Role
from moot.protocols.chaired.desk import Checked, Citation, Verifier, begin_judging, check
from moot.protocols.chaired.payloads import Challenge, Redaction, Ruling, Spoken
from moot.protocols.chaired.record import mask_of, on_record, shared_wording, with_sources
from moot.protocols.chaired.rules import Breach, citations
from moot.protocols.chaired.shapes import Clarified, Conduct, ConductAndFacts, conduct_shape
from moot.text.prose import listed

CONDUCT = {
    "ad_hominem": (6, "this attacks the person: speak of the argument"),
    "misrepresentation": (7, "this misrepresents the other side: say what it says"),
    "contests_ruling": (1, "this contests a ruling, and rulings are final: leave it"),
    "declines_to_argue": (4, "this declines to argue, and is no statement: argue"),
}
"""By breach: the rule, and what is wrong and would mend it."""
RULE_OF_SOURCES = 11
Found = list[Checked] | Conduct | Failure


@dataclass(frozen=True, slots=True)
class Pending:
    """Work on one entry while the debate continues: checking a page that it cites, or its conduct."""

    entry: Draft
    work: "Task[list[Checked]] | Task[Conduct | Failure]"


def look_into(stage: Stage, draft: Draft, at: str) -> list[Pending]:
    """Start to check an entry's citations, page by page, while the debate continues."""
    cites = draft.data.cites if isinstance(draft.data, Spoken) else []
    by_page: dict[str, tuple[str, dict[str, None]]] = {}
    for cite in cites:
        url = draft.sources[cite.source - 1].url
        by_page.setdefault(page_of(url), (url, {}))[1][cite.sentence] = None
    pending = []
    for number, (url, said) in enumerate(by_page.values(), 1):
        checked = verify(stage, draft, url, tuple(said), f"{at}.{number}")
        pending.append(Pending(draft, stage.room.start_background(checked)))
    return pending


def verify(
    stage: Stage, entry: Draft, url: str, sentences: tuple[str, ...], at: str, objection: str = ""
) -> Coroutine[Any, Any, list[Checked]]:
    """The check of sentences that cite a page. Judging is begun now, so that the first who says something is asked
    about."""
    first, again = (stage.agent("verifier", one) for one in (at, f"{at}.again"))
    paragraphs = [one for one in entry.content.split("\n\n") if any(said in without_marks(one) for said in sentences)]
    around = stage.masked("\n\n".join(paragraphs) or entry.content)
    numbers = [number for number, one in enumerate(entry.sources, 1) if page_of(one.url) == page_of(url)]
    marks = listed([f"[{number}]" for number in numbers])
    citation = Citation(entry, url, sentences, around, marks, at, stage.struck(), objection)
    verifier = Verifier(first, again)
    begun = begin_judging(stage.room, stage.desk, verifier, citation)
    return check(stage.room, stage.desk, verifier, citation, begun)


def judge_conduct(stage: Stage, draft: Draft, at: str) -> "Task[Conduct | Failure]":
    """Ask the chair, before a statement is entered, what a program cannot see in it."""
    spoken_of, closing = statements_spoken_of(stage, draft), draft.phase == "closing"
    prompt, shape = conduct_prompt(stage, draft, spoken_of), conduct_shape(bool(spoken_of), closing)
    asked = stage.room.ask_for(shape, stage.judge_of_conduct(at, closing=closing), prompt, "conduct")
    return stage.room.start_background(asked)


def breaches_in(entry: Draft, found: Conduct | Failure) -> list[Breach]:
    """What the chair finds in a statement, sentence by sentence: new facts without a source, and conduct. It must quote
    the words; without them there is nothing to show."""
    if isinstance(found, Failure):
        return []
    breaches = dict[str, Breach]()
    for one in found.unsourced if isinstance(found, ConductAndFacts) else ():
        said = said_around(with_results(one.sentence), entry.content)
        text = " ".join(sentence.text for sentence in said if not sentence.cites)
        if text and not any(sentence.labelled for sentence in said):
            breaches[text] = Breach(11, f"it states a new fact without a source. {one.mend}".rstrip(), text)
    if found.breach in CONDUCT and find_quote(found.words, entry.content, least=1) is not None:
        rule, what = CONDUCT[found.breach]
        return [*breaches.values(), Breach(rule, f"{what}. {found.reason}", sentence_around(found.words, entry))]
    return [*breaches.values()]


def cited_numbers(stage: Stage, entry: Draft) -> set[str]:
    """The numbers in the sentences that cite a source, on the record and in this statement."""
    own = [one.text for one in said_in(entry.content) if one.cites]
    return {number for text in (*stage.rules_record().sourced, *own) for number in numbers_in(text)}


def statements_spoken_of(stage: Stage, draft: Draft) -> list[Draft]:
    """The other side's statements that a statement answers or names: only what is shown can be misrepresented."""
    named = {*citations(draft.content)}
    if isinstance(draft.rebuttal_to, Draft) and draft.rebuttal_to.seq is not None:
        named.add(draft.rebuttal_to.seq)
    others = [one for one in on_record(stage.record) if one.speaker in DEBATERS and one.speaker != draft.speaker]
    return [one for one in others if one.seq in named]


def conduct_prompt(stage: Stage, draft: Draft, spoken_of: Sequence[Draft]) -> Prompt:
    """The questions to the chair about a statement that a program cannot answer."""
    shown = replace(draft, content=stage.masked(with_sources(draft)))
    quoted = [fenced(one.content, f"entry #{one.seq}, which it speaks of") for one in spoken_of]
    if draft.phase != "closing" and (inputs := uncited(draft.content, cited_numbers(stage, draft))):
        sourced = fenced(stage.masked("\n".join(stage.rules_record().sourced)), "sentences")
        quoted.append(prompts.INPUTS.format(numbers=listed(inputs), sourced=sourced))
    return prompts.CONDUCT(role=draft.speaker, statement=shown, spoken_of="".join(f"\n\n{one}" for one in quoted))


async def rule_on(stage: Stage, pending: list[Pending], phase: str) -> None:
    """Handle all new findings: first fabricated sources, then the rest in the order of the entries."""
    settled = [(one.entry, await one.work) for one in pending]
    pending.clear()
    for _, found in settled:
        for one in found if isinstance(found, list) else []:
            stage.heard(one.entry)
    for entry, found in settled:
        for one in found if isinstance(found, list) else []:
            if one.finding.status == "fabricated":
                redact(stage, entry, one.url, one.finding, phase)
    for entry, found in settled:
        if isinstance(found, Failure):
            stage.lacks(f"no judgement of the conduct in entry {entry.seq}", found, phase)
        elif entry.seq not in mask_of(stage.record).struck:
            rule_on_finding(stage, entry, found, phase)


def rule_on_finding(stage: Stage, entry: Draft, found: Found, phase: str) -> None:
    if isinstance(found, Conduct):
        rule_on_breaches(stage, entry, breaches_in(entry, found), phase)
    for one in found if isinstance(found, list) else []:
        note_finding(stage, entry, one, phase)


def redact(stage: Stage, entry: Draft, url: str, found: Finding, phase: str) -> None:
    """Strike an entry for good; a second fabrication in it changes nothing any more."""
    if entry.seq in mask_of(stage.record).struck:
        return
    reason = f"a source of it is fabricated: {found.explanation}"
    text = (
        f"Entry {entry.seq} of the {entry.speaker} is struck from the record, with all that it says. The source {url} "
        f"is fabricated: {found.explanation}. Rules 12 and 14; this is a severe penalty."
    )
    shown = [text for passage in stage.desk.passages for text in (passage.title, passage.text)]
    evidence = [*shown, *stage.desk.confirmed]
    data = Redaction(rule=12, against=entry.speaker, url=url, reason=reason, spared=shared_wording(entry, evidence))
    stage.emit("redaction", "chair", text, phase=phase, data=data, target=entry)
    stage.warnings[entry.speaker].append(f"your entry {entry.seq} was redacted, since {reason}")


def note_finding(stage: Stage, entry: Draft, checked: Checked, phase: str) -> None:
    """Rule that a source does not bear out its sentence, and warn the debater, unless a challenge has settled it. What
    could not be judged is no ruling."""
    found, url, sentence = checked.finding, checked.url, checked.sentence
    if found.status not in RULED or settled_already(stage, entry, url, sentence):
        return
    what = shortcoming(found, url)
    data = Ruling(about="source", rule=13, against=entry.speaker, sentence=sentence, url=url, status=found.status)
    rule_on_sentence(stage, entry, data, f"{what}. The sentence does not count as sourced", phase)
    warn(stage, entry, sentence, f"{what}. Cite a page that says it, say what this one says, or withdraw the sentence")


def settled_already(stage: Stage, entry: Draft, url: str, sentence: str) -> bool:
    """Whether the chair has ruled on this citation, and knew what it is worth."""
    return any(
        isinstance(one.data, Ruling)
        and (one.target, page_of(one.data.url or ""), one.data.sentence) == (entry, page_of(url), sentence)
        and one.data.status != "unjudged"
        for one in stage.record
    )


def shortcoming(found: Finding, url: str) -> str:
    """What is wrong with a sentence by its source."""
    if found.status == "contradicted":
        return f"its source {url} says otherwise: “{found.quote}”"
    return f"{'a part of this' if found.answer == 'partly' else 'this'} is not in its source {url}"


def rule_on_sentence(stage: Stage, entry: Draft, data: Ruling, words: str, phase: str) -> None:
    """A ruling on a sentence of an entry."""
    text = f"“{data.sentence}” in entry {entry.seq} of the {entry.speaker}: {words}; rule {data.rule}."
    stage.emit("ruling", "chair", text, phase=phase, data=data, target=entry)


def warn(stage: Stage, entry: Draft, sentence: str, words: str) -> None:
    """Tell a debater in its next cue what is wrong with a sentence, and what would mend it."""
    stage.warnings[entry.speaker].append(f"“{sentence}” in your entry {entry.seq}: {words}.")


def sentence_around(words: str, entry: Draft) -> str:
    """The sentence of an entry with these words in it."""
    return " ".join(one.text for one in said_around(words, entry.content)) or words


def rule_on_new_points(stage: Stage, sentences: Sequence[str]) -> None:
    """A ruling on each sentence of a closing statement that, as the chair finds, who has read the whole record, makes a
    new point."""
    for entry in [one for one in stage.record if one.type == "closing_statement"]:
        if entry.seq in mask_of(stage.record).struck:
            continue
        for one in sentences:
            if find_quote(one, entry.content) is not None:
                data = Ruling(about="conduct", rule=4, against=entry.speaker, sentence=one)
                rule_on_sentence(stage, entry, data, "this is a new point in a closing statement", "system")


def rule_on_breaches(stage: Stage, entry: Draft, found: Sequence[Breach], phase: str) -> None:
    """A ruling on each of these faults, which are in sentences that their author was told of, or that are new in what
    came back."""
    for one in found:
        unsourced = one.rule == RULE_OF_SOURCES
        about: Literal["unsourced", "conduct"] = "unsourced" if unsourced else "conduct"
        data = Ruling(about=about, rule=one.rule, against=entry.speaker, sentence=one.sentence)
        if any(said.data == data and said.target is entry for said in stage.record):
            continue
        words = one.words.rstrip(".")
        rule_on_sentence(stage, entry, data, f"{words}. It counts as unsourced" if unsourced else words, phase)
        remedy = "it counts as unsourced. Cite a source for it, or withdraw the sentence"
        warn(stage, entry, one.sentence, remedy if unsourced else f"{words}. Rule {one.rule}")


def strike(stage: Stage, role: Role, broken: Breach, call: str, phase: str) -> None:
    """A debater loses a turn because all replies broke a rule. The reply does not go on the record."""
    text = f"The {role}'s turn is struck, since {broken}."
    data = Ruling(about="struck", rule=broken.rule, against=role, call=call, failure=str(broken))
    stage.emit("ruling", "chair", text, phase=phase, data=data)
    stage.warnings.setdefault(role, []).append(f"your last turn was struck, since {broken}")


async def settle_challenge(stage: Stage, draft: Draft, pending: list[Pending], at: str, phase: str) -> None:
    """An urgent check of the sentence that is challenged, with the challenger's words before the verifier; the turn
    waits for it. Then redaction, a warning, or the challenge is dismissed."""
    challenge, entry = draft.data, draft.target
    if not isinstance(challenge, Challenge) or not isinstance(entry, Draft):
        return
    objection = draft.content if challenge.claim in draft.content else f"{draft.content}\n\n{challenge.claim}"
    sentence, place = challenge.sentence, f"{at}.challenge"
    [checked] = await verify(stage, entry, challenge.url, (sentence,), place, objection)
    found = checked.finding
    stage.heard(checked.entry)
    if found.status == "fabricated":
        # No agent may receive the struck words, so finish all work on them first.
        await rule_on(stage, pending, phase)
        redact(stage, entry, challenge.url, found, phase)
        return
    against: str | None = None
    if found.status == "confirmed":
        text = f"challenge {draft.seq} is dismissed, since {challenge.url} says it"
    elif found.status == "unjudged":
        text = f"challenge {draft.seq} is left open and held against nobody, since {found.explanation}"
    else:
        against, what = entry.speaker, shortcoming(found, challenge.url)
        text = f"challenge {draft.seq} is upheld: {what}. The sentence does not count as sourced"
        warn(stage, entry, challenge.sentence, f"{what}. Replace the source, or withdraw the sentence")
    data = Ruling(
        about="challenge",
        rule=13,
        against=against,
        sentence=challenge.sentence,
        url=challenge.url,
        status=found.status,
    )
    rule_on_sentence(stage, entry, data, text, phase)


async def settle_clarification(stage: Stage, draft: Draft, at: str, phase: str) -> None:
    chair = stage.agent("chair", f"{at}.clarify")
    known = {"record": stage.shown(), "you": stage.you("chair")}
    prompt = prompts.CLARIFY(**known, role=draft.speaker, request=stage.quoted(draft))
    found = await stage.room.ask_for(Clarified, chair, prompt, "clarify")
    failure = found.reason if isinstance(found, Failure) else None
    text = f"No clarification could be had: {failure}" if isinstance(found, Failure) else found.answer
    data = Ruling(about="clarification", rule=1, failure=failure)
    stage.emit("ruling", "chair", text, phase=phase, data=data, target=draft, call=chair.key("clarify"))
