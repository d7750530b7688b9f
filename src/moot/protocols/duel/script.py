"""The duel: two debaters, one judge. Its prompts are in `prompts`.

A opens, then B and A alternate. The judge weighs every statement while the next speaker is already thinking, and
decides at the end. Private thoughts stay private.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from moot.api import (
    THINKING,
    Agent,
    BriefReply,
    CallFailed,
    Draft,
    Fact,
    Failure,
    Prompt,
    Prose,
    Reply,
    Room,
    Task,
    brief_in_words,
    brief_parts,
    send_back_once,
)
from moot.present import Brief
from moot.protocols.duel.cast import Duel, Speaker, facts, open_duel
from moot.protocols.duel.config import DEBATERS, DuelConfig
from moot.protocols.duel.jury import ask_jury
from moot.protocols.duel.payloads import Margin, Score, Turn, Verdict
from moot.protocols.duel.prompts import (
    ANNOUNCE,
    ANNOUNCE_FREELY,
    BREAK_TIE,
    CLOSE,
    CONFIRM,
    DELIBERATE,
    DELIBERATE_ON_TRUTH,
    EVALUATE,
    EXTRACT,
    LAST,
    NOTES,
    NOTES_ON_TRUTH,
    NOTHING_NEW,
    ONLY,
    ONLY_TURN,
    OPEN,
    PLAN,
    POINTS,
    READ,
    RESPOND,
    RIGHT,
    SCORE_AGAIN,
    SCORE_FIRST,
    STRONGER,
    THESES,
    THINK,
    THINK_FINAL,
    THINK_OPENING,
)
from moot.text.names import name_alone

NO_ANSWER = "({judge} gave no answer.)"


async def play(room: Room, config: DuelConfig) -> None:
    duel = await open_duel(room, config)
    plans = {id(speaker): room.start(plan(duel, speaker, foe)) for speaker, foe in (duel.turn_of(1), duel.turn_of(2))}
    statements: list[Draft] = []
    judged: Task[dict[str, int | None]] | None = None
    notes: list[Draft] = []
    for number in range(1, config.turns + 1):
        speaker, opponent = duel.turn_of(number)
        await plans[id(speaker)]
        statements.append(await speak(duel, number, speaker, opponent, statements))
        if duel.judge is not None:
            judged = room.start(assess(duel, duel.judge, number, statements[-1], notes, judged))
    if duel.judge is not None and judged is not None:
        running = await judged
        if duel.jury:
            await announce(duel, duel.judge, await ask_jury(duel, statements), statements)
        else:
            await announce(duel, duel.judge, await decide(duel, duel.judge, running), statements)
    elif duel.jury:
        verdict = await ask_jury(duel, statements)
        room.emit("verdict", "moot", votes_in_words(verdict), phase="verdict", data=verdict)


def votes_in_words(verdict: Verdict) -> str:
    """The verdict of a jury without a judge; nobody announces it."""
    return f"The jury is for {verdict.winner}." if verdict.winner else "The jury came to no majority."


async def plan(duel: Duel, speaker: Speaker, opponent: Speaker) -> None:
    answers_unheard = not (duel.config.claim or duel.config.options) and speaker is duel.b
    points = (THESES if answers_unheard else POINTS).format(opponent=opponent.name)
    prompt = PLAN(**facts(duel, speaker, opponent), plan=points)
    if (reply := await duel.room.ask_or_note_gap(speaker.agent, prompt, "plan", THINKING)) is not None:
        duel.room.emit("plan", speaker.agent, reply, phase="planning", to=[speaker.name])


async def speak(duel: Duel, number: int, speaker: Speaker, opponent: Speaker, before: list[Draft]) -> Draft:
    """One turn: think in private, then say it in public."""
    room, phase, final = duel.room, duel.phase(number), duel.is_final(number)
    known = facts(duel, speaker, opponent)
    answered = before[-1] if before else None
    if answered is None:
        think, deliver = THINK_OPENING(**known), OPEN(**known)
    else:
        known |= {"statement": answered}
        only = number <= DEBATERS
        think = THINK_FINAL(**known, **(ONLY if only else LAST)) if final else THINK(**known)
        nothing_new = ONLY_TURN if only else NOTHING_NEW
        deliver = CLOSE(**known, nothing_new=nothing_new) if final else RESPOND(**known)
    thought = await room.ask_or_note_gap(speaker.agent, think, f"think/{number}", THINKING)
    if thought is not None:
        room.emit("think", speaker.agent, thought, phase=phase, to=[speaker.name])
    said, failure = await statement(duel, number, speaker, deliver, before)
    turn = Turn(turn=number, final=final, failure=failure)
    call = speaker.agent.key(f"turn/{number}")
    return room.emit("turn", speaker.agent, said, phase=phase, data=turn, rebuttal_to=answered, call=call)


async def statement(
    duel: Duel, number: int, speaker: Speaker, deliver: Prompt, before: list[Draft]
) -> tuple[Reply | str, str | None]:
    """A debater's statement, or the reason why there is none. The first statement of each debater must not be missing,
    since there would be nothing to debate."""
    others = [one.name for one in duel.cast if one.name != speaker.name]
    prose = Prose(spoken=True, others=others, earlier=before, argues=True)
    ask = duel.room.ask if number <= DEBATERS else duel.room.ask_or_note_gap
    said = await ask(speaker.agent, deliver, f"turn/{number}", prose)
    if said is not None and "declined" not in said.codes:
        return said, None
    reason = "it declined to make a statement" if said is not None else "it gave no answer"
    if number <= DEBATERS:
        raise CallFailed(
            speaker.agent.key(f"turn/{number}"), speaker.name, f"{reason}; fork the run with another model"
        )
    return f"({speaker.name} made no statement at this turn.)", reason


async def assess(
    duel: Duel,
    judge: Agent,
    number: int,
    statement: Draft,
    notes: list[Draft],
    before: "Task[dict[str, int | None]] | None",
) -> dict[str, int | None]:
    """The judge weighs one statement in private, then scores its speaker. Returns the current scores.

    `notes` are the judge's earlier texts, which it must not copy: the same words for another statement are worth
    nothing.
    """
    scores = dict(await before) if before is not None else {}
    room, phase, name = duel.room, duel.phase(number), statement.speaker
    if isinstance(statement.data, Turn) and statement.data.failure is not None:
        return scores
    limit = NOTES_ON_TRUTH if duel.config.factual else NOTES
    prompt = EVALUATE(speaker=name, statement=statement, notes=limit)
    weighings = [note for note in notes if note.type == "think"]
    weighed = await room.ask_or_note_gap(judge, prompt, f"evaluate/{number}", Prose(earlier=weighings))
    if weighed is not None:
        notes.append(room.emit("think", judge, weighed, phase=phase, to=[judge.name], target=statement))
    prompt = (SCORE_AGAIN if name in scores else SCORE_FIRST)(speaker=name)
    reasons = [note for note in notes if isinstance(note.data, Score) and note.data.of != name]
    scored = await room.ask_for(
        Scored, judge, prompt, f"score/{number}", prose=Prose(earlier=reasons), words=lambda found: found.reasoning
    )
    if isinstance(scored, Failure):
        score = Score(turn=number, of=name, score=None, reasoning=None, failure=scored.reason)
        text = f"No score for {name}: {scored.reason}"
    else:
        score = Score(turn=number, of=name, score=scored.score, reasoning=scored.reasoning, failure=None)
        text = scored.reasoning
    call = judge.key(f"score/{number}")
    notes.append(room.emit("score", judge, text, phase=phase, to=[judge.name], data=score, target=statement, call=call))
    # A missing score does not delete the one before it.
    return scores | {name: score.score if score.score is not None else scores.get(name)}


async def decide(duel: Duel, judge: Agent, running: dict[str, int | None]) -> Verdict:
    """Deliberate, confirm the winner's name, extract the figures. Name and figures are read from the
    deliberation alone: nothing new is weighed there. A small model, which cannot judge, is not asked for a name in
    addition to its scores: they would contradict each other by chance."""
    room, names = duel.room, (duel.a.name, duel.b.name)
    deliberate = DELIBERATE_ON_TRUTH if duel.config.factual else DELIBERATE
    prompt = deliberate(a=names[0], b=names[1], sides=f"\n{duel.who_argued_what()}")
    reader, deliberation = judge, None
    if (thought := await room.ask_or_note_gap(judge, prompt, "deliberate", THINKING)) is not None:
        deliberation = room.emit("think", judge, thought, phase="verdict", to=[judge.name])
        if thought.small:
            return await by_scores(duel, judge, running)
        reader = judge.fresh("verdict")
    known: dict[str, Fact] = {"a": names[0], "b": names[1]}
    question = RIGHT if duel.config.factual else STRONGER
    ask = CONFIRM(**known, question=question)
    if deliberation is not None:
        ask = READ(**known, question=question, deliberation=deliberation)
    answer = await room.ask_or_note_gap(reader, ask, "confirm")
    confirmed = name_alone(answer.text, names) if answer is not None else None
    extract = EXTRACT(**known, winner=f"{confirmed}, as you confirmed" if confirmed else "one of the two")
    found = await room.ask_for(figures_of(names, confirmed), reader, extract, "extract")
    judge.take_over(reader)
    return conclude(duel, confirmed, found, running)


async def by_scores(duel: Duel, judge: Agent, running: dict[str, int | None]) -> Verdict:
    """The verdict of a judge that is asked only for scores, and for a name only if they are equal."""
    names = (duel.a.name, duel.b.name)
    scores = {name: running.get(name) for name in names}
    known = [score for score in scores.values() if score is not None]
    winner = None
    if len(set(known)) == DEBATERS:
        winner = max(names, key=lambda name: scores[name] or 0)
    elif len(known) == DEBATERS:
        question = RIGHT if duel.config.factual else STRONGER
        prompt = BREAK_TIE(a=names[0], b=names[1], question=question)
        named_one = await duel.room.ask_for(name_of(names), judge, prompt, "break-tie")
        winner = None if isinstance(named_one, Failure) else named_one.winner
    return Verdict(
        winner=winner,
        confirmed=False,
        scores=scores,
        scores_from="scores_alone",
        upheld=upheld_by(duel, winner),
        scores_contradict_winner=False,
        failure=None,
    )


def upheld_by(duel: Duel, winner: str | None) -> bool | None:
    """Whether the claim is upheld by this winner; None if there is no winner, no claim or no sides."""
    sides = {duel.a.name: duel.a.side, duel.b.name: duel.b.side}
    return sides[winner] == "for" if winner and duel.config.claim and sides[winner] else None


async def announce(duel: Duel, judge: Agent, verdict: Verdict, statements: Sequence[Draft]) -> None:
    """The verdict in public: the judge answers the question for whoever asked it."""
    names, at = (duel.a.name, duel.b.name), "announce"
    facts: dict[str, Fact] = {"a": names[0], "b": names[1], **recorded(verdict, names, factual=duel.config.factual)}
    if judge.small or judge.is_person:  # neither fills in a form
        said = await duel.room.ask_or_note_gap(judge, ANNOUNCE_FREELY(**facts), at, Prose())
        text = said.text if said else NO_ANSWER.format(judge=judge.name)
        brief = Brief(answer=said.text) if said and said.by_person else None
        verdict = verdict.model_copy(update={"brief": brief})
    else:
        prompt = ANNOUNCE(**facts, parts=brief_parts("the numbers of the turns that bear it out"))
        reply = await duel.room.ask_for(answer_of(names), judge, prompt, at, accept=agrees_once(verdict.winner))
        if isinstance(reply, Failure):
            text = NO_ANSWER.format(judge=judge.name)
            verdict = verdict.model_copy(update={"failure": verdict.failure or reply.reason})
        else:
            cited = {f"{draft.data.turn}": draft for draft in statements if isinstance(draft.data, Turn)}
            brief = reply.brief(cited)
            text = brief_in_words(brief)
            follows = "" if reply.follows == "neither" else reply.follows
            verdict = verdict.model_copy(update={"brief": brief, "follows": follows})
    duel.room.emit("verdict", judge, text, phase="verdict", data=verdict, call=judge.key(at))


def agrees_once(winner: str | None) -> "Callable[[Answered], str | None]":
    """Sends an answer that follows the case of the other debater back, once."""

    def fault(reply: Answered) -> str | None:
        if winner is None or reply.follows == winner:
            return None
        return f"`answer` follows {reply.follows}, and {winner} won. Give the answer that the verdict bears out"

    return send_back_once(fault)


def recorded(verdict: Verdict, names: tuple[str, str], *, factual: bool) -> dict[str, Fact]:
    """The outcome for the judge, and the first words of a small model's announcement."""
    winner, by_jury = verdict.winner, verdict.scores_from == "jury"
    if winner is None:
        why = "The jury came to no majority." if by_jury else "No winner could be established from your replies."
        return {"outcome": why, "ruling": f"Nobody has won. {names[0]} and {names[1]} both showed that"}
    ruling = f"The winner is {winner}. {names[names[0] == winner]} spoke well, but {winner} made it clear that"
    by = ", by the votes of a jury, whatever you thought yourself" if by_jury else ""
    what = "right" if factual else "the stronger case"
    return {"outcome": f"Recorded as {what}: that of {winner}{by}.", "ruling": ruling}


class Answered(BriefReply):
    """The judge's brief. The real shape, with the two names, is made for each debate."""

    follows: str


@lru_cache(maxsize=64)
def answer_of(names: tuple[str, str]) -> type[Answered]:
    follows: Any = Literal[(*names, "neither")]
    return create_model("Answered", __base__=Answered, follows=(follows, ...))


class Scored(BaseModel):
    reasoning: str = Field(min_length=1)
    score: int = Field(ge=0, le=10)


class Figures(BaseModel):
    """The judge's last word in figures. The real shape, with the two names as keys, is made for each debate."""

    model_config = ConfigDict(json_schema_extra={"required": ["scores", "margin", "winner"]})

    scores: BaseModel
    margin: Margin | None = None
    winner: str


class Named(BaseModel):
    """The winner alone. The real shape, with the two names, is made for each debate."""

    winner: str


@lru_cache(maxsize=64)
def name_of(names: tuple[str, str]) -> type[Named]:
    winner: Any = Literal[names]
    return create_model("Named", __base__=Named, winner=(winner, ...))


@lru_cache(maxsize=64)
def figures_of(names: tuple[str, str], confirmed: str | None) -> type[Figures]:
    """The shape of the extraction: the confirmed winner or, without one, either name; a score for both."""
    winners = (confirmed,) if confirmed else names
    score = {f"of_{i}": (int, Field(alias=name, ge=0, le=10)) for i, name in enumerate(names)}
    # It has no validator of its own: that of the whole shape has it in it.
    scores = create_model("Scores", __config__=ConfigDict(defer_build=True), **score)  # type: ignore[call-overload]
    winner: Any = Literal[winners]
    return create_model("Figures", __base__=Figures, winner=(winner, ...), scores=(scores, ...))


def conclude(duel: Duel, confirmed: str | None, found: Figures | Failure, running: dict[str, int | None]) -> Verdict:
    """The verdict from the judge's replies; without figures, the running scores, marked as such."""
    names = (duel.a.name, duel.b.name)
    if isinstance(found, Failure):
        winner, scores = confirmed, {name: running.get(name) for name in names}
        margin = None
    else:
        margin = found.margin
        winner, scores = found.winner, dict(zip(names, dict(found.scores).values(), strict=True))
    own, other = (scores[winner], scores[names[names[0] == winner]]) if winner else (None, None)
    return Verdict(
        winner=winner,
        confirmed=confirmed is not None,
        scores=scores,
        scores_from="running" if isinstance(found, Failure) else "verdict",
        upheld=upheld_by(duel, winner),
        scores_contradict_winner=own is not None and other is not None and own < other,
        failure=found.reason if isinstance(found, Failure) else None,
        margin=margin,
    )
