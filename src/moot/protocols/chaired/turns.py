"""A debater's turn: the cue, the reply that must follow the rules, at most one interruption, and the resulting
entry."""

from dataclasses import dataclass

from pydantic import BaseModel

from moot.engine.agent import Agent
from moot.engine.frame import claim_and_denial
from moot.engine.prompt import fenced
from moot.engine.prose import Prose
from moot.engine.room import TRIES
from moot.engine.stance import Stance
from moot.engine.structured import Failure
from moot.protocols.chaired import prompts
from moot.protocols.chaired.cast import SIDES, Stage, cited, is_somebody, moment, names_of, other
from moot.protocols.chaired.checks import breach, challenged_sentence, most_words
from moot.protocols.chaired.citing import LABEL, renumbered, said_in
from moot.protocols.chaired.config import DEBATERS, INTERRUPTIONS, ROLES, Role
from moot.protocols.chaired.desk import given
from moot.protocols.chaired.payloads import Challenge, Cite, Spoken, Withdrawal
from moot.protocols.chaired.rules import Breach, Record, Saying
from moot.protocols.chaired.rulings import (
    Pending,
    look_into,
    rule_on_label,
    settle_challenge,
    settle_clarification,
    strike,
)
from moot.protocols.chaired.shapes import Turn, as_turn, turn_in, turn_shape
from moot.record.entry import Draft, Source
from moot.record.payloads import Frame
from moot.text.prose import listed
from moot.text.sentences import sentences


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


async def take_turn(stage: Stage, seat: Seat, pending: list[Pending]) -> Draft | None:
    """One turn of a debater: at most one interruption, then the statement; None if the turn was struck."""
    notes = due_notes(stage, seat)
    most = most_words("withdraw", seat.role, stage.rules_record())
    may = prompts.WITHDRAW_TASK.format(withdraw=most) if seat.phase == "closing" else ""
    turn, call = await ask_turn(stage, seat, notes + task_of(stage, seat) + may, interrupted=False)
    if turn is not None and turn.type in INTERRUPTIONS:
        await interrupt(stage, seat, turn, call, pending)
        notes += due_notes(stage, seat)
        turn, call = await ask_turn(stage, seat, prompts.RESUMED_TASK + notes + task_of(stage, seat), interrupted=True)
    if turn is None:
        return None
    draft = stage.heard(
        stage.room.emit(
            turn.type,
            seat.role,
            turn.content,
            phase=seat.phase,
            data=Spoken(round=seat.round, cites=cites_in(turn.content)),
            sources=sources_of(stage, turn, call),
            rebuttal_to=stage.by_seq(turn.rebuttal_to_seq),
            call=call,
        )
    )
    if turn.labelled:
        rule_on_label(stage, draft)
    pending += look_into(stage, draft, f"{seat.role}.{seat.at}")
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


async def ask_turn(stage: Stage, seat: Seat, task: str, *, interrupted: bool) -> tuple[Turn | None, str]:
    """The debater's reply that follows the rules, and the key of its call; None after a ruling if all replies broke
    them."""
    at = f"{seat.at}.resumed" if interrupted else seat.at
    agent, you = stage.speaker(seat.role, at, seat.phase)
    call, record, broken = agent.key("turn"), stage.rules_record(interrupted=interrupted), list[Breach]()
    if seat.role in stage.small:
        turn = await small_turn(stage, seat, agent)
        if (wrong := breach(saying_of(turn, seat), record)) is not None:
            strike(stage, seat.role, wrong, call, seat.phase)
        return (turn if wrong is None else None), call

    titles = {key: one.title for key, one in given(stage.room).items()}

    def accept(said: BaseModel) -> str | None:
        turn = turn_in(said, titles)
        found = breach(saying_of(turn, seat), record)
        if len(broken) == TRIES - 1 and mended(turn, seat, record) is not None:
            return None
        broken.extend([found] if found else [])
        return str(found) if found else None

    prompt = prompts.CUE(record=stage.shown(), you=you, task=task)
    said = [draft for draft in stage.record if draft.speaker in DEBATERS]
    names = [name for role, name in names_of(stage.config).items() if role != seat.role]
    others = [*(role for role in ROLES if role != seat.role), *names]
    reply = await stage.room.ask_for(
        turn_shape(*record.moves(seat.phase, seat.role), thinks=not is_somebody(agent)),
        agent,
        prompt,
        "turn",
        accept=accept,
        prose=Prose(spoken=True, others=others, earlier=said),
        words=lambda said: turn_in(said, titles).content,
    )
    if isinstance(reply, Failure):
        strike(stage, seat.role, broken[-1] if broken else Breach(4, reply.reason), call, seat.phase)
        return None, call
    return mended(turn_in(reply, titles), seat, record), call


async def small_turn(stage: Stage, seat: Seat, agent: Agent) -> Turn:
    """A small model's turn: it continues a sentence about a passage. The rest follows from the place in the debate."""
    opponent, side = stage.last_of(other(seat.role)), SIDES[seat.role]
    kind, closing = due_type(seat.phase, opponent), seat.phase == "closing"
    passage = None if closing else stage.desk.offered(side, seat.round or 0)
    pro, con = claim_and_denial(Frame(by="nobody"), stage.topic)
    talk = Stance(pro if side == "for" else con, f"the {other(seat.role)}", seat.round or 0).words()
    words = stage.quoted(opponent).content.replace('"', "'") if opponent and kind == "rebuttal" else ""
    prompt = prompts.SMALL_CUE(
        known=f'You have read this: "{passage.text[:400]}" ' if passage else "",
        heard=f'The {other(seat.role)} said: "{words}" ' if words else "",
        belief=talk["belief"],
        opening=f"{talk['last_word']} {talk['reason']}" if closing else talk["reason" if words else "opening_reason"],
    )
    reply = await stage.room.ask(agent, prompt, "turn")
    return as_turn(reply.text, kind, opponent.seq if opponent and kind == "rebuttal" else None, passage)


def due_type(phase: str, opponent: Draft | None) -> str:
    """The type of a small model's statement, because it does not choose one."""
    if phase == "rebuttal":
        return "rebuttal" if opponent else "new_point"
    return f"{phase}_statement"


def cites_in(content: str) -> list[Cite]:
    claims = [claim for one in said_in(content) for claim in one.claims]
    return [Cite(source=number, sentence=claim.text) for claim in claims for number in claim.sources]


def without_idle_sources(turn: Turn) -> Turn:
    """The turn without the sources that no sentence cites. Interruptions cite none at a sentence."""
    cites = {number for one in said_in(turn.content) for number in one.cites}
    places = [number for number in range(1, len(turn.sources) + 1) if number in cites]
    if turn.type in INTERRUPTIONS or len(places) == len(turn.sources):
        return turn
    content = renumbered(turn.content, {number: place for place, number in enumerate(places, 1)})
    return turn.model_copy(update={"content": content, "sources": [turn.sources[number - 1] for number in places]})


def mended(turn: Turn, seat: Seat, record: Record) -> Turn | None:
    """The turn as the rules allow it, after the last try: without the sources that no sentence cites, and, if that is
    all of them, labelled as conjecture. Words are not struck because of citations in the wrong place. None if it breaks
    another rule."""
    cited = without_idle_sources(turn)
    candidates = [cited, labelled(cited)] if turn.sources and not cited.sources else [cited]
    return next((one for one in candidates if breach(saying_of(one, seat), record) is None), None)


def labelled(turn: Turn) -> Turn:
    """The turn with the label of a conjecture on every paragraph that lacks it."""
    begun, content, end = set[int](), "", 0
    for one in sentences(turn.content):
        if one.paragraph not in begun and not one.text.startswith(LABEL):
            content, end = f"{content}{turn.content[end : one.start]}{LABEL} ", one.start
        begun.add(one.paragraph)
    return turn.model_copy(update={"content": content + turn.content[end:], "labelled": True})


def saying_of(turn: Turn, seat: Seat) -> Saying:
    urls = tuple(source.url for source in turn.sources)
    return Saying(
        seat.role,
        seat.phase,
        turn.type,
        turn.content,
        urls,
        turn.rebuttal_to_seq,
        turn.target_seq,
        turn.claim or "",
    )


def sources_of(stage: Stage, turn: Turn, call: str) -> list[Source]:
    if not turn.sources:
        return []
    return cited([(source.url, source.title) for source in turn.sources], moment(stage.room, call))


async def interrupt(stage: Stage, seat: Seat, turn: Turn, call: str, pending: list[Pending]) -> None:
    """Record an interruption and let the chair settle it."""
    target = stage.by_seq(turn.target_seq)
    data: Challenge | Withdrawal | None = Withdrawal() if turn.type == "withdraw" else None
    if turn.type == "source_challenge" and target is not None:
        claim = turn.claim or ""
        url = turn.sources[0].url
        sentence = challenged_sentence(claim, target.content, [one.url for one in target.sources], url) or claim
        data = Challenge(url=url, claim=claim, sentence=sentence)
    draft = stage.heard(
        stage.room.emit(turn.type, seat.role, turn.content, phase=seat.phase, data=data, target=target, call=call)
    )
    if isinstance(data, Challenge):
        await settle_challenge(stage, draft, pending, f"{seat.role}.{seat.at}", seat.phase)
    elif turn.type == "clarification_request":
        await settle_clarification(stage, draft, f"{seat.role}.{seat.at}", seat.phase)
