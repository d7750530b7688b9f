"""The end of a chaired debate: the chair's conclusion, the audience's, the reporter's documents, the assessment.

Documents are not entries: they are made from the replies in the journal, with the keys named here.
"""

from collections.abc import Sequence

from moot.api import Agent, Draft, Failure, Prose, Reply, brief_in_words, brief_parts, fenced
from moot.protocols.chaired import prompts
from moot.protocols.chaired.cast import Stage
from moot.protocols.chaired.config import DEBATERS
from moot.protocols.chaired.payloads import (
    STATUS_WORDS,
    Announcement,
    Conclusion,
    Outcome,
    Redaction,
    Ruling,
    View,
)
from moot.protocols.chaired.record import standing
from moot.protocols.chaired.result import findings, found_of, rulings_against
from moot.protocols.chaired.rules import (
    WINNERS,
    Record,
    citations,
    contradicts,
    misquotes,
    rests_badly,
    unearned,
    uneven,
)
from moot.protocols.chaired.rulings import rule_on_new_points
from moot.protocols.chaired.shapes import Assessment, AudienceView, Decision
from moot.text import shows
from moot.text.language import word_count

SUMMARY_CALL = "reporter@summary/summary"
POST_CALLS = ("reporter@post/post", "reporter@post/post-again")
ASSESSMENT_CALL = "assessor@report/assessment"
POST_WORDS = (800, 1500)
IN_WORDS = {
    "affirmative_wins": "The promoter wins: the case for the motion was the stronger.",
    "negative_wins": "The detractor wins: the case against the motion was the stronger.",
    "draw": "It is a draw.",
    "void": "The debate is void.",
}


def in_words(outcome: Outcome, by: str | None) -> str:
    """How the debate ended. Where a side is disqualified, nobody has weighed its case."""
    if by == "code" and outcome in WINNERS:
        return f"The {WINNERS[outcome]} wins by the rules alone: the other side cited fabricated sources."
    return f"{IN_WORDS[outcome]} Both sides cited fabricated sources." if by == "code" else IN_WORDS[outcome]


async def conclude(stage: Stage) -> None:
    """Phase 4."""
    conclusion = await decide_outcome(stage)
    view = await hear_view(stage)
    void = isinstance(conclusion.data, Conclusion) and conclusion.data.outcome == "void"
    summary = stage.room.start_background(write_summary(stage, conclusion, view))
    post = None if void else stage.room.start_background(write_post(stage, conclusion))
    written = {"summary.md": await summary, "blog-post.md": await post if post is not None else None}
    documents = [(name, reply.text) for name, reply in written.items() if reply is not None]
    found = await assess(stage, conclusion, view, documents)
    if isinstance(found, Assessment) and not found.reporter_neutral:
        text = (
            f"The assessor finds that the reporter was not neutral; rule 16. Its documents say so. {found.neutrality}"
        )
        data = Ruling(about="reporter", rule=16, against="reporter")
        stage.emit("ruling", "chair", text, phase="system", data=data, call=ASSESSMENT_CALL)
    if isinstance(found, Assessment):
        rule_on_reasons(stage, conclusion, found)
    failure = f"no assessment: {found.reason}" if isinstance(found, Failure) else None
    names = ["transcript.md", *(name for name, _ in documents), "verifier-report.md", "metadata.json"]
    names += [] if failure else ["assessor-report.md"]
    text = f"{conclusion.content.partition(chr(10))[0]} In this run's folder are {', '.join(names)}."
    stage.announce(text, "system", Announcement(kind="end", of="assessor" if failure else None, failure=failure))


def rule_on_reasons(stage: Stage, conclusion: Draft, found: Assessment) -> None:
    """Put on record that the assessor reads the chair's reasons otherwise than the outcome. The outcome stays."""
    data = conclusion.data
    outcome = data.outcome if isinstance(data, Conclusion) and data.by == "chair" else None
    if outcome is None or contradicts(found.reasons_for, outcome) is None:
        return
    side = "neither side" if found.reasons_for == "neither" else f"the {found.reasons_for}"
    text = (
        f"The assessor finds that the chair's reasons speak for {side}, and the outcome is: {IN_WORDS[outcome]} "
        "Rule 1 makes the outcome final; whoever relies on it should read the reasons."
    )
    ruling = Ruling(about="reasons", rule=1, against="chair")
    stage.emit("ruling", "chair", text, phase="system", data=ruling, call=ASSESSMENT_CALL)


async def decide_outcome(stage: Stage) -> Draft:
    """The chair decides. If both sides fabricated sources, there is nothing to decide; if the config says so, a single
    side that did has lost."""
    chair = stage.agent("chair", "conclusion")
    liars = [role for role in DEBATERS if found_of(role, stage.record)["fabricated"]]
    by_rules: Outcome | None = None
    if len(liars) == len(DEBATERS):
        by_rules = "void"
    elif liars and stage.config.disqualify_fabricators:
        by_rules = next(outcome for outcome, winner in WINNERS.items() if winner != liars[0])
    if by_rules is not None:
        data, text = Conclusion(outcome=by_rules, by="code", failure=None), in_words(by_rules, "code")
        return stage.emit("conclusion", "chair", text, phase="system", data=data)

    found, faults = await ask_decision(stage, chair)
    if isinstance(found, Failure):
        text = f"No outcome: the chair came to no usable decision. {found.reason}"
        data = Conclusion(outcome=None, by="chair", failure=found.reason)
    else:
        text, data = concluded(stage, found, faults)
    return stage.emit("conclusion", "chair", text, phase="system", data=data, call=chair.key("decision"))


def concluded(stage: Stage, found: Decision, faults: list[str]) -> tuple[str, Conclusion]:
    """The chair's decision as an entry: the answer, the outcome, both cases, and the parts of the brief."""
    won = IN_WORDS[found.outcome]
    rule_on_new_points(stage, found.new_points)
    stands = standing(stage.record)
    brief = found.brief({name: draft for draft in stands for name in (f"#{draft.seq}", f"{draft.seq}")})
    cases = (f"The promoter's case: {found.promoter_case}", f"The detractor's case: {found.detractor_case}")
    parts = [brief.answer, won, *cases, brief_in_words(brief.model_copy(update={"answer": None}))]
    data = Conclusion(
        outcome=found.outcome,
        by="chair",
        promoter_case=found.promoter_case,
        detractor_case=found.detractor_case,
        rests_on=[seq for seq in found.rests_on if seq in {draft.seq for draft in stands}],
        stronger=found.stronger,
        faults=faults,
        brief=brief,
        failure=None,
    )
    return "\n\n".join(filter(None, parts)), data


async def ask_decision(stage: Stage, chair: Agent) -> tuple[Decision | Failure, list[str]]:
    """The chair's decision, and the faults in its form, which are noted. Only grave ones
    are sent back, once."""
    record, usable = stage.rules_record(), list[Decision]()
    prompt = prompts.DECIDE(
        record=stage.shown(),
        you=stage.you("chair"),
        findings=findings_told(stage),
        figures=figures(stage, rulings=False),
        parts=brief_parts("the numbers of standing statements that bear it out, the winner’s own among them"),
    )

    def accept(decision: Decision) -> str | None:
        usable.append(decision)
        return "; ".join(grave_faults(decision, record)) or None if len(usable) == 1 else None

    found = await stage.room.ask_for(Decision, chair, prompt, "decision", accept=accept)
    found = usable[-1] if isinstance(found, Failure) and usable else found
    return found, [] if isinstance(found, Failure) else faults_of(found, record)


def grave_faults(decision: Decision, record: Record) -> list[str]:
    """Faults that leave open what the decision is, or by what a side won."""
    found = [
        contradicts(decision.stronger, decision.outcome),
        unearned(decision.rests_on, decision.outcome, record),
        None if shows(decision.answer) else "`answer` is empty, and the question was asked for an answer",
    ]
    return [fault for fault in found if fault is not None]


def faults_of(decision: Decision, record: Record) -> list[str]:
    """Faults in the form of a decision. What it rests on wrongly is left out of it."""
    cases = (decision.promoter_case, decision.detractor_case)
    found = [
        misquotes(" ".join((*cases, brief_in_words(decision.brief({})))), record),
        uneven(*cases),
    ]
    light = [fault for fault in found if fault is not None]
    return [*grave_faults(decision, record), *rests_badly(decision.rests_on, record), *light]


async def hear_view(stage: Stage) -> Draft:
    """The audience's conclusion, made without seeing the chair's. An entry that it cites and that is not there is
    noted."""
    agent = stage.agent("audience", "end")
    prompt = prompts.VIEW(record=stage.shown(), you=stage.you("audience"))
    found = await stage.room.ask_for(AudienceView, agent, prompt, "view")
    fault, failure = None, None
    if isinstance(found, Failure):
        text, failure = "The audience came to no usable conclusion.", found.reason
    else:
        text = found.conclusion
        fault = misquotes(text, stage.rules_record())
    data = View(words=word_count(text), cites=citations(text), fault=fault, failure=failure)
    return stage.emit("audience_conclusion", "audience", text, phase="system", data=data, call=agent.key("view"))


async def write_summary(stage: Stage, conclusion: Draft, view: Draft) -> Reply | None:
    prompt = prompts.SUMMARY(
        record=stage.shown(),
        you=stage.you("reporter"),
        findings=findings_told(stage),
        conclusion=stage.quoted(conclusion),
        view=stage.quoted(view),
    )
    return await stage.room.ask_or_note_gap(stage.agent("reporter", "summary"), prompt, "summary", Prose())


async def write_post(stage: Stage, conclusion: Draft) -> Reply | None:
    """The blog post; one of the wrong length is requested a second time."""
    agent = stage.agent("reporter", "post")
    prompt = prompts.POST(
        record=stage.shown(),
        you=stage.you("reporter"),
        findings=findings_told(stage),
        conclusion=stage.quoted(conclusion),
    )
    post = await stage.room.ask_or_note_gap(agent, prompt, "post", Prose())
    count = word_count(post.text) if post is not None else 0
    if post is None or POST_WORDS[0] <= count <= POST_WORDS[1]:
        return post
    return await stage.room.ask_or_note_gap(agent, prompts.LENGTH(count=count), "post-again") or post


async def assess(
    stage: Stage, conclusion: Draft, view: Draft, documents: Sequence[tuple[str, str]]
) -> Assessment | Failure:
    prompt = prompts.ASSESS(
        record=stage.shown(),
        you=stage.you("assessor"),
        figures=figures(stage),
        conclusion=stage.quoted(conclusion),
        view=stage.quoted(view),
        documents="\n\n".join(fenced(stage.masked(text), name) for name, text in documents),
    )
    agent = stage.agent("assessor", "report")
    return await stage.room.ask_for(Assessment, agent, prompt, "assessment")


def findings_told(stage: Stage) -> str:
    """The findings by sentence, quoted, with the passage where it was not confirmed; nothing of what was struck. What
    several entries say with the same source is told once."""
    gone, told = stage.rules_record().redacted, dict[str, list[str]]()
    for (seq, _, sentence), found in findings(stage.record).items():
        passage = f" The passage: “{found.quote}”" if found.quote else ""
        why = "" if found.status == "confirmed" else f"{passage} {found.explanation}"
        if seq not in gone:
            line = f"“{sentence}” cites {found.url}: {STATUS_WORDS[found.status]}.{why}"
            told.setdefault(line, []).append(f"#{seq}")
    lines = [f"{', '.join(entries)}: {line}" for line, entries in told.items()]
    return fenced(stage.masked("\n".join(lines)) or "Nothing was cited that stands.", "findings")


def figures(stage: Stage, *, rulings: bool = True) -> str:
    """Figures about each side: statements, sources by finding, redactions and, if the reader did not make them,
    rulings."""
    lines, record = [], stage.record
    for role in DEBATERS:
        said = sum(draft.speaker == role for draft in standing(record))
        found = sorted(found_of(role, record).items())
        sources = ", ".join(f"{count} {STATUS_WORDS[status]}" for status, count in found) or "none checked"
        struck = sum(isinstance(draft.data, Redaction) and draft.data.against == role for draft in record)
        ruled = f"; {rulings_against(role, record)} rulings against it, redactions among them" if rulings else ""
        lines.append(f"The {role}: {said} statements stand, {struck} redacted; sources: {sources}{ruled}.")
    return " ".join(lines)
