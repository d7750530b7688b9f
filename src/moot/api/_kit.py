"""Helpers for the scripts of several protocols."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from string import ascii_uppercase
from typing import Annotated, Any, Literal, Self

from annotated_types import Ge
from pydantic import AfterValidator, Field, StringConstraints, create_model, model_validator

from moot.engine.define.options import Option
from moot.engine.define.plain import plain_line
from moot.engine.define.protocol import Role
from moot.engine.outcome.brief import BriefReply, plain_form
from moot.engine.play.agent import Agent, flags_of
from moot.engine.play.prompt import Anonymous, Prompt
from moot.engine.play.room import Room
from moot.engine.play.structured import Failure, Shape
from moot.errors import ConfigError, KeyFault
from moot.present import Facts, Line, Lines
from moot.present.data import Data, Model
from moot.record.entry import Draft, Entry, first_data
from moot.record.payloads import Header, Member, Payload, Side
from moot.system.project import check_no_link
from moot.text import shows
from moot.text.prose import plain_words
from moot.text.yaml import read_file

COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")
SMALL_PATIENCE = 10
"""The factor by which small models are given more time: they run on this machine and share a few threads, so they are
slow."""
ANOTHER_UNIT = "another unit"
LARGEST_ESTIMATE = 1e300
"""What is larger has no quartiles that a float can hold."""
HUMAN_PATIENCE = 3600.0
"""Seconds for a person, who has to read before writing."""


def member(agent: Agent, role: str, personality: str, colour: str, side: Side | None = None) -> Member:
    """An agent as introduced in the header."""
    return Member(
        id=agent.id,
        name=agent.name,
        role=role,
        side=side,
        personality=personality,
        colour=colour,
        models=agent.cast_as,
    )


def patience(agent: Agent, seconds: float) -> float:
    """How long to wait for an agent if the config says `seconds`."""
    if any(name.startswith("human/") for name in agent.cast_as):
        return max(HUMAN_PATIENCE, seconds)
    return seconds * (SMALL_PATIENCE if agent.model.small else 1)


def parts_of(names: Sequence[str], otherwise: str, taken: Collection[str] = ()) -> list[str]:
    """A part in the script for each name: in lower case, with characters that are valid in a key, and none that is
    `taken`."""
    parts: list[str] = []
    for number, name in enumerate(names, 1):
        part = re.sub(r"\W+", "-", name.casefold()).strip("-") or otherwise
        clashes = part in parts or part.split("-")[0] in taken
        parts.append(f"{otherwise}-{number}-{part}" if clashes else part)
    return parts


class TopicConfig(Data):
    """A config with nothing but a topic, to which a protocol adds its own settings. `answer_form` is for a question
    with a right answer, and says how the answer is written: see `closing`."""

    topic: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)]
    answer_form: Annotated[str, StringConstraints(strip_whitespace=True, max_length=1000)] = ""


class TwoAnswersConfig(TopicConfig):
    """A config for a question with two answers, of which one may be known to be right."""

    one: Annotated[str, Option("First possible answer.", label="One answer", command=False)] = "Yes"
    other: Annotated[str, Option("Second possible answer.", label="The other", command=False)] = "No"
    right: Annotated[
        str | None,
        Option("Correct answer, if known.", label="Right answer", hint="if it is known: one of the two above"),
    ] = None

    @model_validator(mode="after")
    def _two_answers(self) -> Self:
        answers = [plain_words(self.one), plain_words(self.other)]
        if not all(answers) or answers[0] == answers[1]:
            raise KeyFault("other", "the two answers should be different texts")
        if self.right not in (None, self.one, self.other):
            raise KeyFault("right", f"the right answer should be one of the two: {self.one!r} or {self.other!r}")
        return self


class SeatedConfig(TopicConfig):
    """A config for participants of one kind: a topic, and how many there are, or a model for each. The `Protocol` has
    the capability `SpecialKeys(seats="models")`, so that several models on the command line are theirs."""

    models: list[str] = []
    agents: Annotated[int, Field(ge=2, le=26), Option("Number of agents.", label="Agents")] = 3

    @model_validator(mode="before")
    @classmethod
    def _seat_for_each(cls, given: Any) -> Any:
        models = given.get("models") if isinstance(given, dict) else None
        if not isinstance(models, list) or not models:
            return given
        least = next((one.ge for one in cls.model_fields["agents"].metadata if isinstance(one, Ge)), 0)
        if "agents" not in given and len(models) < int(str(least)):
            told = f"{len(models)} models are not enough: it takes {least} participants"
            raise KeyFault("agents", f"{told}; with a larger number here, models have several seats")
        return {"agents": len(models), **given}

    @model_validator(mode="after")
    def _a_seat_for_every_model(self) -> Self:
        if len(self.models) > self.agents:
            raise KeyFault("agents", f"{len(self.models)} models do not fit into {self.agents} seats")
        return self

    @property
    def seats(self) -> range:
        """The numbers of the seats, from 1."""
        return range(1, self.agents + 1)


def seated(room: Room, name: str, config: SeatedConfig, system: Callable[[int], Prompt]) -> list[Agent]:
    """The participants: `Member 1` with the id `member-1`, and so on, with the models in turn. `system` makes the
    system prompt of each from its number."""
    models = config.models
    return [
        room.agent(part.key, part.label, system(seat), models[(seat - 1) % len(models)] if models else None)
        for seat, part in zip(config.seats, seat_roles(name)(config), strict=True)
    ]


def seat_roles(name: str, *others: Role) -> Callable[[SeatedConfig], list[Role]]:
    """The `roles` of a protocol with participants of one kind, and `others`."""
    return lambda config: [*(Role(f"{name.lower()}-{seat}", f"{name} {seat}") for seat in config.seats), *others]


@dataclass(frozen=True, slots=True)
class Lettered:
    """Entries as one reader sees them: by letter, without names."""

    entries: dict[str, Draft]

    @property
    def authors(self) -> dict[str, str]:
        """Their speakers by letter."""
        return {letter: entry.speaker for letter, entry in self.entries.items()}

    @property
    def quoted(self) -> list[Anonymous]:
        """The entries for a prompt."""
        return [Anonymous(entry, f"{entry.type} {letter}") for letter, entry in self.entries.items()]

    def turned(self, places: int) -> "Lettered":
        """The same letters in an order that begins so many places later. Readers who get one turn each see every entry
        in every place equally often."""
        letters = [*self.entries]
        first = places % len(letters) if letters else 0
        return Lettered({letter: self.entries[letter] for letter in letters[first:] + letters[:first]})

    def without(self, letters: Collection[str]) -> "Lettered":
        return Lettered({letter: entry for letter, entry in self.entries.items() if letter not in letters})


def lettered(room: Room, at: str, entries: Sequence[Draft]) -> Lettered:
    """The entries under letters, in an order by lot; `quoted` is for a prompt. `at` names the place of the draw in the
    script."""
    return Lettered(dict(zip(ascii_uppercase, room.shuffled(at, entries), strict=False)))


def text_of(path: str) -> str:
    """The text of a file that the user names, for the `read` of an option; ConfigError if it is none."""
    check_no_link(Path(path))
    try:
        return read_file(Path(path)).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text (byte {error.start})") from error


def one_of(names: Sequence[str]) -> Any:
    """The type of a field of a reply that must be one of these names."""
    return Literal[tuple(names)]


def list_of(names: Sequence[str], *, every: bool = False) -> Any:
    """The type of a field of a reply that lists some of these names, or as many as there are. It has an end, since
    models repeat themselves in a list without one."""
    bounds = Field(min_length=len(names) if every else 0, max_length=len(names))
    return Annotated[list[Literal[tuple(names)]], bounds]  # type: ignore[misc]


class Reasoned(Model):
    """The beginning of a reply that gives an answer: its reasons."""

    reasons: str


class Reconsidered(Reasoned):
    """The beginning of a reply in a later round, in which agents who have read others answer again. A change of mind
    counts only with what moved the agent."""

    moved_by: str = ""


def is_explained(reply: Reasoned, before: object, after: object) -> bool:
    """Whether an answer counts, given the last one, which is None if there is none."""
    return before in (None, after) or shows(getattr(reply, "moved_by", ""))


class _Estimate(Model):
    because: str = ""
    low: float
    high: float
    estimate: float

    @model_validator(mode="after")
    def _in_range(self) -> Self:
        if not max(abs(self.low), abs(self.high)) <= LARGEST_ESTIMATE:
            raise ValueError(f"give numbers up to {LARGEST_ESTIMATE:g}")
        if not self.low <= self.estimate <= self.high:
            raise ValueError("`estimate` is not between `low` and `high`")
        return self


@lru_cache(maxsize=256)
def estimate_in(unit: str, start: type[Reasoned] = Reasoned) -> Any:
    """The type of a reply that estimates a number: the fields of `start`, then the reason in a sentence (`because`), a
    range from `low` to `high`, the `estimate` in it, and its `unit`. If a unit is given, an estimate in another is sent
    back."""

    def same(said: str) -> str:
        if said == ANOTHER_UNIT:
            raise ValueError(f"give it in {unit}")
        return said

    kind: Any = Annotated[one_of([unit, ANOTHER_UNIT]), AfterValidator(same)] if unit else str
    return create_model("Estimate", __base__=(_Estimate, start), unit=(kind, ...))


async def ask_and_emit(
    room: Room,
    agent: Agent,
    prompt: Prompt,
    at: str,
    shape: type[Shape],
    payload: Callable[..., Payload],
    text: Callable[[Shape], str],
    fields: Callable[[Shape], Mapping[str, Any]] | None = None,
    *,
    accept: Callable[[Shape], str | None] | None = None,
) -> Draft:
    """Ask for an object of that shape and emit it: the `text` of the reply, with a `payload` that takes the fields it
    has in common with the reply, and `fields` that are computed from it. If there is no usable reply, the payload has
    the `failure` instead, and the text is its reason. What is known before the reply, and so of a failure, too, belongs
    into the payload: `partial(Position, round=2)`. The type and the phase of the entry are the first part of `at`."""
    if issubclass(shape, BriefReply) and (agent.model.small or agent.is_person):
        shape = plain_form(shape)
    said = await room.ask_for(shape, agent, prompt, at, accept=accept)
    kind = at.partition("/")[0]
    if isinstance(said, Failure):
        return room.emit(kind, agent, said.reason, phase=kind, data=payload(failure=said.reason), call=said.key)
    kind_of_payload: Any = payload.func if isinstance(payload, partial) else payload
    known = said.model_dump(include=set(kind_of_payload.model_fields))
    known |= fields(said) if fields else {}
    return room.emit(kind, agent, text(said), phase=kind, data=payload(**known), call=agent.key(at))


def is_reply(entry: Draft | Entry) -> bool:
    """Whether an entry is what an agent said, and not the `failure` that `ask_and_emit` has put in its place: nobody
    may take the reason of a failure for somebody's words."""
    return getattr(entry.data, "failure", None) is None


def lines_by_type(make: Mapping[str, Callable[[Any, int], Line]]) -> Callable[[], Lines]:
    """The `lines` of a protocol: for each of these types of entry, a function from its payload and its number among
    those of its type. A line without a `group`, and a failure, stays below the heading of the line before."""

    def lines() -> Lines:
        counts, group = Counter[str](), ""

        def line(entry: Entry) -> Line | None:
            nonlocal group
            if entry.outside or entry.type not in make:
                return None
            counts[entry.type] += 1
            made = make[entry.type](entry.data, counts[entry.type]) if is_reply(entry) else plain_line(entry)
            group = made.group or group
            return replace(made, group=group)

        return line

    return lines


def says(label: str, group: str = "", facts: Mapping[str, str] | None = None) -> Line:
    """The line of a statement, below the heading `group`, with facts below its text."""
    return Line("statement", label, body=[Facts([*facts.items()])] if facts else (), group=group)


def detail_of(entries: Sequence[Entry], name: str) -> str | None:
    """One of the details that `introduce` wrote into the header; None if it has none of that name."""
    header = first_data(entries, Header)
    return header.details.get(name) if header else None


async def introduce(
    room: Room,
    protocol: str,
    topic: str,
    agents: Sequence[Agent],
    *,
    role: str | Mapping[str, str] = "debater",
    judge: Agent | None = None,
    personalities: Mapping[str, str] | None = None,
    details: Mapping[str, str | None] | None = None,
    colours: Sequence[str] = COLOURS,
) -> Draft:
    """Check that all agents can answer, and write the header: the topic and the cast.

    `role` is the role of the agents as shown to readers, for all of them or by agent id; batches count the wins of
    debaters and proposers. `judge` is the agent that decides; a flag warns if it is of the model family of some
    of them, but not all. `details` are shown below the topic, except those that are None. `colours` are those of the
    agents, in order.
    """
    await room.ready(*agents)
    cast = [
        member(
            agent,
            "judge" if agent is judge else role if isinstance(role, str) else role.get(agent.id, "debater"),
            (personalities or {}).get(agent.id, ""),
            colours[place % len(colours)],
        )
        for place, agent in enumerate(agents)
    ]
    flags = room.flags(lambda: flags_of(agents, judge))
    told = {name: value for name, value in (details or {}).items() if value is not None}
    header = Header(protocol=protocol, topic=topic, details=told, cast=cast, flags=flags)
    return room.emit("header", "moot", topic, phase="setup", data=header)
