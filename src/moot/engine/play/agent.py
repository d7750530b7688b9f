"""Agent: a name, its models, and its history.

An agent sees only its system prompt and the exchanges it took part in.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import attrgetter

from moot.engine.play.language import Language
from moot.engine.play.prompt import Prompt, joined
from moot.models.base import Image, Message, Model
from moot.models.families import kinship
from moot.models.sizes import is_small, parameters_in_words, parameters_of
from moot.present import Flag
from moot.record.payloads import REHEARSAL

SMALL_MODEL = "small_model"
"""The code of the flag for a cast with a small model, which can debate, but not well."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One prompt and its reply; `key` names the call."""

    key: str
    prompt: Message
    reply: Message


_MESSAGES = attrgetter("prompt", "reply")


@dataclass(slots=True, eq=False)
class Agent:
    """`id` is the agent's role in the script (`A`, `judge`), `name` is how others address it.

    `models` are tried in order. `cast_as` are their names in the original setup, `cast_by` is the config key that chose
    them, if it is an option. `current` is the model in use; `spoke_through` is the model of the last reply, and `small`
    whether that is a small one. `busy` is the key of the call in progress,
    `last_system` the system prompt as last sent, `patience` the number of seconds to wait for each answer, if that
    is limited, `images` are what it sees besides its prompts, and the first `shared` characters of its system
    prompt are those of all others. The system prompt ends with the rule of the `language`.
    """

    id: str
    name: str
    system: Prompt
    models: tuple[Model, ...]
    cast_as: list[str]
    cast_by: str | None = None
    current: int = 0
    history: list[Exchange] = field(default_factory=list)
    busy: str | None = None
    last_system: Message | None = None
    spoke_through: str | None = None
    small: bool = False
    patience: float | None = None
    images: tuple[Image, ...] = ()
    shared: int = 0
    language: Language | None = None
    _systems: dict[bool, Message] = field(default_factory=dict)

    @property
    def model(self) -> Model:
        return self.models[self.current]

    def fresh(self, at: str | None = None) -> "Agent":
        """The same agent without memory: what it is asked costs little and is not part of later conversations. With
        `at` it has another id and can be asked at the same time."""
        return Agent(
            f"{self.id}@{at}" if at else self.id,
            self.name,
            self.system,
            self.models,
            self.cast_as,
            self.cast_by,
            self.current,
            spoke_through=self.spoke_through,
            small=self.small,
            images=self.images,
            shared=self.shared,
            language=self.language,
        )

    def adopt_model_of(self, other: "Agent") -> None:
        """Continue with the last model of the other agent, which is the same agent elsewhere in the script."""
        self.current, self.spoke_through, self.small = other.current, other.spoke_through, other.small

    @property
    def is_person(self) -> bool:
        """Whether a person is asked first."""
        return self.cast_as[0].startswith("human/")

    def key(self, at: str) -> str:
        """The key of a call at this point of the agent's script."""
        return f"{self.id}/{at}"

    def tell(self, system: Prompt) -> None:
        """Replace the system prompt from the next request on."""
        self.system = system
        self._systems.clear()

    def instruct(self, system: Prompt) -> None:
        """Give the agent its instructions, before it is asked anything. The documents before them stay."""
        self.tell(replace(system, before=self.system.before))

    def conversation(self, *, small: bool) -> list[Message]:
        """All messages to and from the agent, in order."""
        if small not in self._systems:
            text = self.system.text(self.name, small=small)
            rule = self.language.rule(small=small) if self.language else ""
            self._systems[small] = Message("system", joined(text, rule, small=small))
        return [self._systems[small], *chain.from_iterable(map(_MESSAGES, self.history))]


def part_of(agent: str | None) -> str:
    """The role in the script of the agent with that id. A role that is played several times, each time without memory,
    has the place after an @."""
    return (agent or "").partition("@")[0]


def flags_of(agents: Sequence[Agent], judge: Agent | None) -> list[Flag]:
    """What readers of the outcome should know about these agents."""
    flags = []
    if any(name.startswith("scripted/") for agent in agents for name in agent.cast_as):
        text = "Replies come from a script, not from a model."
        flags.append(Flag(code="scripted_replies", text=text, severity="note"))
    if any(agent.model.small for agent in agents):
        text = "A rehearsal: a very small model shows how a debate runs. It cannot judge, so there is no verdict."
        flags.append(Flag(code=REHEARSAL, text=text))
    flags += _small_models(agents)
    if judge is not None:
        flags += kinship(judge.cast_as, [agent.cast_as for agent in agents if agent is not judge])
    return flags


def _small_models(agents: Sequence[Agent]) -> list[Flag]:
    """A flag for each model that is known to be small, except for demonstration models."""
    names = dict.fromkeys(model.name for agent in agents for model in agent.models if not model.small)
    return [
        Flag(
            code=SMALL_MODEL,
            text=f"{name} is a small model ({parameters_in_words(found)}): such models forget which side they are on, "
            "and judge by chance. Read what was said before you rely on the outcome.",
        )
        for name in names
        if is_small(name) and (found := parameters_of(name))
    ]
