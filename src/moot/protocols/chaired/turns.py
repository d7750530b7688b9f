"""A debater's turn: the cue, the reply that must follow the rules, at most one interruption, and the resulting
entry."""

from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from moot.api import Agent, Draft, Failure, Prompt, Prose, Source, Task, fenced
from moot.protocols.chaired import prompts
from moot.protocols.chaired.cast import Stage, is_somebody, moment, names_of, other
from moot.protocols.chaired.checks import challenged_sentence, faults, most_words, withdrawn_sentences
from moot.protocols.chaired.citing import renumbered, said_in, unknown_documents
from moot.protocols.chaired.computing import with_results
from moot.protocols.chaired.config import DEBATERS, INTERRUPTIONS, ROLES, Role
from moot.protocols.chaired.payloads import Challenge, Cite, Spoken, Withdrawal
from moot.protocols.chaired.rules import Breach, Saying
from moot.protocols.chaired.rulings import (
    Pending,
    breaches_in,
    judge_conduct,
    look_into,
    rule_on_breaches,
    settle_challenge,
    settle_clarification,
    strike,
)
from moot.protocols.chaired.shapes import Conduct, Turn, turn_in, turn_shape
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

    @property
    def place(self) -> str:
        return f"{self.role}.{self.at}"


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a debater wants to say, and the call it comes from; `breaches` are the faults of the reply as far as code
    sees them, and `lost` one that costs the turn. Of a statement `draft` is the entry that it would be, and `conduct`
    what the chair finds in it."""

    turn: Turn
    call: str
    breaches: list[Breach]
    lost: Breach | None
    draft: Draft | None
    conduct: "Task[Conduct | Failure] | None" = None


@dataclass(frozen=True)
class Form(Prose):
    """The form of a statement. Its faults go back with all others, once, so that here they are only noted: those that
    are `left` then."""

    left: bool = False

    def faults(self, text: str, asked: str = "") -> list[Any]:
        return [replace(one, noted=True) for one in super().faults(text, asked) if self.left or one.noted]

    def told(self, text: str) -> list[Breach]:
        """What is wrong, for the author."""
        return [Breach(4, one.reason) for one in super().faults(text) if not one.noted]


async def take_turn(stage: Stage, seat: Seat, pending: list[Pending]) -> Draft | None:
    """One turn of a debater: at most one interruption, then the statement; None if the turn was struck."""
    notes = due_notes(stage, seat)
    most = most_words("withdraw", seat.role, stage.rules_record())
    may = prompts.WITHDRAW_TASK.format(withdraw=most) if seat.phase == "closing" else ""
    said = await ask_turn(stage, seat, notes + task_of(stage, seat) + may, interrupted=False)
    if said is not None and said.draft is None:
        await interrupt(stage, seat, said, pending)
        notes += due_notes(stage, seat)
        said = await ask_turn(stage, seat, prompts.RESUMED_TASK + notes + task_of(stage, seat), interrupted=True)
    if said is None or said.draft is None or said.conduct is None:
        return None
    draft = stage.emit(
        said.draft.type,
        seat.role,
        said.draft.content,
        phase=seat.phase,
        data=Spoken(round=seat.round, cites=cites_in(said.draft.content)),
        sources=said.draft.sources,
        rebuttal_to=stage.by_seq(said.turn.rebuttal_to_seq),
        call=said.call,
    )
    cited = {one.text for one in said_in(draft.content) if one.cites}
    left = [one for one in said.breaches if not one.costs_turn and one.sentence not in cited]
    rule_on_breaches(stage, draft, left, seat.phase)
    pending += [*look_into(stage, draft, seat.place), Pending(draft, said.conduct)]
    return draft


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
    """The debater's reply: an interruption, or a statement. The chair reads a statement before it is entered; one with
    faults goes back once, with all of them. None if the turn is struck: both replies break a rule that costs it."""
    at = f"{seat.at}.resumed" if interrupted else seat.at
    agent, you = stage.speaker(seat.role, at, seat.phase)
    types, answered, aimed = stage.rules_record().moves(seat.phase, seat.role, interrupted=interrupted)
    shape = turn_shape(types, answered, aimed, thinks=not is_somebody(agent))
    said = await hear(stage, seat, agent, prompts.CUE(record=stage.shown(), you=you, task=task), shape, "turn")
    if isinstance(said, Failure):
        strike(stage, seat.role, Breach(4, said.reason), agent.key("turn"), seat.phase)
        return None
    found = [*said.breaches]
    if said.draft is not None:
        said = replace(said, conduct=judge_conduct(stage, said.draft, seat.place))
        found += breaches_in(said.draft, await said.conduct) if said.draft and said.conduct else []
    if found:
        listed = fenced("\n".join(f"- {one.told}" for one in found), "faults")
        again = await hear(stage, seat, agent, prompts.MEND(faults=listed), shape, "turn-again")
        if not isinstance(again, Failure) and again.lost is None:
            read = judge_conduct(stage, again.draft, f"{seat.place}.again") if again.draft else None
            said = replace(again, conduct=read)
    if said.lost:
        strike(stage, seat.role, said.lost, said.call, seat.phase)
        return None
    return said


async def hear(
    stage: Stage, seat: Seat, agent: Agent, prompt: Prompt, shape: type[BaseModel], at: str
) -> Prepared | Failure:
    """A reply of a debater, without the sources that no sentence cites and the numbers of sources that are not there,
    and with the results of its computations."""
    said = [draft for draft in stage.record if draft.speaker in DEBATERS]
    names = [name for role, name in names_of(stage.config).items() if role != seat.role]
    others = [*(role for role in ROLES if role != seat.role), *names]
    form = Form(spoken=True, others=others, earlier=said, left=at == "turn-again")
    documents = len(stage.room.documents)
    reply = await stage.room.ask_for(
        shape,
        agent,
        prompt,
        at,
        prose=form,
        words=lambda said: turn_in(said, documents=documents).content,
    )
    if isinstance(reply, Failure):
        return reply
    turn, record, call = turn_in(reply, documents=documents), stage.rules_record(), agent.key(at)
    found = faults(saying_of(turn, seat), record)
    if not (stage.room.rehearsal or is_somebody(agent)):
        found += form.told(turn.content)
    for one in said_in(turn.content) if documents else ():
        if absent := unknown_documents(one.text):
            found.append(Breach(11, f"it cites [{absent[0]}], and there is no such document: leave it out", one.text))
    turn = mended(turn)
    lost = next((one for one in faults(saying_of(turn, seat), record) if one.costs_turn), None)
    draft = None if turn.type in INTERRUPTIONS else await unsaid(stage, seat, turn, call, known=lost is None)
    return Prepared(turn, call, found, lost, draft)


async def unsaid(stage: Stage, seat: Seat, turn: Turn, call: str, *, known: bool) -> Draft:
    """A statement before it is entered. Each source has the title of its page, if it is known."""
    at = seat.place + (".again" if call.endswith("-again") else "")
    urls = [one.url for one in turn.sources]
    looked = [stage.desk.look_up(stage.room, url, f"{at}.source.{place}") for place, url in enumerate(urls, 1) if known]
    titles = [getattr((await one).found, "title", "") for one in looked] or urls
    when = moment(stage.room, call) if urls else ""
    sources = [Source(url=url, title=title or url, accessed=when) for url, title in zip(urls, titles, strict=True)]
    answered = stage.by_seq(turn.rebuttal_to_seq)
    return Draft(seat.phase, seat.role, turn.type, turn.content, sources=sources, rebuttal_to=answered)


def cites_in(content: str) -> list[Cite]:
    return [Cite(source=number, sentence=one.text) for one in said_in(content) for number in one.cites]


def mended(turn: Turn) -> Turn:
    """The turn without the sources that no sentence cites and the numbers of sources that are not there, and with the
    results of its computations. Interruptions cite nothing at a sentence."""
    if turn.type in INTERRUPTIONS:
        return turn
    cites = {number for one in said_in(turn.content) for number in one.cites}
    places = {number: source for number, source in enumerate(turn.sources, 1) if number in cites}
    content = renumbered(with_results(turn.content), {number: place for place, number in enumerate(places, 1)})
    return turn.model_copy(update={"content": content, "sources": [*places.values()]})


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
        left = stage.rules_record().lines[turn.target_seq or 0].content
        data = Withdrawal(sentences=withdrawn_sentences(saying_of(turn, seat), left))
    if turn.type == "source_challenge" and target is not None:
        claim = turn.claim or ""
        url = turn.sources[0].url
        sentence = challenged_sentence(claim, target.content, [one.url for one in target.sources], url) or claim
        data = Challenge(url=url, claim=claim, sentence=sentence)
    draft = stage.emit(turn.type, seat.role, turn.content, phase=seat.phase, data=data, target=target, call=said.call)
    if isinstance(data, Challenge):
        await settle_challenge(stage, draft, pending, seat.place, seat.phase)
    elif turn.type == "clarification_request":
        await settle_clarification(stage, draft, seat.place, seat.phase)
