"""The end of a chaired debate: the chair's conclusion, the audience's, the reporter's documents, the assessment.

Documents are not entries: they are made from the replies in the journal, with the keys named here.
"""

from collections.abc import Sequence

from moot.engine.agent import Agent
from moot.engine.prompt import fenced
from moot.engine.room import Reply
from moot.engine.structured import Failure
from moot.protocols.chaired import prompts
from moot.protocols.chaired.cast import Stage
from moot.protocols.chaired.config import DEBATERS
from moot.protocols.chaired.payloads import STATUS_WORDS, Announcement, Conclusion, Redaction, View
from moot.protocols.chaired.record import standing
from moot.protocols.chaired.result import found_of, rulings_against
from moot.protocols.chaired.rules import citations, misquotes, poor_view, uneven
from moot.protocols.chaired.shapes import Assessment, AudienceView, Decision, SmallAssessment, SmallDecision
from moot.record.entry import Draft

SUMMARY_CALL = "reporter@summary/summary"
POST_CALLS = ("reporter@post/post", "reporter@post/post-again")
ASSESSMENT_CALL = "assessor@report/assessment"
POST_WORDS = (800, 1500)
IN_WORDS = {
    "affirmative_wins": "The affirmative wins.",
    "negative_wins": "The negative wins.",
    "draw": "It is a draw.",
    "void": "The debate is void.",
}


async def conclude(stage: Stage) -> None:
    """Phase 4."""
    conclusion = await decide_outcome(stage)
    view = await hear_view(stage, conclusion)
    void = isinstance(conclusion.data, Conclusion) and conclusion.data.outcome == "void"
    summary = stage.room.errand(write_summary(stage, conclusion, view))
    post = None if void else stage.room.errand(write_post(stage, conclusion))
    documents = [("summary.md", (await summary).text)]
    documents += [("blog-post.md", (await post).text)] if post is not None else []
    failure = await assess(stage, conclusion, view, documents)
    names = ["transcript.md", *(name for name, _ in documents), "verifier-report.md", "metadata.json"]
    names += [] if failure else ["assessor-report.md"]
    text = f"{conclusion.content.partition(chr(10))[0]} In this run's folder are {', '.join(names)}."
    stage.announce(text, "system", Announcement(kind="end", of="assessor" if failure else None, failure=failure))


async def decide_outcome(stage: Stage) -> Draft:
    """The chair weighs and decides; if both sides fabricated sources, there is nothing to weigh."""
    chair = stage.agent("chair", "conclusion")
    if all(found_of(role, stage.record)["fabricated"] for role in DEBATERS):
        text = f"{IN_WORDS['void']} Both sides cited sources that are fabricated."
        data = Conclusion(outcome="void", by="code", promoter_case="", detractor_case="", failure=None)
        return stage.heard(stage.room.emit("conclusion", "chair", text, phase="system", data=data))

    found = await ask_decision(stage, chair)
    if isinstance(found, Failure):
        text = f"No outcome: the chair came to no usable decision. {found.reason}"
        data = Conclusion(outcome=None, by="chair", promoter_case="", detractor_case="", failure=found.reason)
    else:
        cases = (found.promoter_case, found.detractor_case) if isinstance(found, Decision) else ("", "")
        summed = f"\n\nThe promoter's case: {cases[0]}\n\nThe detractor's case: {cases[1]}" if any(cases) else ""
        text = f"{IN_WORDS[found.outcome]}{summed}\n\n{found.reason}"
        data = Conclusion(
            outcome=found.outcome, by="chair", promoter_case=cases[0], detractor_case=cases[1], failure=None
        )
    return stage.heard(
        stage.room.emit("conclusion", "chair", text, phase="system", data=data, call=chair.key("decision"))
    )


async def ask_decision(stage: Stage, chair: Agent) -> Decision | SmallDecision | Failure:
    """The chair's decision. It is sent back if it cites entries that are not on the record, or if its summaries of
    the two sides differ in length."""
    prompt, record = prompts.DECIDE(record=stage.shown(), figures=figures(stage)), stage.rules_record()
    if "chair" in stage.small:
        return await stage.room.ask_for(
            SmallDecision, chair, prompt, "decision", accept=lambda decision: misquotes(decision.reason, record)
        )

    def accept(decision: Decision) -> str | None:
        cases = decision.promoter_case, decision.detractor_case
        return misquotes(" ".join((*cases, decision.reason)), record) or uneven(*cases)

    return await stage.room.ask_for(Decision, chair, prompt, "decision", accept=accept)


async def hear_view(stage: Stage, conclusion: Draft) -> Draft:
    """The audience's conclusion. Faults are sent back once, and noted after that."""
    agent, record, wrong = stage.agent("audience", "end"), stage.rules_record(), list[str]()

    def accept(view: AudienceView) -> str | None:
        fault = poor_view(view.conclusion, record)
        if fault is None or wrong:
            return None
        wrong.append(fault)
        return fault

    prompt = prompts.VIEW(record=stage.shown(), conclusion=stage.quoted(conclusion), topic=stage.topic)
    found: AudienceView | Failure
    if "audience" in stage.small:
        found = AudienceView.model_construct(conclusion=(await stage.room.ask(agent, prompt, "view")).text)
    else:
        found = await stage.room.ask_for(
            AudienceView, agent, prompt, "view", patience=stage.patience(agent), accept=accept
        )
    failure: str | None
    if isinstance(found, Failure):
        text, failure = "The audience came to no usable conclusion.", found.reason
    else:
        text, failure = found.conclusion, poor_view(found.conclusion, record)
    data = View(words=len(text.split()), cites=citations(text), failure=failure)
    return stage.heard(
        stage.room.emit("audience_conclusion", "audience", text, phase="system", data=data, call=agent.key("view"))
    )


async def write_summary(stage: Stage, conclusion: Draft, view: Draft) -> Reply:
    prompt = prompts.SUMMARY(
        topic=stage.topic,
        record=stage.shown(),
        figures=figures(stage),
        conclusion=stage.quoted(conclusion),
        view=stage.quoted(view),
    )
    return await stage.room.ask(stage.agent("reporter", "summary"), prompt, "summary")


async def write_post(stage: Stage, conclusion: Draft) -> Reply:
    """The blog post; one of the wrong length is requested a second time."""
    agent = stage.agent("reporter", "post")
    prompt = prompts.POST(
        topic=stage.topic, record=stage.shown(), figures=figures(stage), conclusion=stage.quoted(conclusion)
    )
    post = await stage.room.ask(agent, prompt, "post")
    count = len(post.text.split())
    if POST_WORDS[0] <= count <= POST_WORDS[1] or "reporter" in stage.small:
        return post
    return await stage.room.ask(agent, prompts.LENGTH(count=count), "post-again")


async def assess(stage: Stage, conclusion: Draft, view: Draft, documents: Sequence[tuple[str, str]]) -> str | None:
    """The assessor's report; if it failed, the reason."""
    prompt = prompts.ASSESS(
        record=stage.shown(),
        figures=figures(stage),
        conclusion=stage.quoted(conclusion),
        view=stage.quoted(view),
        documents="\n\n".join(fenced(stage.masked(text), name) for name, text in documents),
    )
    agent = stage.agent("assessor", "report")
    shape = SmallAssessment if "assessor" in stage.small else Assessment
    found = await stage.room.ask_for(shape, agent, prompt, "assessment")
    return f"no assessment: {found.reason}" if isinstance(found, Failure) else None


def figures(stage: Stage) -> str:
    """Figures about each side: statements, sources by finding, redactions, rulings."""
    lines, record = [], stage.record
    for role in DEBATERS:
        said = sum(draft.speaker == role for draft in standing(record))
        found = sorted(found_of(role, record).items())
        sources = ", ".join(f"{count} {STATUS_WORDS[status]}" for status, count in found) or "none checked"
        struck = sum(isinstance(draft.data, Redaction) and draft.data.against == role for draft in record)
        ruled = f"{rulings_against(role, record)} rulings against it, redactions among them"
        lines.append(f"The {role}: {said} statements stand, {struck} redacted; sources: {sources}; {ruled}.")
    return " ".join(lines)
