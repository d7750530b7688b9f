"""Making a proposal, and revising it."""

from dataclasses import dataclass
from operator import attrgetter

from moot.engine.prompt import Fact, Prompt, fenced
from moot.engine.prose import Prose
from moot.engine.structured import Failure, Shape
from moot.protocols.arena import prompts
from moot.protocols.arena.cast import Arena, Seat
from moot.protocols.arena.payloads import ArenaProposal, HollowChallenge
from moot.protocols.arena.shapes import NOBODY, Proposed, evidence_in, revision_shape
from moot.record.entry import Draft

LONGEST_EXCERPT = 600
"""Characters of the background for a small model."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What an agent sees before it revises; `hearsay` is the short form for a small model, `names` are the speakers."""

    intro: str
    said: Fact
    hearsay: str
    names: tuple[str, ...]


async def propose(arena: Arena, seat: Seat, again: str = "") -> Draft:
    """Round 1 for one agent. Its prompt contains nothing about the others."""
    room, config, at = arena.room, arena.config, f"propose{again}"
    texts = [fenced(f"{one.title}\n\n{one.text}", one.kind) for one in config.context]
    background = "\n\nBackground, which may be wrong or out of date:\n\n" + "\n\n".join(texts) if texts else ""
    excerpt = " " + " ".join(one.text for one in config.context)[:LONGEST_EXCERPT] if texts else ""
    prompt = prompts.PROPOSE(topic=config.topic, background=background, excerpt=excerpt)
    found = await ask_for_proposal(arena, seat, Proposed, prompt, at)
    if isinstance(found, Failure):
        return _missing(arena, seat, 1, "proposals", found)
    data = _proposal(seat, 1, found.decision, found.proposal)
    draft = room.emit("proposal", seat.agent, _text(data), phase="proposals", data=data, call=seat.agent.key(at))
    seat.versions.append(draft)
    return draft


async def ask_for_proposal(arena: Arena, seat: Seat, shape: type[Shape], prompt: Prompt, at: str) -> Shape | Failure:
    """Ask an agent for a proposal, in its own name only. Repeating another's proposal is allowed."""
    prose = Prose(others=[one.agent.name for one in arena.seats if one is not seat])
    patience = arena.patience(seat.agent)
    words = attrgetter("proposal")
    return await arena.room.ask_for(shape, seat.agent, prompt, at, patience=patience, prose=prose, words=words)


async def revise(arena: Arena, seat: Seat, number: int, phase: str, feedback: Feedback, again: str = "") -> Draft:
    """One agent's revision; if the agent fails, its proposal remains."""
    room, at = arena.room, f"revise/{number}{again}"
    template = prompts.REFINE if phase == "refinement" else prompts.REVISE
    question = question_to(arena, seat)
    prompt = template(
        number=number,
        intro=feedback.intro,
        feedback=feedback.said,
        challenge=f"\n\nA question is put to you, and your proposal should answer it:\n\n{question}"
        if question
        else "",
        nobody=NOBODY,
        hearsay=f"{feedback.hearsay} " if feedback.hearsay else "",
        asked=f" You are asked: {question}" if question else "",
    )
    shape = revision_shape(feedback.names)
    found = await ask_for_proposal(arena, seat, shape, prompt, at)
    if isinstance(found, Failure):
        return _missing(arena, seat, number, phase, found)
    given = found.model_dump()
    data = _proposal(
        seat,
        number,
        given["decision"],
        given["proposal"],
        changed_mind=given["changed_mind"],
        because_of=None if given["because_of"] == NOBODY else given["because_of"],
        new_evidence=evidence_in(given["new_evidence"]),
    )
    call = seat.agent.key(at)
    return room.emit("proposal", seat.agent, _text(data), phase=phase, data=data, target=seat.proposal, call=call)


def question_to(arena: Arena, seat: Seat) -> str:
    """The Trickster's question to this agent, fenced; empty if there is none."""
    data = arena.challenge.data if arena.challenge else None
    asked = [one.question for one in data.questions if one.to == seat.name] if isinstance(data, HollowChallenge) else []
    return fenced(asked[0], "question") if asked else ""


def _proposal(
    seat: Seat,
    number: int,
    decision: str,
    proposal: str,
    *,
    changed_mind: bool | None = None,
    because_of: str | None = None,
    new_evidence: str | None = None,
) -> ArenaProposal:
    return ArenaProposal(
        round=number,
        version=len(seat.versions) + 1,
        decision=" ".join(decision.split()),
        proposal=proposal.strip(),
        changed_mind=changed_mind,
        because_of=because_of,
        new_evidence=new_evidence,
        failure=None,
    )


def _missing(arena: Arena, seat: Seat, number: int, phase: str, found: Failure) -> Draft:
    data = ArenaProposal(
        round=number,
        version=len(seat.versions),
        decision=None,
        proposal=None,
        changed_mind=None,
        because_of=None,
        new_evidence=None,
        failure=found.reason,
    )
    what = "its proposal stands as it was" if seat.versions else "no proposal"
    text = f"No answer, so {what}: {found.reason}"
    return arena.room.emit("proposal", seat.agent, text, phase=phase, data=data, call=found.key)


def _text(data: ArenaProposal) -> str:
    return f"**{data.decision}**\n\n{data.proposal}"
