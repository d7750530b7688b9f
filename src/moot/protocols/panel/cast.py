"""The cast of a panel, created again for every version of the idea."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from moot.api import Agent, Failure, Header, Member, Prompt, Room, Shape, flags_of, member, parts_of, patience
from moot.protocols.panel.config import REVISER, PanelConfig, Seat
from moot.protocols.panel.payloads import Brief
from moot.protocols.panel.prompts import FRAME, MATTER, REVISER_SYSTEM
from moot.text.figures import bound_percent
from moot.text.prose import plural

COLOURS = ("magenta", "green", "red", "blue", "cyan")


@dataclass(frozen=True, slots=True)
class Panellist:
    """A seat and the agent on it, for one version of the idea."""

    agent: Agent
    seat: Seat
    weight: Decimal

    @property
    def name(self) -> str:
        return self.agent.name


@dataclass(frozen=True, slots=True)
class Panel:
    room: Room
    config: PanelConfig

    def seated(self, version: int) -> list[Panellist]:
        """The panel for a version of the idea, without memory of earlier versions."""
        return [
            Panellist(
                self.room.agent(_id(part, version), seat.name, _frame(self.config), seat.model),
                seat,
                self.config.weight_of(seat),
            )
            for part, seat in zip(seat_parts(self.config.personas), self.config.personas, strict=True)
        ]

    def reviser(self, version: int) -> Agent:
        return self.room.agent(_id(REVISER.lower(), version), REVISER, REVISER_SYSTEM(), self.config.reviser)

    async def ask(
        self, one: Panellist, shape: type[Shape], prompt: Prompt, at: str, **reading: Any
    ) -> tuple[Shape | Failure, str]:
        """Ask a member without memory, and return its answer and the key of the call: a request contains everything it
        needs. The member keeps the model it last used. `reading` says how the room reads the reply."""
        agent = one.agent.fresh()
        reply = await self.room.ask_for(shape, agent, prompt, at, patience=self.patience(agent), **reading)
        one.agent.adopt_model_of(agent)
        return reply, agent.key(at)

    def patience(self, agent: Agent) -> float:
        """The seconds that an agent has for a round. They are its own: one that hangs takes time from nobody."""
        return patience(agent, self.config.timeout_per_round)


async def open_panel(room: Room, config: PanelConfig) -> tuple[Panel, list[Panellist]]:
    """Create the first panel, check its models, and write the header and the brief."""
    panel = Panel(room, config)
    seats = panel.seated(1)
    agents = [seat.agent for seat in seats]
    cast = [introduced(seat, index) for index, seat in enumerate(seats)]
    if config.chosen.revises and config.max_revisions:
        reviser = panel.reviser(1)
        agents.append(reviser)
        does = "Rewrites the idea when the panel asks for changes. Has no vote."
        cast.append(member(reviser, "reviser", does, "yellow"))
    await room.ready(*agents)
    flags = room.flags(lambda: flags_of(agents, None))
    header = Header(protocol="panel", topic=config.topic, cast=cast, flags=flags)
    room.emit("header", "moot", config.topic, phase="setup", data=header)
    room.emit("brief", "moot", config.chosen.question, phase="setup", to=[], data=brief(room, config))
    return panel, seats


def brief(room: Room, config: PanelConfig) -> Brief:
    kind, rules = config.chosen, config.rules
    return Brief(
        kind=config.kind,
        question=kind.question,
        labels=dict(kind.labels),
        rounds_required=kind.rounds,
        least_rounds=kind.rounds if room.full else 1,
        max_rounds=config.max_rounds,
        threshold=str(rules.threshold),
        required_validators=rules.required_validators,
        quorum=config.needed,
        weights={seat.name: str(config.weight_of(seat)) for seat in config.personas},
        each_change=kind.each_change,
        passes=kind.passes,
        revises=kind.revises,
        max_revisions=config.max_revisions,
        accepted=len(config.accepted),
        require=config.require,
        truth=config.truth,
    )


def seat_parts(personas: Sequence[Seat]) -> list[str]:
    """A part in the script for each persona."""
    return parts_of([seat.name for seat in personas], "persona", (REVISER.lower(),))


def introduced(one: Panellist, index: int) -> Member:
    role = "validator" if one.seat.validator else "panellist"
    colour = one.seat.colour or ("yellow" if one.seat.validator else COLOURS[index % len(COLOURS)])
    return member(one.agent, role, one.seat.stands_for, colour)


def _id(part: str, version: int) -> str:
    return part if version == 1 else f"{part}@{version}"


def _frame(config: PanelConfig) -> Prompt:
    """The system prompt: the same for all, so that their requests begin alike."""
    validators = sum(seat.validator for seat in config.personas)
    ruling = f"{plural(validators, 'validator')} will read everything, settle what is disputed, and vote as well"
    needed = plural(config.rules.required_validators, "validator has", "validators have")
    return FRAME(
        seats=len(config.personas),
        matter=MATTER[config.chosen.subject],
        validators=ruling if validators else "there is none here",
        most=plural(config.max_rounds, "round"),
        share=bound_percent(float(config.rules.threshold)),
        needed=f" {needed} to hold it." if config.rules.required_validators else "",
    )
