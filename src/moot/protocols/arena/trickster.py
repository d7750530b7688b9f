"""The Trickster questions agents that agree on thin evidence."""

from moot.api import Draft, Failure
from moot.protocols.arena import prompts
from moot.protocols.arena.board import board, called, number_of, task
from moot.protocols.arena.cast import Arena, Seat
from moot.protocols.arena.evidence_quality import gaps_in, thin_evidence_in
from moot.protocols.arena.payloads import Convergence, HollowChallenge, TricksterQuestion
from moot.protocols.arena.shapes import challenge_shape


async def challenge(arena: Arena, number: int, found: Convergence) -> bool:
    """Question every agent with thin evidence, after each revision round; returns whether that was done. Early
    consensus waits for the answers in the next revisions."""
    seats = [seat for seat in arena.proposing if seat.name in thin_evidence_in(found)]
    if arena.trickster is None or not seats or arena.challenges == arena.config.revision_rounds:
        return False
    arena.challenges += 1
    arena.challenge = await _put_questions(arena, number, seats)
    return True


async def _put_questions(arena: Arena, number: int, seats: list[Seat]) -> Draft:
    room, trickster = arena.room, arena.trickster
    assert trickster is not None  # noqa: S101 (only called where there is one)
    gaps = {seat.name: gaps_in(seat.proposal.content, arena.known) for seat in seats}
    listed = "".join(f"\n- proposal {number_of(arena, name)} {'; '.join(gaps[name])}" for name in gaps)
    prompt = prompts.CHALLENGE(
        task=task(arena),
        proposals=board(arena, seats),
        gaps=listed,
        name=trickster.name,
        personality=arena.config.trickster.personality if arena.config.trickster else "",
    )
    at = f"challenge/{number}"
    shape = challenge_shape(tuple(called(arena, name) for name in gaps))
    asked = await room.ask_for(shape, trickster, prompt, at, patience=arena.patience(trickster))
    if isinstance(asked, Failure):
        given, failure = {name: _plain_question(gaps[name]) for name in gaps}, asked.reason
    else:
        said = asked.model_dump(by_alias=True)
        given, failure = {name: said[called(arena, name)] for name in gaps}, None
    questions = [TricksterQuestion(to=name, question=given[name], gaps=gaps[name]) for name in gaps]
    text = "\n".join(f"- To {one.to}: {' '.join(one.question.split())}" for one in questions)
    data = HollowChallenge(round=number, questions=questions, failure=failure)
    return room.emit("challenge", trickster, text, phase="revision", data=data, call=trickster.key(at))


def _plain_question(gaps: list[str]) -> str:
    """A question made from the counted gaps, used if the Trickster fails."""
    return f"Your proposal {'; '.join(gaps) or 'gives little evidence'}. What does it rest on, and what is not known?"
