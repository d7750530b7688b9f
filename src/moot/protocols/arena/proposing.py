"""Making a proposal, and revising it."""

from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from moot.api import Draft, Fact, Failure, Prompt, Prose, Shape, fenced
from moot.protocols.arena import prompts
from moot.protocols.arena.board import by_number, called, name_of, seat_facts
from moot.protocols.arena.cast import Arena, Seat, revisions
from moot.protocols.arena.objections import Objection
from moot.protocols.arena.payloads import ArenaProposal, HollowChallenge, ObjectionAnswer
from moot.protocols.arena.shapes import NOBODY, proposal_shape, revision_shape


@dataclass(frozen=True, slots=True)
class Feedback:
    """What an agent sees before it revises: the `proposals`, its own among them, and what was `said` of its own;
    `stage` is where the debate is, `names` are the others that it sees. It answers the `objections`: all that are `new`
    to it, or those on which it has changed its mind."""

    stage: str
    proposals: str
    said: str
    names: tuple[str, ...]
    objections: tuple[Objection, ...] = ()
    new: bool = False


async def propose(arena: Arena, seat: Seat, again: str) -> Draft:
    """Round 1 for one agent. Its prompt contains nothing about the others."""
    prompt = prompts.PROPOSE(**seat_facts(arena, seat), revisions=revisions(arena.config))
    shape = proposal_shape(arena.config.words)
    found, call = await _ask_for_proposal(arena, seat, shape, prompt, f"propose{again}")
    if isinstance(found, Failure):
        return _missing(arena, seat, 1, "proposals", found)
    data = _proposal(seat, 1, found.model_dump())
    draft = arena.room.emit("proposal", seat.agent, _text(data), phase="proposals", data=data, call=call)
    seat.versions.append(draft)
    return draft


async def _ask_for_proposal(
    arena: Arena, seat: Seat, shape: type[Shape], prompt: Prompt, at: str
) -> tuple[Shape | Failure, str]:
    """Ask an agent for a proposal, in its own name only. Repeating another's proposal is allowed."""
    others = [one.name for one in arena.seats if one is not seat]
    prose = Prose(others=[*others, *(called(arena, name) for name in others)])
    return await arena.ask(seat, shape, prompt, at, prose=prose, words=attrgetter("proposal"))


async def revise(arena: Arena, seat: Seat, number: int, phase: str, feedback: Feedback, again: str) -> Draft:
    """One agent's revision; if the agent fails, its proposal remains."""
    others = tuple(called(arena, name) for name in feedback.names)
    numbers = tuple(objection.number for objection in feedback.objections)
    shape = revision_shape(arena.config.words, called(arena, seat.name), others, numbers)
    prompt = prompts.REVISE(**_revision_facts(arena, seat, feedback))
    found, call = await _ask_for_proposal(arena, seat, shape, prompt, f"revise/{number}{again}")
    if isinstance(found, Failure):
        return _missing(arena, seat, number, phase, found)
    given = found.model_dump()
    critics = {one.number: one.critique.speaker for one in feedback.objections}
    cause = given["because_of"]
    given["because_of"] = None if cause == NOBODY else critics.get(cause) or name_of(arena, cause)
    data = _proposal(seat, number, given, feedback.objections)
    return arena.room.emit("proposal", seat.agent, _text(data), phase=phase, data=data, target=seat.proposal, call=call)


def _revision_facts(arena: Arena, seat: Seat, feedback: Feedback) -> dict[str, Fact]:
    question = question_to(arena, seat)
    answers = prompts.ANSWER_ALL if feedback.new else prompts.ANSWER_AGAIN
    return {
        **seat_facts(arena, seat),
        "stage": feedback.stage,
        "shown_with": prompts.WITH_OBJECTIONS if feedback.objections and not feedback.new else "",
        "proposals": feedback.proposals,
        "feedback": feedback.said,
        "challenge": prompts.ASKED.format(question=fenced(question, "question 1")) if question else "",
        "demands": answers if feedback.objections else "",
        "nobody": NOBODY,
    }


def question_to(arena: Arena, seat: Seat) -> str:
    """The Trickster's question to this agent; empty if there is none."""
    data = arena.challenge.data if arena.challenge else None
    asked = [one.question for one in data.questions if one.to == seat.name] if isinstance(data, HollowChallenge) else []
    return by_number(arena, asked[0]) if asked else ""


def _proposal(seat: Seat, number: int, given: dict[str, Any], objections: tuple[Objection, ...] = ()) -> ArenaProposal:
    sure = given["confidence"]
    return ArenaProposal(
        round=number,
        version=len(seat.versions) + 1,
        decision=" ".join(given["decision"].split()),
        proposal=given["proposal"].strip(),
        changed_mind=given.get("changed_mind"),
        because_of=given.get("because_of"),
        new_evidence=" ".join(" ".join(given.get("new_evidence", [])).split()) or None,
        would_change=" ".join(given["would_change"].split()) or None,
        confidence=None if sure is None else sure / 100,
        answers=_answers(given.get("answers", []), objections),
    )


def _answers(given: list[dict[str, Any]], objections: tuple[Objection, ...]) -> list[ObjectionAnswer]:
    """The answers by objection. One that is answered twice has the last word."""
    by_number = {number: one for one in given for number in one["to"]}
    return [
        ObjectionAnswer(
            by=one.critique.speaker,
            issue=one.issue.issue,
            severity=one.issue.severity,
            reason=" ".join(by_number[one.number]["reason"].split()),
            verdict=by_number[one.number]["verdict"],
        )
        for one in objections
        if one.number in by_number
    ]


def _missing(arena: Arena, seat: Seat, number: int, phase: str, found: Failure) -> Draft:
    data = ArenaProposal(round=number, version=len(seat.versions), failure=found.reason)
    what = "its proposal stands as it was" if seat.versions else "no proposal"
    text = f"No answer, so {what}: {found.reason}"
    return arena.room.emit("proposal", seat.agent, text, phase=phase, data=data, call=found.key)


def _text(data: ArenaProposal) -> str:
    parts = [f"**{data.decision}**", data.proposal or ""]
    parts += [f"What would change this: {data.would_change}"] if data.would_change else []
    return "\n\n".join(parts)
