"""The cheap gate: two answers from different models end the debate if they decide the same. If not, the two have one
exchange; if that does not help, the whole arena follows."""

from moot.engine.play.prompt import fenced
from moot.protocols.arena import prompts
from moot.protocols.arena.board import board, by_number, called, hearsay
from moot.protocols.arena.cast import Arena, Seat, failed
from moot.protocols.arena.convergence import Consensus, how_alike, same_decision
from moot.protocols.arena.decision import by_consensus
from moot.protocols.arena.payloads import ArenaProposal, CheapStage, Gate, SameDecision
from moot.protocols.arena.proposing import Feedback, propose, revise
from moot.record.entry import Draft


async def answered_cheaply(arena: Arena) -> bool:
    """Whether two agents settled it. If not, their first answers are their blind proposals."""
    pair = the_two(arena)
    arena.open_round(1, "gate", [seat.name for seat in pair])
    await arena.room.together(*(propose(arena, seat, "/first") for seat in pair))
    if any(not seat.versions for seat in pair):
        _note(arena, "first answers", pair, [])
        return False
    answers = await _ask_both(arena, pair, "first answers")
    if not answers:
        return False
    if _both_agree(answers):
        return _settle(arena, pair, answers, "two agents who answered by themselves say that they decide the same")
    differ = dict(zip((seat.name for seat in pair), answers, strict=True))

    async def exchange(seat: Seat, other: Seat) -> Draft:
        named = by_number(arena, f"{called(arena, other.name)}: {differ[other.name].content}")
        feedback = Feedback(
            stage=prompts.GATE_STAGE,
            proposals=board(arena, pair),
            said=prompts.DIFFERENCES.format(differences=fenced(named, "differences 1")),
            hearsay=hearsay(arena, [other]),
            names=(other.name,),
        )
        return await revise(arena, seat, 1, "gate", feedback)

    drafts = await arena.room.together(exchange(pair[0], pair[1]), exchange(pair[1], pair[0]))
    for seat, draft in zip(pair, drafts, strict=True):
        if isinstance(draft.data, ArenaProposal) and not failed(draft):
            seat.versions.append(draft)
    answers = await _ask_both(arena, pair, "exchange")
    how = "two agents say, after one exchange, that they decide the same"
    return bool(answers) and _both_agree(answers) and _settle(arena, pair, answers, how)


def the_two(arena: Arena) -> tuple[Seat, Seat]:
    """The first agent, and the next one with another model; the second if there is none."""
    first, *others = arena.seats
    return first, next((seat for seat in others if seat.agent.cast_as != first.agent.cast_as), others[0])


async def _ask_both(arena: Arena, pair: tuple[Seat, Seat], stage: CheapStage) -> list[Draft]:
    """What each says about the other's decision; empty if one of them failed."""
    at = f"agree/{stage.replace(' ', '-')}"
    answers = await arena.room.together(
        same_decision(arena, pair[0], pair[1], at, "gate", 1), same_decision(arena, pair[1], pair[0], at, "gate", 1)
    )
    if _both_agree(answers):
        await arena.check_sources(1, "gate")
    if arena.trickster is not None and _both_agree(answers):
        await how_alike(arena, 1, "gate")
    _note(arena, stage, pair, answers)
    return [] if any(failed(draft) for draft in answers) else answers


def _both_agree(answers: list[Draft]) -> bool:
    return all(isinstance(draft.data, SameDecision) and draft.data.same for draft in answers)


def _settle(arena: Arena, pair: tuple[Seat, Seat], answers: list[Draft], how: str) -> bool:
    """Whether this is the decision. With a Trickster, agreement on thin evidence goes to the whole arena to be
    challenged."""
    if arena.hollow:
        return False
    by_consensus(arena, 1, Consensus(True, pair[0].name, 2, len(arena.seats), answers), hollow=False, how=how)
    return True


def _note(arena: Arena, stage: CheapStage, pair: tuple[Seat, Seat], answers: list[Draft]) -> None:
    failure = next(
        (_failure(draft) for draft in answers if failed(draft)), None if answers else "a proposal is missing"
    )
    same = None if failure else _both_agree(answers)
    differs = {
        draft.speaker: draft.data.differs_in
        for draft in answers
        if isinstance(draft.data, SameDecision) and draft.data.same is False and draft.data.differs_in
    }
    data = Gate(
        stage=stage,
        between=[seat.name for seat in pair],
        same=same,
        differs_in=differs,
        hollow=arena.hollow,
        failure=failure,
    )
    said = "both decide the same" if same else "they do not decide the same" if same is False else f"unknown: {failure}"
    said += ", on thin evidence" if arena.hollow else ""
    arena.room.emit("gate", "moot", f"After the {stage}: {said}.", phase="gate", to=[], data=data)


def _failure(draft: Draft) -> str:
    return str(getattr(draft.data, "failure", ""))
