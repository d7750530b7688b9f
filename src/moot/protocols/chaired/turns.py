"""A debater's turn: the cue, the reply that must follow the rules, at most one interruption, and the resulting
entry."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel

from moot.api import Agent, Draft, Failure, Prompt, Prose, Source, fenced
from moot.protocols.chaired import prompts
from moot.protocols.chaired.cast import Stage, is_somebody, moment, names_of, other
from moot.protocols.chaired.checks import challenged_sentence, faults, most_words, withdrawn_sentence
from moot.protocols.chaired.citing import renumbered, said_in, without_loose_marks
from moot.protocols.chaired.computing import with_results
from moot.protocols.chaired.config import DEBATERS, INTERRUPTIONS, ROLES, Role
from moot.protocols.chaired.payloads import Challenge, Cite, Spoken, Withdrawal
from moot.protocols.chaired.rules import Breach, Record, Saying
from moot.protocols.chaired.rulings import (
    Pending,
    judge_conduct,
    look_into,
    rule_on_unsourced,
    settle_challenge,
    settle_clarification,
    strike,
    unsourced_in,
)
from moot.protocols.chaired.shapes import Turn, turn_in, turn_shape
from moot.text.prose import listed


@dataclass(frozen=True, slots=True)
class Seat:
    """A place in the script where a debater speaks. `task` is the request in the cue."""

    role: Role
    phase: str
    round: int | None
    task: str

    @property
    def at(self) -> str:
        return self.phase if self.round is None else f"r{self.round}"


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a debater wants to say, and the call it comes from. `sent_back`: it came back to its author.
    `unsourced` are the faults of single sentences that are left, as far as code can see them."""

    turn: Turn
    call: str
    agent: Agent
    sent_back: bool
    unsourced: list[Breach]


async def take_turn(stage: Stage, seat: Seat, pending: list[Pending]) -> Draft | None:
    """One turn of a debater: at most one interruption, then the statement; None if the turn was struck. The chair reads
    it before it is entered, so that its author hears of all faults while they can be mended."""
    notes = due_notes(stage, seat)
    most = most_words("withdraw", seat.role, stage.rules_record())
    may = prompts.WITHDRAW_TASK.format(withdraw=most) if seat.phase == "closing" else ""
    said = await ask_turn(stage, seat, notes + task_of(stage, seat) + may, interrupted=False)
    if said is not None and said.turn.type in INTERRUPTIONS:
        await interrupt(stage, seat, said, pending)
        notes += due_notes(stage, seat)
        said = await ask_turn(stage, seat, prompts.RESUMED_TASK + notes + task_of(stage, seat), interrupted=True)
    if said is None:
        return None
    at = f"{seat.role}.{seat.at}"
    draft = await unsaid(stage, seat, said, at)
    conduct = judge_conduct(stage, draft, at)
    lacking = unsourced_in(draft.content, await conduct)
    if lacking and not said.sent_back and seat.phase != "closing":
        mended = await ask_again(stage, seat, said, lacking)
        if mended is not None:
            said, draft = mended, await unsaid(stage, seat, mended, f"{at}.again")
            conduct = judge_conduct(stage, draft, f"{at}.again")
    draft = stage.heard(
        stage.room.emit(
            draft.type,
            seat.role,
            draft.content,
            phase=seat.phase,
            data=Spoken(round=seat.round, cites=cites_in(draft.content)),
            sources=draft.sources,
            rebuttal_to=stage.by_seq(said.turn.rebuttal_to_seq),
            call=said.call,
        )
    )
    rule_on_unsourced(stage, draft, said.unsourced, seat.phase)
    pending += [*look_into(stage, draft, at), Pending(draft, conduct)]
    return draft


async def unsaid(stage: Stage, seat: Seat, said: Prepared, at: str) -> Draft:
    """A statement before it is entered. Each source has the title of its page."""
    urls = [one.url for one in said.turn.sources]
    looked = [stage.desk.look_up(stage.room, url, f"{at}.source.{place}") for place, url in enumerate(urls, 1)]
    titles = [getattr((await one).found, "title", "") for one in looked]
    when = moment(stage.room, said.call) if urls else ""
    sources = [Source(url=url, title=title or url, accessed=when) for url, title in zip(urls, titles, strict=True)]
    answered = stage.by_seq(said.turn.rebuttal_to_seq)
    return Draft(seat.phase, seat.role, said.turn.type, said.turn.content, sources=sources, rebuttal_to=answered)


def task_of(stage: Stage, seat: Seat) -> str:
    """The request in the cue. The entry to answer is looked up each time, because an interruption can have struck
    it."""
    opponent = stage.last_of(other(seat.role)) if seat.phase == "rebuttal" else None
    if seat.phase == "rebuttal" and opponent is None:
        return prompts.NOTHING_TO_ANSWER + seat.task
    return (prompts.ANSWERING.format(seq=opponent.seq) if opponent else "") + seat.task


def due_notes(stage: Stage, seat: Seat) -> str:
    """Additional text in the next cue of a debater: relayed questions and warnings."""
    asked, warnings, text = stage.questions[seat.role], stage.warnings[seat.role], ""
    if asked:
        text += prompts.ASKED_TASK.format(entries=listed([f"entry #{one.seq}" for one in asked]))
    if warnings:
        findings = fenced("\n".join(f"- {one}" for one in warnings), "findings")
        remedy = prompts.CLOSING_REMEDY if seat.phase == "closing" else prompts.REMEDY
        if stage.last_of(seat.role) is None:  # its turns were struck, so there is no entry to withdraw
            remedy = prompts.ANEW
        text += prompts.FINDINGS_TASK.format(findings=findings, remedy=remedy)
    stage.questions[seat.role], stage.warnings[seat.role] = [], []
    return text


async def ask_turn(stage: Stage, seat: Seat, task: str, *, interrupted: bool) -> Prepared | None:
    """The debater's reply. One that breaks rules goes back once, with all of them; None if the turn is struck, since it
    still breaks one that costs more than a sentence."""
    at = f"{seat.at}.resumed" if interrupted else seat.at
    agent, you = stage.speaker(seat.role, at, seat.phase)
    call, record, broken = agent.key("turn"), stage.rules_record(), list[Breach]()

    def accept(said: BaseModel) -> str | None:
        if broken:
            return None
        broken.extend(faults(saying_of(turn_in(said, documents=bool(stage.room.documents)), seat), record))
        return all_of(broken) if broken else None

    shape = turn_shape(*record.moves(seat.phase, seat.role, interrupted=interrupted), thinks=not is_somebody(agent))
    turn = await ask_for_turn(stage, seat, agent, prompts.CUE(record=stage.shown(), you=you, task=task), shape, accept)
    if isinstance(turn, Failure):
        strike(stage, seat.role, broken[0] if broken else Breach(4, turn.reason), call, seat.phase)
        return None
    return settled(stage, seat, Prepared(turn, call, agent, bool(broken), []), record)


async def ask_for_turn(
    stage: Stage,
    seat: Seat,
    agent: Agent,
    prompt: Prompt,
    shape: type[BaseModel],
    accept: Callable[[BaseModel], str | None] | None = None,
    at: str = "turn",
) -> Turn | Failure:
    said = [draft for draft in stage.record if draft.speaker in DEBATERS]
    names = [name for role, name in names_of(stage.config).items() if role != seat.role]
    others = [*(role for role in ROLES if role != seat.role), *names]
    documents = bool(stage.room.documents)
    reply = await stage.room.ask_for(
        shape,
        agent,
        prompt,
        at,
        accept=accept,
        prose=Prose(spoken=True, others=others, earlier=said),
        words=lambda said: turn_in(said, documents=documents).content,
    )
    return reply if isinstance(reply, Failure) else turn_in(reply, documents=documents)


def settled(stage: Stage, seat: Seat, said: Prepared, record: Record) -> Prepared | None:
    """What is left of a reply: without the sources that no sentence cites and the numbers of sources that are not
    there, with the results of its computations. None after a ruling, if it breaks a rule even so."""
    found = faults(saying_of(said.turn, seat), record)
    turn = mended(said.turn)
    if grave := [one for one in faults(saying_of(turn, seat), record) if not one.sentence]:
        strike(stage, seat.role, grave[0], said.call, seat.phase)
        return None
    return replace(said, turn=turn, unsourced=[one for one in found if one.sentence])


async def ask_again(stage: Stage, seat: Seat, said: Prepared, lacking: list[Breach]) -> Prepared | None:
    """The statement without the faults that the chair found in it; None if what comes back is worse."""
    record = stage.rules_record()
    answered = (said.turn.rebuttal_to_seq,) if said.turn.rebuttal_to_seq is not None else ()
    shape = turn_shape((said.turn.type,), answered, (), thinks=not is_somebody(said.agent))
    prompt = prompts.MEND(faults=fenced(all_of(lacking), "faults"))
    turn = await ask_for_turn(stage, seat, said.agent, prompt, shape, at="turn-again")
    if isinstance(turn, Failure):
        return None
    found = faults(saying_of(mended(turn), seat), record)
    again = replace(said, turn=mended(turn), call=said.agent.key("turn-again"), unsourced=[])
    return None if found else again


def all_of(broken: Sequence[Breach]) -> str:
    """All faults of a statement, for its author."""
    return "\n".join(f"- {one.told}" for one in broken) if len(broken) > 1 else broken[0].told


def cites_in(content: str) -> list[Cite]:
    claims = [claim for one in said_in(content) for claim in one.claims]
    return [Cite(source=number, sentence=claim.text) for claim in claims for number in claim.sources]


def mended(turn: Turn) -> Turn:
    """The turn without the sources that no sentence cites and the numbers of sources that are not there, and with the
    results of its computations. Interruptions cite nothing at a sentence."""
    if turn.type in INTERRUPTIONS:
        return turn
    content = with_results(without_loose_marks(turn.content, len(turn.sources)))
    cites = {number for one in said_in(content) for number in one.cites}
    places = [number for number in range(1, len(turn.sources) + 1) if number in cites]
    content = renumbered(content, {number: place for place, number in enumerate(places, 1)})
    return turn.model_copy(update={"content": content, "sources": [turn.sources[number - 1] for number in places]})


def saying_of(turn: Turn, seat: Seat) -> Saying:
    urls = tuple(source.url for source in turn.sources)
    return Saying(
        seat.role,
        turn.type,
        turn.content,
        urls,
        turn.rebuttal_to_seq,
        turn.target_seq,
        turn.claim or "",
    )


async def interrupt(stage: Stage, seat: Seat, said: Prepared, pending: list[Pending]) -> None:
    """Record an interruption and let the chair settle it."""
    turn, target = said.turn, stage.by_seq(said.turn.target_seq)
    data: Challenge | Withdrawal | None = None
    if turn.type == "withdraw" and target is not None:
        data = Withdrawal(sentence=withdrawn_sentence(saying_of(turn, seat), target.content))
    if turn.type == "source_challenge" and target is not None:
        claim = turn.claim or ""
        url = turn.sources[0].url
        sentence = challenged_sentence(claim, target.content, [one.url for one in target.sources], url) or claim
        data = Challenge(url=url, claim=claim, sentence=sentence)
    draft = stage.heard(
        stage.room.emit(turn.type, seat.role, turn.content, phase=seat.phase, data=data, target=target, call=said.call)
    )
    if isinstance(data, Challenge):
        await settle_challenge(stage, draft, pending, f"{seat.role}.{seat.at}", seat.phase)
    elif turn.type == "clarification_request":
        await settle_clarification(stage, draft, f"{seat.role}.{seat.at}", seat.phase)
