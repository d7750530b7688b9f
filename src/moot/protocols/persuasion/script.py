"""The persuasion dialogue: proponent and opponent move by the rules of a game, and the moves build the arguments.

The program enforces the rules: it offers the legal moves, checks the replies, and tracks the commitment stores. The
moderator checks each move before it counts. At the end the framework is scored, and the moderator explains it.
"""

from dataclasses import replace

from moot.api import Fact, Failure, Prose, Room, fenced, require
from moot.protocols.persuasion.cast import Talk, looker, open_talk
from moot.protocols.persuasion.citations import (
    ask_on_record,
    doubts_about,
    doubts_about_move,
    unknown_ids,
    with_citations,
)
from moot.protocols.persuasion.config import PersuasionConfig
from moot.protocols.persuasion.dialogue import apply, finished, passed
from moot.protocols.persuasion.legal import check, legal_moves, mended, repeated
from moot.protocols.persuasion.moves import OTHER, SIDES, Option, Proposal, Side
from moot.protocols.persuasion.payloads import FinalStatement, MoveSentBack, TurnForfeited
from moot.protocols.persuasion.prompts import (
    AGAIN,
    CITED,
    CITING,
    CLOSE,
    GIVING_UP,
    IN_PERSON,
    LOOK,
    MOVE,
    TASKS,
    offered,
    proposed,
    quoted_facts,
)
from moot.protocols.persuasion.shapes import (
    Closing,
    Fault,
    Look,
    Turn,
    citations,
    closing_shape,
    look_shape,
    proposal_of,
    turn_shape,
)
from moot.protocols.persuasion.verdict import judge


async def play(room: Room, config: PersuasionConfig) -> None:
    require("argument")  # for the scores at the end, before anything is paid
    talk = await open_talk(room, config)
    while (place := talk.state.place) is not None and place[2] != "closing" and not talk.state.ended:
        await take_turn(talk, place[1])
    for side in SIDES:
        await close(talk, side)
    talk.advance(finished(talk.state), "closing")
    await judge(talk)


async def take_turn(talk: Talk, side: Side) -> None:
    """One move: chosen from the legal ones, checked by the moderator, made. Without one the turn is forfeited."""
    at, phase = f"{talk.state.turn}", talk.phase()
    known = facts(talk, side, legal_moves(talk.state, side))
    proposal, call = await propose(talk, side, at, known)
    ruling = await look(talk, side, proposal, at)
    if isinstance(ruling, Look) and isinstance(proposal, Proposal) and ruling.ruling != "stands":
        known |= send_back(talk, side, proposal, at, ruling.ruling, ruling.reason)
        proposal, call = await propose(talk, side, f"{at}/again", known, again=True)
        ruling = await look(talk, side, proposal, f"{at}/again")
        if isinstance(ruling, Look) and isinstance(proposal, Proposal) and ruling.ruling != "stands":
            send_back(talk, side, proposal, f"{at}/again", ruling.ruling, ruling.reason)
            proposal = Failure(call, f"the move was sent back twice, at last as a {ruling.ruling}")
    failure = f"the moderator did not look at it: {ruling.reason}" if isinstance(ruling, Failure) else None
    if isinstance(ruling, Look) and isinstance(proposal, Proposal):
        labels = citations(proposal)
        proposal = replace(proposal, irrelevant=frozenset(labels[one] for one in ruling.does_not_bear))
    if isinstance(proposal, Failure):
        forfeit(talk, side, proposal.reason, phase)
    else:
        talk.advance(apply(talk.state, proposal), phase, call=call, failure=failure)


async def propose(
    talk: Talk, side: Side, at: str, known: dict[str, Fact], *, again: bool = False
) -> tuple[Proposal | Failure, str]:
    """Ask a side for its move, and return it with its call; an illegal one is sent back with the reason."""
    agent, options = talk.agents[side], legal_moves(talk.state, side)
    key = agent.key(f"move/{at}")

    def made(turn: Turn) -> Proposal:
        return with_citations(talk.state, mended(talk.state, side, proposal_of(turn, options)))

    def fault(turn: Turn) -> str | None:
        # Who has nothing to say but the same would say it again. A person may not know that it is the same.
        is_lost = not agent.is_person and repeated(talk.state, side, made(turn))
        return None if is_lost else check(talk.state, side, made(turn))

    def doubts(turn: Turn) -> list[str]:
        return [] if repeated(talk.state, side, made(turn)) else doubts_about_move(talk.state, made(turn))

    turn = await ask_on_record(
        talk.room,
        turn_shape(tuple(option.label for option in options), in_person=agent.is_person),
        agent,
        (AGAIN if again and not agent.is_person else MOVE)(**known),
        f"move/{at}",
        check=fault,
        doubts=doubts,
        prose=prose_of(talk, side),
        words=lambda turn: turn.content,
    )
    if isinstance(turn, Failure):
        return turn, key
    wrong = check(talk.state, side, proposal := made(turn))
    return Failure(key, wrong) if wrong else proposal, key


def prose_of(talk: Talk, side: Side) -> Prose:
    """A side speaks for itself. Moves are short and often repeat words of the move they answer; this does not count as
    copying."""
    return Prose(spoken=True, others=[talk.agents[OTHER[side]].name, talk.moderator.name])


async def look(talk: Talk, side: Side, proposal: Proposal | Failure, at: str) -> Look | Failure | None:
    """The moderator's ruling on a proposed move, if there is one."""
    if isinstance(proposal, Failure):
        return None
    labels, eyes = tuple(citations(proposal)), looker(talk, at)
    cited = [fact for fact in talk.facts if fact.id in {label.split()[0] for label in labels}]
    known: dict[str, Fact] = {
        "role": SIDES[side],
        "proposed": fenced(proposed(talk.state, proposal), "proposed move"),
        "answered": talk.written.get(proposal.option.target or "", "Nothing."),
        "facts": f"\n\nIt cites:\n\n{quoted_facts(cited)}" if cited else "",
        "cited": CITED.format(labels="; ".join(labels)) if labels else "",
    }
    return await talk.room.ask_for(look_shape(labels), eyes, LOOK(**known), "look")


def send_back(talk: Talk, side: Side, proposal: Proposal, at: str, fault: Fault, reason: str) -> dict[str, Fact]:
    """Log the rejected move, and return the facts for the prompt of another, as if this one had not been made."""
    place = talk.state.place
    talk.room.emit(
        "sent_back",
        talk.moderator,
        f"{reason}\n\nThe move was:\n\n{proposed(talk.state, proposal)}",
        phase=talk.phase(),
        to=[talk.agents[side].name, talk.moderator.name],
        data=MoveSentBack(
            side=side, round=place[0] if place else 0, move=proposal.option.label, fault=fault, reason=reason
        ),
        call=f"moderator@{at}/look",
    )
    ruling = fenced(reason, "reason")
    returned = f"{talk.moderator.name} has sent your move back as a {fault}:\n\n{ruling}\n\n"
    return {"fault": fault, "ruling": ruling, "returned": returned}


def forfeit(talk: Talk, side: Side, reason: str, phase: str) -> None:
    place = talk.state.place
    agent = talk.agents[side]
    lost = TurnForfeited(
        side=side, agent=agent.name, round=place[0] if place else 0, turn=talk.state.turn, failure=reason
    )
    # The reason can contain the speaker's words, which others must not see.
    text = f"{agent.name} forfeits the turn: no legal move was made."
    talk.public.append(talk.room.emit("forfeit", "moot", text, phase=phase, data=lost))
    talk.advance(passed(talk.state), phase)


def facts(talk: Talk, side: Side, options: list[Option]) -> dict[str, Fact]:
    """The facts for the prompts of a move."""
    number, _, slot = talk.state.place or (0, side, "closing")
    in_words = talk.agents[side].is_person
    return {
        "returned": "",
        "heard": talk.news(side) or "The dialogue begins.",
        "stage": f"Round {number} of {talk.state.rounds}." if number else "The opening.",
        "task": TASKS[slot],
        "options": offered(talk.state, options, in_words=in_words),
        "in_person": IN_PERSON + (CITING if talk.state.facts else "") if in_words else "",
    }


async def close(talk: Talk, side: Side) -> None:
    """A final statement, with the side's concessions and retractions if the dialogue is still open."""
    agent, options = talk.agents[side], legal_moves(talk.state, side)
    known = facts(talk, side, options)
    giving_up = GIVING_UP + str(known["options"]) if options else ""
    said = await ask_on_record(
        talk.room,
        closing_shape(tuple(one.label for one in options), in_person=agent.is_person),
        agent,
        CLOSE(**known, giving_up=giving_up, ended=f": {talk.state.ended}" if talk.state.ended else ""),
        "closing",
        doubts=lambda given: doubts_about(talk.state, unknown_ids(talk.state, [given.statement])),
        prose=prose_of(talk, side),
        words=lambda given: given.statement,
    )
    failure = said.reason if isinstance(said, Failure) else None
    text = said.statement if isinstance(said, Closing) else f"{agent.name} makes no final statement: {failure}"
    call = agent.key("closing")
    data = FinalStatement(side=side, failure=failure)
    talk.public.append(talk.room.emit("final_statement", agent, text, phase="closing", data=data, call=call))
    for label in dict.fromkeys(said.give_up) if isinstance(said, Closing) else ():
        # What is given up before can take this with it.
        for option in (one for one in legal_moves(talk.state, side) if one.label == label):
            proposal = Proposal(option, f"Given up in {agent.name}'s final statement.")
            talk.advance(apply(talk.state, proposal), "closing", call=call)
    talk.state = passed(talk.state)
