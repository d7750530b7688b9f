"""The participants of a duel: drawing the cast, seating it, and the facts for its prompts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from moot.api import FRAMER, Agent, Fact, Frame, Member, Prompt, Room, Side, flags_of, frame, member, needs_of
from moot.api.studies import TRUTH
from moot.present import Flag
from moot.protocols.duel import prompts
from moot.protocols.duel.config import DEBATERS, Debater, DuelConfig, Judge, framed
from moot.protocols.duel.payloads import DuelHeader, Verdict

COLOURS = {"A": "cyan", "B": "magenta", "judge": "yellow"}


@dataclass(frozen=True, slots=True)
class Speaker:
    """A debater. `side` is None where A chooses its own thesis."""

    agent: Agent
    persona: Debater
    side: Side | None

    @property
    def name(self) -> str:
        return self.agent.name


@dataclass(frozen=True, slots=True)
class Duel:
    """The cast and the question, for every step of the script."""

    room: Room
    config: DuelConfig
    a: Speaker
    b: Speaker
    judge: Agent | None
    jury: Sequence[Agent] = ()

    @property
    def names(self) -> tuple[str, str]:
        return self.a.name, self.b.name

    @property
    def answers(self) -> dict[str, str]:
        """What each debater argues for, by its name; empty if it is a claim, or a thesis."""
        if self.config.options is None:
            return {}
        return {speaker.name: self.config.options[0 if speaker.side == "for" else 1] for speaker in (self.a, self.b)}

    @property
    def claim(self) -> str | None:
        """The claim that is debated, with its denial if the user gives one."""
        claim, denial = self.config.claim, self.config.denial
        return f"{claim}\nThe denial: {denial}" if denial else claim

    def turn_of(self, number: int) -> tuple[Speaker, Speaker]:
        """The speaker of a turn and the opponent."""
        return (self.a, self.b) if number % 2 else (self.b, self.a)

    def is_final(self, number: int) -> bool:
        """Each debater's last turn is a closing; A's opening never is."""
        return number > 1 and number >= self.config.turns - 1

    def phase(self, number: int) -> str:
        return "opening" if number == 1 else "closing" if self.is_final(number) else "rebuttal"

    def who_argues(self, *, over: bool = True) -> str:
        """Who argues what, or did so, in a sentence."""
        sides = {speaker.name: speaker.side for speaker in (self.a, self.b) if speaker.side}
        factual, opener = self.config.factual, self.a.name
        return prompts.who_argues(
            self.names, sides, self.answers, self.claim, opener=opener, factual=factual, over=over
        )

    def verdict(self, winner: str | None, scores: Mapping[str, int | None], **how: Any) -> Verdict:
        """The verdict for this winner, with what follows from it. The claim is upheld if its side wins."""
        won, lost = (scores[winner], scores[self.names[self.names[0] == winner]]) if winner else (None, None)
        side = next((speaker.side for speaker in (self.a, self.b) if speaker.name == winner), None)
        return Verdict(
            winner=winner,
            scores=dict(scores),
            upheld=side == "for" if side and self.config.claim else None,
            scores_contradict_winner=won is not None and lost is not None and won < lost,
            **how,
        )


async def open_duel(room: Room, config: DuelConfig) -> Duel:
    """Draw the cast, check that all agents can answer, find out what is asked, and write the header."""
    drawn = draw(room, config)
    debaters = zip("AB", (own for own, _ in drawn), strict=True)
    agents = [room.agent(part, own.name, FRAMER(), own.speaks_through) for part, own in debaters]
    persona = config.judge or (room.draw("judge", config.judges) if config.judges else None)
    judge = room.agent("judge", persona.name, FRAMER(), persona.speaks_through) if persona else None
    jury = seat_jury(room, config, persona)
    judges = [*([judge] if judge else []), *jury]
    question = await frame(room, config, [*agents, *judges], judge)
    config = framed(config, question)
    has_sides = config.claim is not None or config.options is not None
    seats = zip(agents, drawn, strict=True)
    a, b = (Speaker(agent, own, side if has_sides else None) for agent, (own, side) in seats)
    duel = Duel(room, config, a, b, judge, jury)
    cast = [introduced(speaker.agent, speaker.persona, speaker.side) for speaker in (a, b)]
    for speaker, opponent in ((a, b), (b, a)):
        speaker.agent.instruct(debater_system(duel, speaker, opponent))
    if judge is not None and persona is not None:
        judge.instruct(judge_system(duel, persona, needs_of(question)))
        cast.append(introduced(judge, persona, None))
    cast += [member(juror, "juror", "Reads the debate afterwards, in both orders.", "yellow") for juror in jury]
    header = DuelHeader(
        protocol="duel",
        topic=config.topic,
        options=duel.answers,
        claim=config.claim,
        turns=config.turns,
        cast=cast,
        flags=room.flags(lambda: flags(config, question, agents, judges)),
    )
    room.emit("header", "moot", config.topic, phase="setup", data=header)
    return duel


def draw(room: Room, config: DuelConfig) -> list[tuple[Debater, Side]]:
    """A and B with their sides, if there are any to take; the opener is drawn if the order is random."""
    if config.debaters is not None:
        one, two = config.debaters
    else:
        one, two = room.draw("for", config.pool_for or []), room.draw("against", config.pool_against or [])
    opposite: dict[Side, Side] = {"for": "against", "against": "for"}
    side: Side = one.side or (opposite[two.side] if two.side else "for")
    drawn = [(one, side), (two, opposite[side])]
    if config.order == "random" and room.draw("order", ["as listed", "reversed"]) == "reversed":
        drawn.reverse()
    return drawn


def seat_jury(room: Room, config: DuelConfig, judge: Judge | None) -> list[Agent]:
    """The jurors, each with the standards of one of the pool of judges in turn, or of the judge, and with its model
    where none is given. Without a judge they have standards of their own. On a question with a right answer, all have
    one standard: personas may forbid what it asks for."""
    pool: Sequence[Judge | None] = config.judges or [judge]
    jury = []
    for number, model in enumerate(config.jurors, 1):
        persona = pool[(number - 1) % len(pool)]
        standards = persona.judging_criteria if persona else prompts.JURY_STANDARDS
        scale = f" {prompts.ONE_SCALE}"
        if config.factual:
            standards, scale = TRUTH, f" Scores say {prompts.LIKELY}"
        system = prompts.JUROR_SYSTEM(standards=standards, scale=scale)
        own = persona.speaks_through if persona else None
        jury.append(room.agent(f"juror-{number}", f"Juror {number}", system, model or own))
    return jury


def debater_system(duel: Duel, own: Speaker, other: Speaker) -> Prompt:
    """The instructions of a debater, with the facts of the whole debate."""
    config, opens = duel.config, own is duel.a
    return prompts.DEBATER_SYSTEM(
        **facts(duel, own, other),
        system=own.persona.system,
        turns=config.turns,
        place=prompts.FIRST if opens else prompts.SECOND.format(opponent=other.name),
        case=case_of(duel, own, other),
        decided=decided_by(config, duel.judge),
    )


def facts(duel: Duel, speaker: Speaker, opponent: Speaker) -> dict[str, Fact]:
    """The facts for every prompt to a debater."""
    config = duel.config
    return {"name": speaker.name, "opponent": opponent.name, "topic": config.topic, "words": config.words}


def case_of(duel: Duel, own: Speaker, other: Speaker) -> str:
    """What a debater argues for: its answer, or a side of the claim. Without these the first speaker states a thesis,
    and the other opposes it: nobody debates without a side."""
    if answers := duel.answers:
        form = prompts.ANSWERS if duel.config.factual else prompts.CHOICE
        return form.format(option=answers[own.name], other=answers[other.name], opponent=other.name)
    if own.side is not None:
        return prompts.CLAIM.format(claim=duel.claim, side=own.side.upper())
    return prompts.THESIS if own is duel.a else prompts.ANTITHESIS.format(opponent=other.name)


def decided_by(config: DuelConfig, judge: Agent | None) -> str:
    if not config.jurors and judge is None:
        return prompts.NOBODY_DECIDES
    who = prompts.THE_JUDGE.format(judge=judge.name) if judge and not config.jurors else prompts.THE_JURY
    return (prompts.DECIDES_ON_TRUTH if config.factual else prompts.DECIDES).format(who)


def judge_system(duel: Duel, persona: Judge, needs: str) -> Prompt:
    """The instructions of the judge. `needs` says what an answer must contain."""
    config = duel.config
    duty = prompts.FIND_TRUTH if config.factual else prompts.WEIGH_CASES
    return prompts.JUDGE_SYSTEM(
        system=persona.personality if config.factual else persona.system,
        name=persona.name,
        a=duel.a.name,
        b=duel.b.name,
        turns=config.turns,
        topic=config.topic,
        sides=f"\n{duel.who_argues(over=False)}",
        needs=needs,
        duty=duty + (prompts.JURY_DECIDES if config.jurors else ""),
    )


def introduced(agent: Agent, persona: Debater | Judge, side: Side | None) -> Member:
    role = "judge" if agent.id == "judge" else "debater"
    return member(agent, role, persona.personality, persona.colour or COLOURS[agent.id], side)


def flags(config: DuelConfig, question: Frame, debaters: Sequence[Agent], judges: Sequence[Agent]) -> list[Flag]:
    """What readers should know about the turns, the question, and the cast under each of its judges."""
    raised = []
    if config.turns % 2:
        text = f"{config.turns} turns is an odd number: the opener speaks both first and last."
        raised.append(Flag(code="odd_turns", text=text, severity="note"))
    if len(question.options) > DEBATERS:
        text = (
            f"Of {len(question.options)} options A chooses one, and B opposes it. In an arena all compete: moot arena."
        )
        raised.append(Flag(code="many_options", text=text, severity="note"))
    of_cast = [flags_of([*debaters, judge], judge) for judge in judges] or [flags_of(debaters, None)]
    return list(dict.fromkeys([*raised, *(flag for raised_of_cast in of_cast for flag in raised_of_cast)]))
