"""The cast of an arena: the agents, their patience, and the quorum of a round."""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from moot.api import (
    Agent,
    Draft,
    Failure,
    Header,
    Prompt,
    Prose,
    Room,
    Shape,
    Task,
    flags_of,
    member,
    parts_of,
    patience,
    published,
)
from moot.api import Member as Introduced
from moot.protocols.arena import prompts
from moot.protocols.arena.config import ArenaConfig, Member, Proposer, judge_parts
from moot.protocols.arena.evidence_quality import Known
from moot.protocols.arena.payloads import ArenaProposal, ArenaRules, RoundOpened
from moot.protocols.quorum import stop_once
from moot.text.figures import bound_percent
from moot.text.prose import plural

if TYPE_CHECKING:
    from moot.protocols.arena.sources import Library

COLOURS = ("cyan", "magenta", "green", "blue", "red")


@dataclass(slots=True, eq=False)
class Seat:
    """A proposer and the versions of its proposal, in the order it made them."""

    agent: Agent
    member: Proposer
    versions: list[Draft] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.agent.name

    @property
    def proposal(self) -> Draft:
        return self.versions[-1]

    @property
    def decision(self) -> str:
        return decision_in(self.proposal)


@dataclass(slots=True, eq=False)
class Arena:
    """The cast and the state of the debate. `targets` are the agents that each one criticises and then sees,
    `critiques` those of each agent's proposal, and `called` is how the others know it: "agent 2". `votes` and
    `readings` are from the last vote and judgement. `hollow`: at the last measurement the proposals were very similar
    on thin evidence. `library` looks up sources."""

    room: Room
    config: ArenaConfig
    seats: list[Seat]
    judges: dict[str, Member]
    trickster: Agent | None
    targets: dict[str, list[str]] = field(default_factory=dict)
    critiques: dict[str, list[Draft]] = field(default_factory=dict)
    differences: list[Draft] = field(default_factory=list)
    challenge: Draft | None = None
    challenges: int = 0
    hollow: bool = False
    votes: list[Draft] = field(default_factory=list)
    readings: list[Draft] = field(default_factory=list)
    watching: list[Task[None]] = field(default_factory=list)
    library: "Library | None" = None
    called: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.called = {seat.name: f"agent {place}" for place, seat in enumerate(self.seats, 1)}

    @property
    def known(self) -> Known:
        """What is known of the sources of the proposals."""
        given = {f"D{number}" for number, document in enumerate(self.room.documents, 1) if document.is_fact}
        sources = self.library.sources.items() if self.library else ()
        return Known(given | published.get().keys(), {url: source.found for url, source in sources})

    async def check_sources(self, number: int, phase: str) -> None:
        """Look up the addresses that the proposals cite, if the config asks for it."""
        if self.library is not None:
            await self.library.check(self, number, phase)

    @property
    def proposing(self) -> list[Seat]:
        """The agents that have a proposal."""
        return [seat for seat in self.seats if seat.versions]

    def patience(self, agent: Agent) -> float:
        """How many seconds to wait for an agent."""
        return patience(agent, self.config.patience)

    async def ask(
        self,
        seat: Seat,
        shape: type[Shape],
        prompt: Prompt,
        at: str,
        place: str | None = None,
        prose: Prose | None = None,
        words: Callable[[Shape], str] = str,
    ) -> tuple[Shape | Failure, str]:
        """Ask an agent without memory, and return its answer and the key of the call: a request has all that it needs,
        so that it does not grow, and a voter cannot remember whose a proposal was. The agent keeps the model it last
        used. With a `place` it is another agent by that name, which can be asked at the same time."""
        agent = seat.agent.fresh(place)
        patience = self.patience(agent)
        found = await self.room.ask_for(shape, agent, prompt, at, patience=patience, prose=prose, words=words)
        seat.agent.adopt_model_of(agent)
        return found, agent.key(at)

    def judge(self, part: str, number: int, reading: int) -> Agent:
        """A judge for one reading, without memory of other readings."""
        return _aside(self.room, self.config, f"{part}@{number}-{reading}", self.judges[part])

    def observer(self, number: int) -> Agent | None:
        member = self.config.observer
        return _aside(self.room, self.config, f"observer@{number}", member) if member else None

    def open_round(self, number: int, phase: str, asked: Sequence[str]) -> None:
        data = RoundOpened(number=number, name=phase, asked=list(asked))
        self.room.emit("round", "moot", f"Round {number}: {phase}", phase=phase, to=[], data=data)


async def open_arena(room: Room, config: ArenaConfig) -> Arena:
    """Create the agents, check their models, and write the header and the rules."""
    judges = dict(zip(judge_parts(len(config.judges)), config.judges, strict=True))
    parts = parts_of([one.name for one in config.agents], "agent", ("judge", "trickster", "observer"))
    seats = [
        Seat(room.agent(part, one.name, _frame(config), one.model), one)
        for part, one in zip(parts, config.agents, strict=True)
    ]
    trickster = _aside(room, config, "trickster", config.trickster) if config.trickster else None
    arena = Arena(room, config, seats, judges, trickster)
    agents = [seat.agent for seat in seats]
    judging = [_aside(room, config, part, one) for part, one in judges.items()]
    others = [trickster] if trickster else []
    if config.observer:
        others.append(_aside(room, config, "observer", config.observer))
    cast = [_introduced(seat.agent, "proposer", seat.member, index) for index, seat in enumerate(seats)]
    cast += [_introduced(agent, "judge", one, 0, "yellow") for agent, one in zip(judging, config.judges, strict=True)]
    members = [one for one in (config.trickster, config.observer) if one]
    cast += [_introduced(agent, agent.id, one, 0, "neutral") for agent, one in zip(others, members, strict=True)]
    await room.ready(*agents, *judging, *others)
    flags = room.flags(lambda: list(dict.fromkeys(flag for one in judging for flag in flags_of([*agents, one], one))))
    header = Header(protocol="arena", topic=config.topic, cast=cast, flags=flags)
    room.emit("header", "moot", config.topic, phase="setup", data=header)
    room.emit("rules", "moot", _rules_text(config), phase="setup", to=[], data=_rules(config))
    return arena


async def everybody(
    arena: Arena,
    number: int,
    seats: Sequence[Seat],
    work: Callable[[Seat, str], Coroutine[Any, Any, Draft]],
) -> list[Draft]:
    """Run one round for these agents in parallel. Below the quorum the debate stops; after a resume the failed agents
    are asked again. `work` gets a suffix for the call's key."""
    given: dict[str, Draft] = {}
    missing = list(seats)
    for attempt in count(1):
        again = f"/again/{attempt}" if attempt > 1 else ""
        drafts = await arena.room.together(*(work(seat, again) for seat in missing))
        given |= dict(zip((seat.name for seat in missing), drafts, strict=True))
        missing = [seat for seat in seats if failed(given[seat.name])]
        answered = len(seats) - len(missing)
        if answered >= arena.config.quorum:
            break
        names = [seat.name for seat in missing]
        needed = f"{arena.config.quorum} are needed to go on"
        stop_once(arena.room, f"{number}/{attempt}", f"round {number}", names, answered, needed)
    return [given[seat.name] for seat in seats]


def failed(draft: Draft) -> bool:
    return getattr(draft.data, "failure", None) is not None


def decision_in(draft: Draft) -> str:
    return (draft.data.decision or "") if isinstance(draft.data, ArenaProposal) else ""


def _frame(config: ArenaConfig) -> Prompt:
    """The system prompt: the same for all, so that their requests begin alike."""
    return prompts.FRAME(
        agents=len(config.agents),
        revisions=revisions(config),
        rule=vote_in_words(config),
        judges="a judge who made no proposal scores"
        if len(config.judges) == 1
        else f"{len(config.judges)} judges who made no proposal score",
        extra=f" Where they do not, there are up to {plural(config.max_extra_rounds, 'round')} more."
        if config.max_extra_rounds
        else "",
    )


def revisions(config: ArenaConfig) -> str:
    return f"{plural(config.revision_rounds, 'round', 'rounds')} of revision and a last pass"


def vote_in_words(config: ArenaConfig) -> str:
    whom = "the other agents" if config.is_own_barred(len(config.agents)) else "all agents"
    needed = {
        "majority": f"more than half of {whom}",
        "supermajority": f"two thirds of {whom}",
        "unanimous": f"the votes of {whom}",
        "weighted": f"more than half of the weight of {whom}",
    }.get(config.vote)
    if config.vote_threshold is not None:
        needed = f"{bound_percent(float(config.vote_threshold))} % of {whom}"
    how = f"a proposal needs {needed}" if needed else f"they rank the proposals, counted by {config.vote}"
    return f"all agents vote; {how}."


def _aside(room: Room, config: ArenaConfig, part: str, member: Member) -> Agent:
    """An agent that proposes nothing."""
    return room.agent(part, member.name, _frame(config), member.model, otherwise=config.first_chosen)


def _introduced(agent: Agent, role: str, seated: Member, index: int, colour: str | None = None) -> Introduced:
    return member(agent, role, seated.personality, seated.colour or colour or COLOURS[index % len(COLOURS)])


def _rules(config: ArenaConfig) -> ArenaRules:
    return ArenaRules(
        vote=config.vote,
        vote_threshold=None if config.vote_threshold is None else str(config.vote_threshold),
        self_votes=config.self_votes,
        quorum=config.quorum,
        criteria=dict(config.criteria),
        threshold=config.convergence_threshold,
        agreement=config.convergence_agreement,
        early_stop_confidence=config.early_stop_confidence,
        pass_mark=config.pass_mark,
        max_extra_rounds=config.max_extra_rounds,
        weights={agent.name: str(agent.weight) for agent in config.agents},
        require=list(config.require),
    )


def _rules_text(config: ArenaConfig) -> str:
    judges = "a judge" if len(config.judges) == 1 else f"{len(config.judges)} judges"
    text = f"{len(config.agents)} agents; decided by {config.vote} and {judges}."
    if not config.selection:
        return text
    return "\n".join([text, "", "How they were chosen:", "", *(f"- {line}" for line in config.selection)])
