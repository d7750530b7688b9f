"""The config of an arena: the task, the cast and the rules. The shipped cast is data."""

import math
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationInfo, model_validator

from moot.api import ConfigError, KeyFault, Option, Role, is_frozen, voting_rules
from moot.api.capabilities import Separated
from moot.protocols.arena.payloads import ArenaVerdict
from moot.protocols.personas import CastMember, Text, check_names, defaults_of
from moot.text.prose import plural
from moot.voting.rules import RULES

PHASES = (
    "setup",
    "proposals",
    "critique",
    "revision",
    "refinement",
    "voting",
    "judgement",
    "extension",
    "outcome",
)
FIRST_REVISION = 3
MOST_AGENTS = 26
"""One for each letter of a blind label."""
MOST_JUDGES = 9
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Criterion = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_ ]{0,29}$")]


class Member(CastMember):
    personality: Text = "You think for yourself, say what you would do, and give the reasons it rests on."


class Proposer(Member):
    """`weight` is used by the rule `weighted`."""

    weight: Annotated[Decimal, Field(ge=0, le=1000, max_digits=20)] = Decimal(1)


class ArenaConfig(BaseModel):
    """Rounds 0 to 8 with three `revision_rounds`; otherwise the later rounds are renumbered.

    `critique` is who criticises whom: all the others, or the next in the ring. Without a
    `convergence_threshold`, the one measured for the embedding backend is used. `selection` is why these agents were
    chosen from a pool. `answer_form` is for a question with a right answer, and says how the answer is written.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    topic: Text
    agents: Annotated[
        list[Proposer],
        Field(min_length=2, max_length=MOST_AGENTS),
        Option(
            "Number of built-in agents.",
            kind="whole",
            metavar="N",
            default=3,
            least=2,
            most=MOST_AGENTS,
            label="Agents",
            hint="roles beyond that number stay empty",
        ),
    ]
    judges: Annotated[
        list[Member],
        Field(min_length=1, max_length=MOST_JUDGES),
        Option("Number of judges.", kind="whole", metavar="N", default=1, least=1, most=MOST_JUDGES),
    ]
    trickster: Annotated[Member | None, Option("Challenge agreement that rests on little evidence.", kind="switch")] = (
        None
    )
    observer: Annotated[Member | None, Option("Add an observer who notes fallacies and tactics.", kind="switch")] = None
    answer_form: Text | None = None
    revision_rounds: Annotated[
        int,
        Field(ge=1, le=20),
        Option("Rounds of revision before the final one.", metavar="N", short="rounds", label="Rounds of revision"),
    ] = 3
    words: Annotated[
        int,
        Field(ge=10, le=5000),
        Option("Maximum words per proposal.", metavar="N", label="Words", hint="of each proposal, at most"),
    ] = 250
    critique: Annotated[
        Literal["all", "ring"],
        Option(
            "Which proposals each agent criticises: all, or the next agent's (ring).",
            metavar="WHOM",
            label="Who criticises whom",
        ),
    ] = "all"
    vote: Annotated[
        str,
        Option("Voting rule: {choices}.", kind="choice", metavar="RULE", label="Rule for the vote", known=voting_rules),
    ] = "majority"
    vote_threshold: Annotated[Decimal | None, Field(gt=0, le=1, max_digits=20)] = None
    self_votes: Annotated[bool, Option("Whether agents may vote for their own proposals.", kind="switch")] = False
    criteria: Annotated[dict[Criterion, Text], Field(min_length=1, max_length=9)]
    convergence_threshold: Share | None = None
    convergence_agreement: Share = 1.0
    early_stop_confidence: Share = 0.8
    max_extra_rounds: Annotated[int, Field(ge=0, le=10)] = 2
    pass_mark: Annotated[float, Field(ge=0, le=10)] = 4.0
    patience: float = Field(600.0, gt=0, allow_inf_nan=False)
    check_sources: Annotated[bool, Option("Check on the web that cited URLs exist.")] = False
    require: Annotated[
        list[ArenaVerdict],
        Separated,
        Option("Exit with code 100 on any other verdict; comma-separated.", metavar="VERDICT"),
    ] = []
    selection: list[Text] | None = None

    @property
    def quorum(self) -> int:
        return max(2, math.ceil(len(self.agents) / 2))

    def is_own_barred(self, proposals: int) -> bool:
        """Whether nobody may vote for its own of so many proposals. Of two, that would leave no choice."""
        return not self.self_votes and proposals > 2

    @property
    def refinement(self) -> int:
        """The number of the refinement round; voting and judgement follow it."""
        return FIRST_REVISION + self.revision_rounds

    @property
    def first_chosen(self) -> str | list[str] | None:
        """The model of the first agent for which one was chosen, people excluded. Judges and watchers without a
        model use it too, because the embedded model could not follow such agents."""
        for agent in self.agents:
            models = [agent.model] if isinstance(agent.model, str) else agent.model or []
            if models and not models[0].startswith("human"):
                return agent.model
        return None

    @property
    def cast(self) -> list[Member]:
        return [member for _, member in self._places()]

    def _places(self) -> Iterator[tuple[str, Member]]:
        """Every member of the cast with the config key of its name."""
        for key, members in (("agents", self.agents), ("judges", self.judges)):
            yield from ((f"{key}.{place}.name", member) for place, member in enumerate(members))
        for key, member in (("trickster", self.trickster), ("observer", self.observer)):
            if member:
                yield f"{key}.name", member

    @model_validator(mode="after")
    def _sound(self, info: ValidationInfo) -> Self:
        check_names(self._places())
        if not is_frozen(info) and RULES.get(self.vote) is None and self.vote not in (known := voting_rules()):
            raise KeyFault("vote", f"there is no rule {self.vote!r} for the vote; there are {', '.join(known)}")
        rule = RULES.get(self.vote)
        if self.vote_threshold is not None and rule is not None and not rule.of_all:
            raise KeyFault("vote_threshold", f"the rule {self.vote!r} counts no shares, so it has no threshold")
        if self.vote == "weighted" and not any(agent.weight for agent in self.agents):
            raise KeyFault("agents", "under the rule `weighted` somebody must have a weight above 0")
        return self


def complete(given: Mapping[str, Any], *, from_file: bool) -> dict[str, Any]:  # noqa: ARG001 (one of several)
    """The config with defaults from the shipped cast. `agents` may be a number, a shipped agent needs only its name,
    `judge` is short for a list with one judge, and `true` stands for the shipped Trickster or observer."""
    shipped, config = defaults_of("arena"), dict(given)
    if "judge" in config and "judges" not in config:
        config["judges"] = [config.pop("judge")]
    config = {"agents": shipped["usual"], "judges": shipped["judges"], "criteria": shipped["criteria"], **config}
    agents = config["agents"]
    if isinstance(agents, int) and 2 <= agents <= len(shipped["agents"]):
        config["agents"] = shipped["agents"][:agents]
    elif isinstance(agents, int):
        config["agents"] = [
            *shipped["agents"],
            *({"name": f"Agent {n}"} for n in range(8, min(agents, MOST_AGENTS + 1) + 1)),
        ][:agents]
    elif isinstance(agents, Sequence) and not isinstance(agents, str):
        config["agents"] = [_known(agent, shipped["agents"]) for agent in agents]
    if isinstance(judges := config["judges"], int):
        config["judges"] = _judges(shipped["judges"], min(judges, MOST_JUDGES + 1))
    for role in ("trickster", "observer"):
        if config.get(role) is True:
            config[role] = shipped[role]
        elif config.get(role) is False:
            config[role] = None
    return config


def _judges(shipped: Sequence[Mapping[str, Any]], count: int) -> list[Mapping[str, Any]]:
    """That many judges; only the first has a name of its own."""
    more = ({**shipped[0], "name": f"Judge {number}"} for number in range(len(shipped) + 1, count + 1))
    return [*shipped, *more][:count]


def _known(agent: Any, shipped: Sequence[Mapping[str, Any]]) -> Any:
    """The agent, completed from the shipped agent of the same name."""
    if not isinstance(agent, Mapping):
        return agent
    return {**next((one for one in shipped if one["name"] == agent.get("name")), {}), **agent}


def roles(config: ArenaConfig | None) -> list[Role]:
    """The parts of this config; without one, those of the shipped cast."""
    if config is None:
        everybody = {"topic": "any", "agents": len(defaults_of("arena")["agents"])}
        config = ArenaConfig.model_validate(complete(everybody, from_file=False))
    judging = zip(judge_parts(len(config.judges)), config.judges, strict=True)
    watching = {"trickster": config.trickster, "observer": config.observer}
    return [
        *(Role(one.name, one.name, one.name, one.model) for one in config.agents),
        *(Role(key, key.replace("-", " ").capitalize(), one.name, one.model, debates=False) for key, one in judging),
        *(Role(key, key.capitalize(), one.name, one.model, debates=False) for key, one in watching.items() if one),
    ]


def judge_parts(count: int) -> list[str]:
    """The part names of that many judges."""
    return ["judge" if number == 1 else f"judge-{number}" for number in range(1, count + 1)]


def _agents_named(pairs: Sequence[str]) -> Mapping[str, Any]:
    """Agents and their models, from NAME=MODEL; a repeated name adds a fallback."""
    models: dict[str, list[str]] = {}
    for pair in pairs:
        name, model = (part.strip() for part in (*pair.split("=", 1), "")[:2])
        if not (name and model):
            raise ConfigError(f"--agent needs NAME=MODEL, not {pair!r}", key="agents")
        models.setdefault(name, []).append(model)
    if len(models) == 1:
        raise ConfigError(f"an arena takes at least two agents, and {pairs[0]} is one; give it again", key="agents")
    return {"agents": [{"name": name, "model": several} for name, several in models.items()]}


AGENT = Option(
    "Your own agent and its model. Repeat a name to add a fallback.",
    "agent",
    metavar="NAME=MODEL",
    many=True,
    variable=False,
    read=_agents_named,
)


def unplanned(config: ArenaConfig) -> str:
    """What an arena may take on top of its plan."""
    if not config.max_extra_rounds:
        return ""
    rounds = plural(config.max_extra_rounds, "further round")
    return f"Where neither vote nor judges settle it, up to {rounds} come on top."
