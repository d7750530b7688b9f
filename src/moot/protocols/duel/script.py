"""The duel: two debaters, one judge. Its prompts are in `prompts`.

A opens, then B and A alternate. The judge weighs every statement while the next speaker is already thinking, and
decides at the end. Private thoughts stay private.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from moot.api import (
    THINKING,
    Agent,
    BriefReply,
    CallFailed,
    Draft,
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
from moot.protocols.duel import prompts
from moot.protocols.duel.cast import Duel, Speaker, facts, open_duel
from moot.protocols.duel.config import DEBATERS, DuelConfig
from moot.protocols.duel.jury import ask_jury
from moot.protocols.duel.payloads import Margin, Score, Turn, Verdict
from moot.text.names import name_alone

Scores = dict[str, int | None]


async def play(room: Room, config: DuelConfig) -> None:
    duel = await open_duel(room, config)
    plans = {id(speaker): room.start(plan(duel, speaker, foe)) for speaker, foe in (duel.turn_of(1), duel.turn_of(2))}
    statements: list[Draft] = []
    judged: Task[Scores] | None = None
    notes: list[Draft] = []
    for number in range(1, config.turns + 1):
        speaker, opponent = duel.turn_of(number)
        await plans[id(speaker)]
        statements.append(await speak(duel, number, speaker, opponent, statements))
        if duel.judge is not None:
            judged = room.start(assess(duel, duel.judge, number, statements[-1], notes, judged))
    if duel.judge is not None and judged is not None:
        running = await judged
        verdict = await (ask_jury(duel, statements) if duel.jury else decide(duel, duel.judge, running))
        await announce(duel, duel.judge, verdict, statements)
    elif duel.jury:
        verdict = await ask_jury(duel, statements)
        text = f"The jury is for {verdict.winner}." if verdict.winner else "The jury came to no majority."
        room.emit("verdict", "moot", text, phase="verdict", data=verdict)


async def plan(duel: Duel, speaker: Speaker, opponent: Speaker) -> None:
    answers_unheard = speaker.side is None and speaker is duel.b
    points = (prompts.THESES if answers_unheard else prompts.POINTS).format(opponent=opponent.name)
    prompt = prompts.PLAN(**facts(duel, speaker, opponent), plan=points)
    if (reply := await duel.room.ask_or_note_gap(speaker.agent, prompt, "plan", THINKING)) is not None:
        duel.room.emit("plan", speaker.agent, reply, phase="planning", to=[speaker.name])


async def speak(duel: Duel, number: int, speaker: Speaker, opponent: Speaker, before: list[Draft]) -> Draft:
    """One turn: think in private, then say it in public."""
    room, phase, final = duel.room, duel.phase(number), duel.is_final(number)
    about, answered = facts(duel, speaker, opponent), before[-1] if before else None
    if answered is None:
        think, deliver = prompts.THINK_OPENING(**about), prompts.OPEN(**about)
    elif not final:
        think, deliver = prompts.THINK(**about, statement=answered), prompts.RESPOND(**about)
    else:
        turn, nothing_new = (
            (prompts.ONLY, prompts.ONLY_TURN) if number <= DEBATERS else (prompts.LAST, prompts.NOTHING_NEW)
        )
        think = prompts.THINK_FINAL(**about, statement=answered, **turn)
        deliver = prompts.CLOSE(**about, nothing_new=nothing_new)
    thought = await room.ask_or_note_gap(speaker.agent, think, f"think/{number}", THINKING)
    if thought is not None:
        room.emit("think", speaker.agent, thought, phase=phase, to=[speaker.name])
    reply, failure = await statement(duel, number, speaker, deliver, before)
    data, call = Turn(turn=number, final=final, failure=failure), speaker.agent.key(f"turn/{number}")
    return room.emit("turn", speaker.agent, reply, phase=phase, data=data, rebuttal_to=answered, call=call)


async def statement(
    duel: Duel, number: int, speaker: Speaker, deliver: Prompt, before: list[Draft]
) -> tuple[Reply | str, str | None]:
    """A debater's statement, or the reason why there is none. The first statement of each debater must not be missing,
    since there would be nothing to debate."""
    others = [name for name in (*duel.names, duel.judge.name if duel.judge else "") if name not in ("", speaker.name)]
    prose = Prose(spoken=True, others=others, earlier=before, argues=True)
    ask = duel.room.ask if number <= DEBATERS else duel.room.ask_or_note_gap
    reply = await ask(speaker.agent, deliver, f"turn/{number}", prose)
    if reply is not None and "declined" not in reply.codes:
        return reply, None
    reason = "it declined to make a statement" if reply is not None else "it gave no answer"
    if number <= DEBATERS:
        key = speaker.agent.key(f"turn/{number}")
        raise CallFailed(key, speaker.name, f"{reason}; fork the run with another model")
    return f"({speaker.name} made no statement at this turn.)", reason


async def assess(
    duel: Duel, judge: Agent, number: int, statement: Draft, notes: list[Draft], before: "Task[Scores] | None"
) -> Scores:
    """The judge weighs one statement in private, then scores its speaker. Returns the current scores.

    `notes` are the judge's earlier texts, which it must not copy: the same words for another statement are worth
    nothing.
    """
    scores = dict(await before) if before is not None else {}
    room, phase, name = duel.room, duel.phase(number), statement.speaker
    if isinstance(statement.data, Turn) and statement.data.failure is not None:
        return scores
    limit = prompts.NOTES_ON_TRUTH if duel.config.factual else prompts.NOTES
    prompt = prompts.EVALUATE(speaker=name, statement=statement, notes=limit)
    weighings = [note for note in notes if note.type == "think"]
    weighed = await room.ask_or_note_gap(judge, prompt, f"evaluate/{number}", Prose(earlier=weighings))
    if weighed is not None:
        notes.append(room.emit("think", judge, weighed, phase=phase, to=[judge.name], target=statement))
    prompt = (prompts.SCORE_AGAIN if name in scores else prompts.SCORE_FIRST)(speaker=name)
    prose = Prose(earlier=[note for note in notes if isinstance(note.data, Score) and note.data.of != name])
    scored = await room.ask_for(
        Scored, judge, prompt, f"score/{number}", prose=prose, words=lambda found: found.reasoning
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


async def decide(duel: Duel, judge: Agent, running: Scores) -> Verdict:
    """Deliberate, confirm the winner's name, extract the figures. Name and figures are read from the
    deliberation alone: nothing new is weighed there. A small model, which cannot judge, is not asked for a name in
    addition to its scores: they would contradict each other by chance."""
    room, (a, b) = duel.room, duel.names
    factual, scores = duel.config.factual, {name: running.get(name) for name in duel.names}
    deliberate = prompts.DELIBERATE_ON_TRUTH if factual else prompts.DELIBERATE
    question = prompts.RIGHT if factual else prompts.STRONGER
    reader, ask = judge, prompts.CONFIRM(a=a, b=b, question=question)
    weigh = deliberate(a=a, b=b, sides=f"\n{duel.who_argues()}")
    if (thought := await room.ask_or_note_gap(judge, weigh, "deliberate", THINKING)) is not None:
        deliberation = room.emit("think", judge, thought, phase="verdict", to=[judge.name])
        if thought.small:
            return await by_scores(duel, judge, scores, question)
        reader, ask = judge.fresh("verdict"), prompts.READ(a=a, b=b, question=question, deliberation=deliberation)
    answer = await room.ask_or_note_gap(reader, ask, "confirm")
    confirmed = name_alone(answer.text, duel.names) if answer is not None else None
    extract = prompts.EXTRACT(a=a, b=b, winner=f"{confirmed}, as you confirmed" if confirmed else "one of the two")
    reply = await room.ask_for(figures_of(duel.names, confirmed), reader, extract, "extract")
    judge.adopt_model_of(reader)
    sure = confirmed is not None
    if isinstance(reply, Failure):
        return duel.verdict(confirmed, scores, confirmed=sure, scores_from="running", failure=reply.reason)
    figures = dict(zip(duel.names, dict(reply.scores).values(), strict=True))
    how = {"confirmed": sure, "scores_from": "verdict", "failure": None, "margin": reply.margin}
    return duel.verdict(reply.winner, figures, **how)


async def by_scores(duel: Duel, judge: Agent, scores: Scores, question: str) -> Verdict:
    """The verdict of a judge that is asked only for scores, and for a name only if they are equal."""
    given = {name: score for name, score in scores.items() if score is not None}
    winner = None
    if len(given) == DEBATERS:
        winner = max(given, key=lambda name: given[name])
        if len(set(given.values())) == 1:
            prompt = prompts.BREAK_TIE(a=duel.a.name, b=duel.b.name, question=question)
            named = await duel.room.ask_for(name_of(duel.names), judge, prompt, "break-tie")
            winner = None if isinstance(named, Failure) else named.winner
    return duel.verdict(winner, scores, confirmed=False, scores_from="scores_alone", failure=None)


async def announce(duel: Duel, judge: Agent, verdict: Verdict, statements: Sequence[Draft]) -> None:
    """The verdict in public: the judge answers the question for whoever asked it."""
    (a, b), at, text = duel.names, "announce", f"({judge.name} gave no answer.)"
    outcome = outcome_text(verdict, factual=duel.config.factual)
    if judge.small or judge.is_person:  # neither fills in a form
        words = await duel.room.ask_or_note_gap(judge, prompts.ANNOUNCE_FREELY(outcome=outcome), at, Prose())
        text = words.text if words else text
        brief = Brief(answer=words.text) if words and words.by_person else None
        verdict = verdict.model_copy(update={"brief": brief})
    else:
        labels = "the numbers of the turns that bear it out"
        prompt = prompts.ANNOUNCE(a=a, b=b, outcome=outcome, parts=brief_parts(labels))

        def fault(reply: Answered) -> str | None:
            if verdict.winner in (None, reply.follows):
                return None
            found = f"`answer` follows {reply.follows}, and {verdict.winner} won"
            return f"{found}. Give the answer that the verdict bears out"

        reply = await duel.room.ask_for(answer_of(duel.names), judge, prompt, at, accept=send_back_once(fault))
        if isinstance(reply, Failure):
            verdict = verdict.model_copy(update={"failure": verdict.failure or reply.reason})
        else:
            brief = reply.brief({f"{turn.data.turn}": turn for turn in statements if isinstance(turn.data, Turn)})
            text = brief_in_words(brief)
            follows = "" if reply.follows == "neither" else reply.follows
            verdict = verdict.model_copy(update={"brief": brief, "follows": follows})
    duel.room.emit("verdict", judge, text, phase="verdict", data=verdict, call=judge.key(at))


def outcome_text(verdict: Verdict, *, factual: bool) -> str:
    """The outcome as the judge is told it."""
    by_jury = verdict.scores_from == "jury"
    if verdict.winner is None:
        return "The jury came to no majority." if by_jury else "No winner could be established from your replies."
    by = ", by the votes of a jury, whatever you thought yourself" if by_jury else ""
    return f"Recorded as {'right' if factual else 'the stronger case'}: that of {verdict.winner}{by}."


class Scored(BaseModel):
    reasoning: str = Field(min_length=1)
    score: int = Field(ge=0, le=10)


# Of these shapes, real ones with the two names are made for each debate.


class Answered(BriefReply):
    """The judge's brief, and whose case it follows."""

    follows: str


class Named(BaseModel):
    winner: str


class Figures(BaseModel):
    """The judge's last word in figures."""

    model_config = ConfigDict(json_schema_extra={"required": ["scores", "margin", "winner"]})

    scores: BaseModel
    margin: Margin | None = None
    winner: str


@lru_cache(maxsize=64)
def answer_of(names: tuple[str, str]) -> type[Answered]:
    follows: Any = Literal[(*names, "neither")]
    return create_model("Answered", __base__=Answered, follows=(follows, ...))


@lru_cache(maxsize=64)
def name_of(names: tuple[str, str]) -> type[Named]:
    winner: Any = Literal[names]
    return create_model("Named", __base__=Named, winner=(winner, ...))


@lru_cache(maxsize=64)
def figures_of(names: tuple[str, str], confirmed: str | None) -> type[Figures]:
    """The confirmed winner or, without one, either name; a score for both."""
    winner: Any = Literal[(confirmed,) if confirmed else names]
    score = {f"of_{i}": (int, Field(alias=name, ge=0, le=10)) for i, name in enumerate(names)}
    # It has no validator of its own: that of the whole shape has it in it.
    scores = create_model("Scores", __config__=ConfigDict(defer_build=True), **score)  # type: ignore[call-overload]
    return create_model("Figures", __base__=Figures, winner=(winner, ...), scores=(scores, ...))
