"""A protocol of the tests' own: a show of hands. It brings nothing but a script and what its log amounts to, so pages
and programs have to make do with that; `with_more` brings what a protocol may bring beyond it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated, Any, Literal
from unittest.mock import patch

from pydantic import BaseModel, ConfigDict, Field

import moot
from moot.api import Failure, Material, Option, Payload, Protocol, Role, Room, Template, introduce
from moot.argument import draw, text_map
from moot.argument.graph import Graph
from moot.engine.define import registry
from moot.engine.define.capabilities import Choices, Gated, GateTool, LiveView, OutsideEntries, PrivateKeys, Versions
from moot.present import Brief, Dissent, Flag, Map, Paragraph, Section, Summary, Table, Version
from moot.record.entry import Entry
from tests.kit.duels import MODEL

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve")


class Config(BaseModel):
    model_config = ConfigDict(extra="forbid")

    topic: str
    voters: Annotated[int, Field(ge=2, le=5), Option("How many vote.", label="Voters", hint="two to five")] = 3
    mood: Annotated[Literal["calm", "heated"], Option("How they talk.", label="Mood")] = "calm"
    unseen: Annotated[int, Option("For files and programs alone.")] = 1
    context: str | None = None


class Hand(Payload):
    up: bool | None
    failure: str | None


class Raised(BaseModel):
    reason: str
    up: bool


class Outcome(BaseModel):
    topic: str
    hands: dict[str, bool | None]
    decision: str | None


async def play(room: Room, config: Config) -> None:
    voters = [room.agent(name.lower(), name, SYSTEM(mood=config.mood)) for name in NAMES[: config.voters]]
    await introduce(room, "hands", config.topic, voters)
    for voter in voters:
        raised = await room.ask_for(Raised, voter, ASK(topic=config.topic, context=config.context or "None."), "raise")
        hand = Hand(up=None, failure=raised.reason) if isinstance(raised, Failure) else Hand(up=raised.up, failure=None)
        room.emit("hand", voter, raised.reason, phase="voting", data=hand, call=voter.key("raise"))
    room.emit("count", "moot", "All hands are counted.", phase="count")


def outcome(entries: Sequence[Entry]) -> Outcome:
    hands = {entry.speaker: entry.data.up for entry in entries if isinstance(entry.data, Hand)}
    counted = any(entry.type == "count" for entry in entries)
    ups = sum(up is True for up in hands.values())
    topic = next(entry.content for entry in entries if entry.type == "header")
    return Outcome(
        topic=topic,
        hands=hands,
        decision=f"{'Carried' if 2 * ups > len(hands) else 'Not carried'}, {ups} of {len(hands)}" if counted else None,
    )


HANDS = Protocol(
    name="hands",
    about="Everybody raises a hand or does not.",
    config=Config,
    play=play,
    outcome=outcome,
    outcome_model=Outcome,
    payloads={"hand": Hand, "count": None},
)


def with_more() -> Protocol:
    """The same with all that the pages can show of a protocol."""
    return replace(
        HANDS,
        gives="a count of hands",
        roles=lambda config: [Role(name.lower(), "Votes", name) for name in NAMES[: config.voters]],
        summary=_summary,
        sections=_sections,
        capabilities=(
            LiveView(verdicts=("count",), spoilers=("hand",)),
            OutsideEntries(),
            Choices(
                lambda _: ["Carried", "Not carried"],
                lambda found: found.decision.partition(",")[0] if found.decision else None,
            ),
            Versions(lambda it: {"The count": [Version("First", "One hand."), Version("Last", f"{it.decision}.")]}),
            GateTool(_gate),
            PrivateKeys({"unseen": "it is the server's own"}),
        ),
    )


def _summary(found: Outcome, entries: Sequence[Entry]) -> Summary:
    down = [name for name, up in found.hands.items() if up is False]
    return Summary(
        headline=found.decision or "Not counted yet",
        kind="Count",
        decided=found.decision is not None,
        reached="By hands that everybody saw.",
        change="Nobody moved.",
        brief=Brief(dissent=[Dissent(who=name, reason="kept the hand down") for name in down]),
        flags=[
            Flag(code="hands_seen", text="Hands were raised in sight of each other."),
            Flag(code="few_voters", text="Few voted.", severity="note"),
        ],
    )


def _sections(material: Material) -> list[Section]:
    found = outcome(material.entries)
    graph = Graph.of({"H1": "Hands", "H2": "Feet"}, [("H2", "H1")], texts={"H1": "Hands count.", "H2": "Feet do."})
    first = material.entries[0].seq
    drawn = Map(
        "Map of hands", draw(graph, {"H1": 0.4, "H2": 0.6}, {}, {"H1": f"#e{first}"}), text_map(graph), "Two arguments."
    )
    table = Table(["Who", "Hand"], [[name, str(up)] for name, up in found.hands.items()], texts=2, name="Hands")
    return [
        Section("map", "Hands and feet", [Paragraph("Said above the map."), drawn, table], live="open"),
        Section("hands", "Hands so far", [table], live="open"),
        Section("ahead", "Who is ahead", [Paragraph(f"{sum(map(bool, found.hands.values()))} up.")], live="covered"),
        Section("closing", "At the end", [Paragraph("That was all.")], place="end"),
    ]


def _gate(found: Outcome | None, entries: Sequence[Entry]) -> Gated:
    if found is None or found.decision is None:
        return Gated(None, None, passing="Carried")
    return Gated(found.decision.startswith("Carried"), found.decision, passing="Carried")


@contextmanager
def registered(protocol: Protocol = HANDS, origin: registry.Origin | None = None) -> Iterator[Protocol]:
    """That protocol among the others, for a while."""
    with patch.dict(registry._registered):
        registry.register(protocol, origin)
        yield protocol


def ups(*hands: bool) -> dict[str, Any]:
    """The script of a debate in which these hands go up, or stay down."""
    return {
        f"{name.lower()}/raise": {"reason": f"So says {name}.", "up": up}
        for name, up in zip(NAMES, hands, strict=False)
    }


def config_of(out: Any, **settings: Any) -> moot.RunConfig:
    """A debate of the registered protocol, by a scripted model."""
    given = {"topic": "Is it so?", "model": MODEL, "seed": 1, "out": str(out), **settings}
    return moot.configure("hands", **given)


SYSTEM = Template("You vote. You are {mood}.")
ASK = Template(
    "The question: {topic}\n\nWhat was said before: {context}\n\nGive your reason; then say: is your hand up?"
)
