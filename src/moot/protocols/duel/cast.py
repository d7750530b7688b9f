"""The participants of a duel: drawing the cast, seating it, and the facts for its prompts."""

from collections.abc import Sequence
from dataclasses import dataclass

from moot.api import FRAMER, Agent, Fact, Frame, Member, Models, Prompt, Room, Side, flags_of, frame, member, needs_of
from moot.api.studies import TRUTH
from moot.present import Flag
from moot.protocols.duel import prompts
from moot.protocols.duel.config import DEBATERS, Debater, DuelConfig, Judge, framed
from moot.protocols.duel.payloads import DuelHeader

Seat = tuple[Debater, Side | None]
"""A persona and its side."""


@dataclass(frozen=True, slots=True)
class Speaker:
    agent: Agent
    persona: Debater
    side: Side | None

    @property
    def name(self) -> str:
        return self.agent.name


@dataclass(frozen=True, slots=True)
class Juror:
    """One of the jury, who reads the debate afterwards; `model` is what the config lets it speak through."""

    agent: Agent
    model: Models | None


@dataclass(frozen=True, slots=True)
class Duel:
    """The cast and the question, for every step of the script."""

    room: Room
    config: DuelConfig
    a: Speaker
    b: Speaker
    judge: Agent | None
    jury: tuple[Juror, ...] = ()

    @property
    def cast(self) -> list[Agent]:
        return [self.a.agent, self.b.agent, *([self.judge] if self.judge else [])]

    def turn_of(self, number: int) -> tuple[Speaker, Speaker]:
        """The speaker of a turn and the opponent."""
        return (self.a, self.b) if number % 2 else (self.b, self.a)

    def is_final(self, number: int) -> bool:
        """Each debater's last turn is a closing; A's opening never is."""
        return number > 1 and number >= self.config.turns - 1

    def phase(self, number: int) -> str:
        return "opening" if number == 1 else "closing" if self.is_final(number) else "rebuttal"

    @property
    def options(self) -> dict[str, str]:
        return options_of(self.config, self.a, self.b)

    def who_argued_what(self) -> str:
        return sides_of(self.config, self.a, self.b)


def sides_of(config: DuelConfig, a: Speaker, b: Speaker, *, over: bool = True) -> str:
    """Who argues what, in a sentence."""
    return prompts.who_argues(
        [a.name, b.name],
        {one.name: one.side for one in (a, b) if one.side},
        options_of(config, a, b),
        claim_with_denial(config),
        opener=a.name,
        factual=config.factual,
        over=over,
    )


def options_of(config: DuelConfig, *speakers: Speaker) -> dict[str, str]:
    """The options of the debaters: the side for argues for the first option, the other for the second."""
    if config.options is None:
        return {}
    return {one.name: config.options[0 if one.side == "for" else 1] for one in speakers}


async def open_duel(room: Room, config: DuelConfig) -> Duel:
    """Draw the cast, check that all agents can answer, find out what is asked, and write the header."""
    drawn = draw(room, config)
    persona = config.judge or (room.draw("judge", config.judges) if config.judges else None)
    one, two = (
        room.agent(part, own.name, FRAMER(), own.speaks_through) for part, (own, _) in zip("AB", drawn, strict=True)
    )
    agents, judge = [one, two], None
    if persona is not None:
        judge = room.agent("judge", persona.name, FRAMER(), persona.speaks_through)
        agents.append(judge)
    jury = seat_jury(room, config, persona)
    jurors = [juror.agent for juror in jury]
    asked = await frame(room, config, [*agents, *jurors], judge)
    config = framed(config, asked)
    first, second = seat(config, drawn)
    a, b = Speaker(one, *first), Speaker(two, *second)
    one.instruct(debater_system(config, first, second, persona, opens=True))
    two.instruct(debater_system(config, second, first, persona, opens=False))
    cast = [introduced(a.agent, a.persona, a.side), introduced(b.agent, b.persona, b.side)]
    if judge is not None and persona is not None:
        judge.instruct(judge_system(config, persona, a, b, needs_of(asked)))
        cast.append(introduced(judge, persona, None))
    cast += [member(juror, "juror", "Reads the debate afterwards, in both orders.", "yellow") for juror in jurors]
    header = DuelHeader(
        protocol="duel",
        topic=config.topic,
        options=options_of(config, a, b),
        claim=config.claim,
        turns=config.turns,
        cast=cast,
        flags=room.flags(lambda: [*odd_turns(config), *many_options(asked), *of_cast(agents, judge, jurors)]),
    )
    room.emit("header", "moot", config.topic, phase="setup", data=header)
    return Duel(room, config, a, b, judge, tuple(jury))


def seat_jury(room: Room, config: DuelConfig, judge: Judge | None) -> list[Juror]:
    """The jurors, each with the standards of one of the pool of judges in turn, or of the judge, and with its model
    where none is given. Without a judge they have standards of their own. On a question with a right answer, all have
    one standard: personas may forbid what it asks for."""
    pool: Sequence[Judge | None] = config.judges or [judge]
    found = []
    for number, given in enumerate(config.jurors, 1):
        persona = pool[(number - 1) % len(pool)]
        model = given or (persona.speaks_through if persona else None)
        name = f"Juror {number}"
        standards = persona.judging_criteria if persona else prompts.JURY_STANDARDS
        scale = f" {prompts.ONE_SCALE}"
        if config.factual:
            standards, scale = TRUTH, f" Scores say {prompts.LIKELY}"
        system = prompts.JUROR_SYSTEM(standards=standards, name=name, scale=scale)
        found.append(Juror(room.agent(f"juror-{number}", name, system, model), model))
    return found


def of_cast(agents: list[Agent], judge: Agent | None, jurors: list[Agent]) -> list[Flag]:
    """Flags about the cast, for every juror as well as the judge."""
    debaters = [agent for agent in agents if agent is not judge]
    flags = [flags_of(agents, judge), *(flags_of([*debaters, one], one) for one in jurors)]
    return list(dict.fromkeys(flag for some in flags for flag in some))


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


def seat(config: DuelConfig, drawn: Sequence[tuple[Debater, Side]]) -> tuple[Seat, Seat]:
    """A and B. Without a claim or a choice, only a side that its persona has stays."""
    first, second = drawn
    if config.claim is None and not config.options:
        return (first[0], first[0].side), (second[0], second[0].side)
    return first, second


def debater_system(config: DuelConfig, own: Seat, other: Seat, judge: Judge | None, *, opens: bool) -> Prompt:
    """The instructions of a debater, with the facts of the whole debate."""
    persona, opponent = own[0], other[0].name
    return prompts.DEBATER_SYSTEM(
        system=persona.system,
        name=persona.name,
        opponent=opponent,
        turns=config.turns,
        place=prompts.FIRST if opens else prompts.SECOND.format(opponent=opponent),
        topic=config.topic,
        case=case_of(config, own, other, opens=opens),
        decided=decided_by(config, judge.name if judge else None),
        words=config.words,
    )


def judge_system(config: DuelConfig, persona: Judge, a: Speaker, b: Speaker, needs: str) -> Prompt:
    """The instructions of the judge. `needs` says what an answer must contain."""
    return prompts.JUDGE_SYSTEM(
        system=persona.personality if config.factual else persona.system,
        name=persona.name,
        a=a.name,
        b=b.name,
        turns=config.turns,
        topic=config.topic,
        sides=f"\n{sides_of(config, a, b, over=False)}",
        needs=needs,
        duty=(prompts.FIND_TRUTH if config.factual else prompts.WEIGH_CASES)
        + (prompts.JURY_DECIDES if config.jurors else ""),
    )


def decided_by(config: DuelConfig, judge: str | None) -> str:
    if config.jurors:
        return prompts.DECIDED_BY_A_JURY_ON_TRUTH if config.factual else prompts.DECIDED_BY_A_JURY
    if judge is None:
        return prompts.DECIDED_BY_NOBODY
    return (prompts.DECIDED_BY_TRUTH if config.factual else prompts.DECIDED_BY_JUDGE).format(judge=judge)


def case_of(config: DuelConfig, own: Seat, other: Seat, *, opens: bool) -> str:
    """The claim and the speaker's side; for a choice, the speaker's option. Without a claim the first speaker
    states a thesis, and the other opposes it: nobody debates without a side."""
    opponent = other[0].name
    if config.options:
        mine = own[1] != "for"
        choice = {"option": config.options[mine], "other": config.options[not mine], "opponent": opponent}
        return (prompts.ANSWERS if config.factual else prompts.CHOICE).format(**choice)
    if config.claim is None or own[1] is None:
        return prompts.THESIS if opens else prompts.ANTITHESIS.format(opponent=opponent)
    return prompts.CLAIM.format(claim=claim_with_denial(config), side=own[1].upper())


def introduced(agent: Agent, persona: Debater | Judge, side: Side | None) -> Member:
    colours = {"A": "cyan", "B": "magenta", "judge": "yellow"}
    role = "judge" if agent.id == "judge" else "debater"
    return member(agent, role, persona.personality, persona.colour or colours[agent.id], side)


def odd_turns(config: DuelConfig) -> list[Flag]:
    if config.turns % 2 == 0:
        return []
    text = f"{config.turns} turns is an odd number: the opener speaks both first and last."
    return [Flag(code="odd_turns", text=text, severity="note")]


def claim_with_denial(config: DuelConfig) -> str | None:
    return f"{config.claim}\nThe denial: {config.denial}" if config.denial else config.claim


def many_options(frame: Frame) -> list[Flag]:
    """A flag if the question names more options than a duel has sides."""
    if len(frame.options) <= DEBATERS:
        return []
    text = f"Of {len(frame.options)} options A chooses one, and B opposes it. In an arena all compete: moot arena."
    return [Flag(code="many_options", text=text, severity="note")]


def facts(duel: Duel, speaker: Speaker, opponent: Speaker) -> dict[str, Fact]:
    """The facts for every prompt to a debater."""
    return {
        "name": speaker.name,
        "opponent": opponent.name,
        "topic": duel.config.topic,
        "words": duel.config.words,
    }
