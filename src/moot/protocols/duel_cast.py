"""Who takes part in a duel: drawing the cast, seating it, and what its prompts may say."""

from dataclasses import dataclass

from moot.agent import Agent
from moot.payloads import Header, Member, Side
from moot.prompt import Fact, Template
from moot.protocols.duel_config import Debater, DuelConfig, Judge
from moot.room import Room


@dataclass(frozen=True, slots=True)
class Speaker:
    agent: Agent
    persona: Debater
    side: Side | None

    @property
    def name(self) -> str:
        return self.agent.name


@dataclass(frozen=True, slots=True)
class Duel:
    """The cast and the question, as every step of the script needs them."""

    room: Room
    config: DuelConfig
    a: Speaker
    b: Speaker
    judge: Agent | None

    def turn_of(self, number: int) -> tuple[Speaker, Speaker]:
        """Who speaks at that turn, and against whom."""
        return (self.a, self.b) if number % 2 else (self.b, self.a)

    def is_final(self, number: int) -> bool:
        """Each debater's last turn is a closing; A's opening never is."""
        return number > 1 and number >= self.config.turns - 1

    def phase(self, number: int) -> str:
        return "opening" if number == 1 else "closing" if self.is_final(number) else "rebuttal"

    def case_of(self, speaker: Speaker) -> str:
        """The premise and the speaker's side, where there is a premise."""
        if self.config.premise is None or speaker.side is None:
            return ""
        return f"\nThe premise: {self.config.premise}\nYour side: {speaker.side.upper()} the premise."


async def open_duel(room: Room, config: DuelConfig) -> Duel:
    """Draw the cast, see that everybody can speak, and write the header."""
    first, second = seat(room, config)
    persona = config.judge or (room.draw("judge", config.judges) if config.judges else None)
    judge = (
        room.agent("judge", persona.name, JUDGE_SYSTEM(system=persona.system), persona.speaks_through)
        if persona
        else None
    )
    duel = Duel(
        room, config, debater(room, config.premise, "A", *first), debater(room, config.premise, "B", *second), judge
    )
    agents = [duel.a.agent, duel.b.agent, *([judge] if judge else [])]
    await room.ready(*agents)
    cast = [
        member(duel.a.agent, duel.a.persona, duel.a.side),
        member(duel.b.agent, duel.b.persona, duel.b.side),
    ]
    if judge is not None and persona is not None:
        cast.append(member(judge, persona, None))
    notices = room.fact("notices", lambda: [*odd_turns(config), *room.notices(agents, judge)])
    header = Header(
        protocol="duel",
        topic=config.topic,
        premise=config.premise,
        turns=config.turns,
        cast=cast,
        notices=notices,
    )
    room.emit("header", "moot", config.topic, phase="setup", data=header)
    return duel


def seat(room: Room, config: DuelConfig) -> tuple[tuple[Debater, Side | None], tuple[Debater, Side | None]]:
    """Who is A and who is B, each with a side when there is a premise; the opener by lot when the order is random."""
    if config.debaters is not None:
        one, two = config.debaters
    else:
        one, two = room.draw("for", config.pool_for or []), room.draw("against", config.pool_against or [])
    opposite: dict[Side, Side] = {"for": "against", "against": "for"}
    side: Side = one.side or (opposite[two.side] if two.side else "for")
    seats: list[tuple[Debater, Side | None]] = [(one, side), (two, opposite[side])]
    if config.premise is None:
        seats = [(one, one.side), (two, two.side)]
    if config.order == "random" and room.draw("order", ["as listed", "reversed"]) == "reversed":
        seats.reverse()
    return seats[0], seats[1]


def debater(room: Room, premise: str | None, agent_id: str, persona: Debater, side: Side | None) -> Speaker:
    system = DEBATER_SYSTEM(system=persona.system, name=persona.name, **stance(premise, side))
    return Speaker(room.agent(agent_id, persona.name, system, persona.speaks_through), persona, side)


def member(agent: Agent, persona: Debater | Judge, side: Side | None) -> Member:
    colours = {"A": "cyan", "B": "magenta", "judge": "yellow"}
    return Member(
        id=agent.id,
        name=agent.name,
        role="judge" if agent.id == "judge" else "debater",
        side=side,
        personality=persona.personality,
        colour=persona.colour or colours[agent.id],
        models=agent.cast_as,
    )


def odd_turns(config: DuelConfig) -> list[str]:
    if config.turns % 2 == 0:
        return []
    return [f"{config.turns} turns is an odd number: the opener speaks both first and last."]


def facts(duel: Duel, speaker: Speaker, opponent: Speaker) -> dict[str, Fact]:
    """What every prompt to a debater may say."""
    return {
        "name": speaker.name,
        "opponent": opponent.name,
        "topic": duel.config.topic,
        "case": duel.case_of(speaker),
        **stance(duel.config.premise, speaker.side),
    }


def stance(premise: str | None, side: Side | None) -> dict[str, Fact]:
    """A side in the few words that a small model is reminded of it with, every time: as what to give reasons for, as
    how a statement begins, as how a closing does."""
    if premise is None or side is None:
        return {"thesis": "your side is right", "avowal": "My view is clear", "finale": "In the end, my side is right"}
    claim = premise.rstrip(".!")
    if claim[1:2].islower() or claim[1:2] == " ":
        claim = claim if claim.startswith("I ") else claim[0].lower() + claim[1:]
    if side == "for":
        return {"thesis": claim, "avowal": f"I believe that {claim}", "finale": f"In the end, {claim}"}
    return {
        "thesis": f"it is wrong that {claim}",
        "avowal": f"I do not believe that {claim}",
        "finale": "In the end, I still say no",
    }


DEBATER_SYSTEM = Template(full="{system}", short="You are {name}. {avowal}. You give short, concrete reasons.")
JUDGE_SYSTEM = Template(full="{system}", short="You are a fair judge. You speak plainly and briefly.")
