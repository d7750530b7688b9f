"""Planning: estimates the cost of a debate by playing its script with invented replies."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from moot.engine.define.capabilities import Unplanned
from moot.engine.define.config import RunConfig
from moot.engine.play.agent import Agent, part_of
from moot.engine.play.calls import TOKENS_OF_IMAGE, Caller, PlannedCall
from moot.engine.play.casting import Casting
from moot.engine.play.limits import token_bound
from moot.engine.play.room import Room
from moot.engine.play.structured import Shape, instance_of, json_schema
from moot.engine.sources.context import Context
from moot.engine.sources.lookups import LOOK
from moot.engine.sources.source_flags import WHY_NOBODY, document_flags
from moot.engine.staging.opening import setup_of
from moot.engine.staging.replay import RecordedModel
from moot.errors import ConfigError, NotIntroduced, NotReady
from moot.models.prices import Price, worst_cost
from moot.models.registry import check_name, known_window, may_see
from moot.present.data import Model
from moot.record.entry import Draft, now
from moot.record.journal import Journal, Record
from moot.record.payloads import Header

TOOLS = "tools"
"""The key of an error about them."""
TYPICAL_REPLY_TOKENS = 250
TYPICAL_SMALL_REPLY_TOKENS = 60
MARK = "\N{HEXAGRAM FOR THE CREATIVE HEAVEN}"
"""Replaces the rest of a long invented reply, which is counted but not written."""


class Estimate(Model):
    """Tokens and dollars; the price is null if one of the models has an unknown price."""

    input: int
    output: int
    cost: float | None

    @classmethod
    def sum(cls, several: "Sequence[Estimate]") -> "Estimate":
        """That of several debates."""
        costs = [estimate.cost for estimate in several if estimate.cost is not None]
        return cls(
            input=sum(estimate.input for estimate in several),
            output=sum(estimate.output for estimate in several),
            cost=round(sum(costs), 6) if len(costs) == len(several) else None,
        )


class Plan(Model):
    """Calls are exact if no reply has to be repeated and nothing comes `on_top`; they are `at_most` so many if the
    debate may end early. `typical` assumes replies of ordinary length, `bound` replies of maximal length and no cached
    input. `models` are the cast that a debate with this `seed` has. `not_ready` is what such a debate would be refused
    for, such as a missing key."""

    protocol: str
    seed: int
    calls: int
    longest_chain: int
    models: dict[str, list[str]]
    not_ready: list[str]
    typical: Estimate
    bound: Estimate
    at_most: bool = False
    on_top: str = ""
    """What such a debate may ask on top, as a sentence."""
    lookups: int = 0
    """The most lookups that there may be. The calls count that agents are asked once before each step, and want
    nothing; every further question comes on top, at most one for each lookup."""
    documents: str = ""
    """The documents that everybody is given, in a line."""
    notes: list[str] = []
    """What was not read of the documents, what will not be shown of them, and that nobody could use the tools."""


async def plan(config: RunConfig, *, check: Callable[[str], None] = check_name) -> Plan:
    """Estimate the cost of this debate. Calls no model and writes no file.

    `check` raises an error for the name of a model that cannot be used. NotReady becomes a part of the plan, because
    the cost of a debate is known before there is a key.
    """
    stage, prices = Stage(check), config.options.prices
    unplanned = config.protocol.get(Unplanned)
    typical, bound = Rehearsal(None, prices), Rehearsal(config.options.max_reply_tokens, prices)
    chain = await rehearse(config, typical, stage)
    _check_tool_roles(config, typical)
    await rehearse(config, bound, stage)
    context = Context.of(config.options.documents)
    return Plan(
        protocol=config.protocol.name,
        seed=config.seed,
        calls=typical.calls,
        longest_chain=chain,
        models=typical.models,
        not_ready=stage.not_ready,
        at_most=typical.has_early_end and unplanned is None,
        typical=typical.estimate(),
        bound=bound.estimate(),
        on_top=unplanned.describe(config.debate) if unplanned else "",
        lookups=config.options.max_lookups if typical.asked else 0,
        documents=context.describe() if context else "",
        notes=_notes(config, context, typical),
    )


def _check_tool_roles(config: RunConfig, rehearsal: "Rehearsal") -> None:
    """ConfigError if a role is given a tool, and is never asked what to look up."""
    for tool, roles in config.options.tools.items():
        for role in roles:
            if role.casefold() not in rehearsal.asked:
                raise ConfigError(
                    f"the tool {tool!r} is not for {role}, who is never asked what to look up here: {WHY_NOBODY}", TOOLS
                )


def _notes(config: RunConfig, context: Context | None, rehearsal: "Rehearsal") -> list[str]:
    given = {one.document: one for _, one in context.given()} if context else {}
    notes = [flag.text for flag in document_flags(given, rehearsal.facts, rehearsal.names)]
    if config.options.tools and not rehearsal.asked:
        notes.append(f"Nobody would be asked what to look up: {WHY_NOBODY}.")
    return notes


@dataclass(slots=True)
class Stage:
    """Opens placeholder models, which are never asked but have valid names, and notes which are not ready."""

    check: Callable[[str], None]
    opened: dict[str, RecordedModel] = field(default_factory=dict)
    not_ready: list[str] = field(default_factory=list)

    def __call__(self, name: str) -> RecordedModel:
        if name not in self.opened:
            check_name(name)
            try:
                self.check(name)
            except NotReady as error:
                self.not_ready.append(str(error))
            model, window = RecordedModel.by_name(name), known_window(name)
            self.opened[name] = replace(model, context_window=window, takes_images=may_see(name))
        return self.opened[name]


async def rehearse(config: RunConfig, rehearsal: "Rehearsal", stage: Stage) -> int:
    """Play the script of a debate with invented replies, and return how many calls wait for each other."""
    journal = Journal(None)
    setup, casting = (
        setup_of(config, journal, rehearsal=True),
        Casting(stage, config.options.model, config.options.roles),
    )
    room = Room(setup, write=rehearsal.write, journal=journal, caller=rehearsal, casting=casting)
    await room.play(config.script(room))
    rehearsal.has_early_end = room.has_early_end and not room.full
    rehearsal.facts = list(journal.facts.values())
    _check_introduced(config.protocol.name, rehearsal.header)
    return room.longest_chain


def _check_introduced(protocol: str, header: Header | None) -> None:
    """NotIntroduced if the log would not name the topic, the cast and the rules."""
    if header is None:
        raise NotIntroduced(
            f"the script of {protocol} introduces nobody, so that its debates could not be read: "
            f'await introduce(room, "{protocol}", topic, agents) before it asks anything'
        )
    if header.protocol != protocol:
        raise NotIntroduced(
            f"the script of {protocol} introduces itself as {header.protocol!r}: give `introduce` the name {protocol!r}"
        )


@dataclass(slots=True)
class Rehearsal(Caller):
    """A caller that invents replies of a certain length, and counts."""

    reply_tokens: int | None
    prices: Mapping[str, Price]
    calls: int = 0
    input: int = 0
    output: int = 0
    costs: list[float | None] = field(default_factory=list)
    models: dict[str, list[str]] = field(default_factory=dict)
    header: Header | None = None
    beyond: int = 0
    """The bytes that a mark replaces."""
    asked: set[str] = field(default_factory=set)
    """The parts and names, in lower case, of the agents that were asked what to look up."""
    facts: list[Record] = field(default_factory=list)
    has_early_end: bool = False

    @property
    def names(self) -> dict[str, str]:
        """The names of the cast, by part."""
        return {member.id: member.name for member in self.header.cast} if self.header else {}

    def write(self, draft: Draft) -> None:
        """Number a draft; a rehearsal writes nothing."""
        draft.number = 1
        if self.header is None and isinstance(draft.data, Header):
            self.header = draft.data

    async def ready(self, agents: Sequence[Agent]) -> None:
        self.models = {agent.name: agent.cast_as for agent in agents}

    async def pay(self, question: PlannedCall) -> Record:
        model = question.agent.model
        typical = TYPICAL_SMALL_REPLY_TOKENS if model.small else TYPICAL_REPLY_TOKENS
        output = self.reply_tokens or typical
        words = "yes " * (min(output, TYPICAL_REPLY_TOKENS) * 3 // 4)
        longer = output > TYPICAL_REPLY_TOKENS
        if longer:
            self.beyond = 4 * (output * 3 // 4) - len((words + MARK).encode())
        said = question.messages(model.small)
        # Each mark counts as the text that it replaces.
        read = sum(token_bound([one]) - (-one.content.count(MARK) * self.beyond // 3) for one in said)
        read += token_bound([], question.schema) + TOKENS_OF_IMAGE * len(question.agent.images)
        self.calls += 1
        if LOOK in question.key.split("/"):
            self.asked |= {part_of(question.agent.id).casefold(), question.agent.name.casefold()}
        self.input += read
        self.output += output
        self.costs.append(worst_cost(model.name, read, output, self.prices))
        reply = words + MARK * longer
        if question.schema:  # different from all others: a script may ask for less if two replies are the same
            reply = json.dumps(instance_of(question.schema)).replace('"text"', json.dumps(f"text {question.key}"))
        return question.answered(model.name, small=model.small, reply=reply, started=now())

    async def learn(self, shape: type[Shape], key: str, find: Callable[[], Awaitable[Shape]]) -> Shape:  # noqa: ARG002
        return shape.model_validate(instance_of(json_schema(shape)))

    def estimate(self) -> Estimate:
        known = [cost for cost in self.costs if cost is not None]
        cost = round(sum(known), 6) if len(known) == len(self.costs) else None
        return Estimate(input=self.input, output=self.output, cost=cost)
