"""The chaired debate: seven roles, checked sources, and rules enforced by code. This is the script; its prompts are in
`prompts`.

Setup, opening statements, rounds, closing statements, conclusion. The verifier works during the debate, and its
findings are handled before the next round.
"""

from moot.api import Failure, Room, fenced, require
from moot.evidence import Fetcher, FetchLimits, loopback_allowed
from moot.protocols.chaired import prompts
from moot.protocols.chaired.cast import SIDES, Stage, set_stage
from moot.protocols.chaired.checks import most_words
from moot.protocols.chaired.config import DEBATERS, ChairedConfig, Role
from moot.protocols.chaired.desk import Desk
from moot.protocols.chaired.end import conclude
from moot.protocols.chaired.leaning import Before, ask_after, ask_before
from moot.protocols.chaired.payloads import Announcement, Question
from moot.protocols.chaired.rules import MOST_QUESTIONS, MOST_WORDS, may_ask
from moot.protocols.chaired.rulings import Pending, rule_on
from moot.protocols.chaired.shapes import Asked, Questions, RoundOver, Unresolved, Worthy
from moot.protocols.chaired.turns import Seat, take_turn


async def play(room: Room, config: ChairedConfig) -> None:
    if config.evidence.pack is None:
        require("evidence")  # pages of the web are cited sooner or later
    limits = FetchLimits(seconds=config.evidence.seconds)
    async with Fetcher(limits, allow_loopback=loopback_allowed()) as fetcher:
        stage = await set_stage(room, config, Desk(fetcher, config.evidence.pack))
        pending: list[Pending] = []
        leanings = ask_before(stage)
        await open_debate(stage, pending)
        why = await hold_rounds(stage, pending)
        await close_debate(stage, pending, leanings, why)
        await conclude(stage)


async def open_debate(stage: Stage, pending: list[Pending]) -> None:
    """Phase 1: the promoter, then the detractor."""
    for role in DEBATERS:
        await take_turn(stage, Seat(role, "opening", None, opening_task(stage, role)), pending)
    stage.announce("The opening statements are heard; the rounds begin.", "opening", Announcement(kind="openings"))


async def hold_rounds(stage: Stage, pending: list[Pending]) -> str:
    """Phase 2: between the minimum and the maximum of rounds; returns why it ended."""
    config, room = stage.config, stage.room
    for number in range(1, config.max_rounds + 1):
        announced = Announcement(kind="round", round=number)
        stage.announce(f"Round {number} of {config.max_rounds}.", "rebuttal", announced)
        await rule_on(stage, pending, "rebuttal")
        if config.max_rounds == 1:  # later, its questions would meet closings, which bring nothing new
            await hear_audience(stage, number)
        for role in DEBATERS:
            task = prompts.TURN_TASK.format(round=number, rounds=config.max_rounds)
            await take_turn(stage, Seat(role, "rebuttal", number, task), pending)
        may_end = config.min_rounds <= number < config.max_rounds
        chair = stage.agent("chair", f"r{number}.end")
        prompt = prompts.GO_ON(record=stage.shown(), you=stage.you("chair"), round=number)
        asked = room.start_background(room.ask_for(RoundOver, chair, prompt, "go-on")) if may_end else None
        if config.max_rounds > 1:
            await hear_audience(stage, number)
        over = await asked if asked is not None else None
        if isinstance(over, Failure):
            what = "no decision on whether another round is of use"
            stage.lacks(what, over, "rebuttal", "The rounds end with their number or their time.")
        if isinstance(over, RoundOver) and not over.goes_on:
            return f"the chair finds that it has come to its natural end. {over.reason}"
        if may_end and room.minutes(f"round/{number}") >= config.time_budget_minutes:
            return f"the {config.time_budget_minutes:g} minutes that it was given are spent."
    return "its last round is held."


def opening_task(stage: Stage, role: Role) -> str:
    words = most_words("opening_statement", role, stage.rules_record())
    return prompts.OPENING_TASK.format(side=SIDES[role], words=words)


async def close_debate(stage: Stage, pending: list[Pending], leanings: list[Before], why: str) -> None:
    """Phase 3: what the last round left to rule on, then the detractor and the promoter."""
    stage.announce(f"The debate goes to its closing statements: {why}", "closing", Announcement(kind="closings"))
    await rule_on(stage, pending, "closing")
    chair = stage.agent("chair", "closing")
    prompt = prompts.UNRESOLVED(record=stage.shown(), you=stage.you("chair"))
    found = await stage.room.ask_for(Unresolved, chair, prompt, "unresolved")
    points = ""
    if isinstance(found, Failure):
        stage.lacks(
            "no unresolved points are named", found, "closing", "The closing statements are given without them."
        )
    else:
        listed = "\n".join(f"{number}. {point}" for number, point in enumerate(found.points, 1))
        points = prompts.UNRESOLVED_TASK + fenced(stage.masked(listed), "unresolved points")
    for role in reversed(DEBATERS):
        words = most_words("closing_statement", role, stage.rules_record())
        task = prompts.CLOSING_TASK.format(words=words) + points
        await take_turn(stage, Seat(role, "closing", None, task), pending)
    await rule_on(stage, pending, "closing")
    await ask_after(stage, leanings)
    stage.announce("The debate is over; the chair decides.", "system", Announcement(kind="over"))


async def hear_audience(stage: Stage, number: int) -> None:
    """The audience asks up to two questions; the chair relays the worthy ones in the next cues."""
    agent, record = stage.agent("audience", f"r{number}"), stage.rules_record()
    prompt = prompts.ASK_QUESTIONS(
        record=stage.shown(since=begin_of(stage, number)),
        you=stage.you("audience"),
        heard="the opening statements and what followed" if number == 1 else f"all before, and now round {number}",
        most=MOST_QUESTIONS,
        words=MOST_WORDS["audience_question"],
    )
    asked = await stage.room.ask_for(Questions, agent, prompt, "questions")
    if isinstance(asked, Failure):
        stage.lacks(f"no questions of the audience after round {number}", asked, "rebuttal", of="audience")
        return
    questions = [one for one in asked.questions if may_ask(one.question, record)][:MOST_QUESTIONS]
    for one in await worthy(stage, questions, number):
        data_of = Question(to=one.to, round=number)
        draft = stage.emit(
            "audience_question",
            "audience",
            one.question,
            phase="rebuttal",
            data=data_of,
            call=agent.key("questions"),
        )
        stage.questions[one.to].append(draft)


def begin_of(stage: Stage, number: int) -> int:
    """The entry from which the audience is shown a round: the first of the debate for round 1."""
    begun = (one.seq for one in stage.record if one.data == Announcement(kind="round", round=number))
    return next((seq for seq in begun if seq is not None), 0) if number > 1 else 0


async def worthy(stage: Stage, asked: list[Asked], number: int) -> list[Asked]:
    """The questions that the chair passes on."""
    if not asked:
        return []
    listed = "\n".join(f"{place}. To the {one.to}: {one.question}" for place, one in enumerate(asked, 1))
    questions = fenced(stage.masked(listed), "questions")
    prompt = prompts.RELAY(
        record=stage.shown(),
        you=stage.you("chair"),
        questions=questions,
    )
    chair = stage.agent("chair", f"r{number}.audience")
    chosen = await stage.room.ask_for(Worthy, chair, prompt, "relay")
    if isinstance(chosen, Failure):
        what = f"no choice among the audience's questions after round {number}"
        stage.lacks(what, chosen, "rebuttal", "Nothing is withheld: all of them are put.")
        return asked
    return [one for place, one in enumerate(asked, 1) if place in chosen.numbers]
