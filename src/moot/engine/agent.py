"""Agent: a name, the models it speaks through, and its own history.

What an agent sees is its system prompt and the exchanges it took part in, and nothing else exists to be seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from moot.engine.prompt import Prompt
from moot.models.base import Message, Model
from moot.models.registry import family
from moot.models.weights import SHIPPED_MODEL
from moot.present import Flag
from moot.record.journal import GrowingHash


@dataclass(frozen=True, slots=True)
class Exchange:
    """One prompt and the reply to it; `key` names the call."""

    key: str
    prompt: Message
    reply: Message


@dataclass(slots=True, eq=False)
class Agent:
    """`id` is its part in the script (`A`, `judge`), `name` what the others call it.

    `models` are tried in order, `cast_as` are their names as the run was set up, `cast_by` is the key of the config
    that chose them, where that is an option; `current` is the one it speaks through now, `spoke_through` the one that
    gave its last reply. `busy` is the key of the call it is answering, `told` the system prompt as it was last sent.
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
    told: Message | None = None
    request_hash: GrowingHash = field(default_factory=GrowingHash)
    spoke_through: str | None = None
    _systems: dict[bool, Message] = field(default_factory=dict)

    @property
    def model(self) -> Model:
        return self.models[self.current]

    def key(self, at: str) -> str:
        """The key of a call at that place in its part of the script."""
        return f"{self.id}/{at}"

    def conversation(self, *, small: bool) -> list[Message]:
        """All it has been sent and has replied, in order."""
        if small not in self._systems:
            self._systems[small] = Message("system", self.system.text(self.name, small=small))
        messages = [self._systems[small]]
        for exchange in self.history:
            messages += [exchange.prompt, exchange.reply]
        return messages


def flags_of(agents: Sequence[Agent], judge: Agent | None) -> list[Flag]:
    """What a reader must know of these agents before believing the outcome."""
    flags = []
    if any(name.startswith("scripted/") for agent in agents for name in agent.cast_as):
        text = "Replies come from a script, not from a model."
        flags.append(Flag(code="scripted_replies", text=text, severity="note"))
    if any(agent.model.small for agent in agents):
        text = (
            "Demonstration: a very small model speaks here. It shows how a debate runs; "
            "its scores and verdicts are not a judgement to rely on."
        )
        flags.append(Flag(code="demonstration_model", text=text))
    if judge is not None:
        own, others = _families([judge]), _families([agent for agent in agents if agent is not judge])
        flags += [
            Flag(
                code="judge_of_same_family",
                text=f"The judge and a debater are of the same model family ({name}): judges favour their own kind.",
            )
            for name in sorted(own & others)
        ]
    return flags


def _families(agents: Sequence[Agent]) -> set[str]:
    names = [name for agent in agents for name in agent.cast_as]
    return {family(name) for name in names if not name.startswith(("scripted/", "human/", SHIPPED_MODEL))}
