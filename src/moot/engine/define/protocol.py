"""Protocol: everything that moot knows about one kind of debate. Optional fields have defaults that work for any
debate."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from pydantic import BaseModel

from moot.engine.define.capabilities import (
    Defaults,
    LiveView,
    LookupRules,
    NoRejudge,
    NotInstalled,
    OutsideEntries,
    PrivateKeys,
    Redactions,
    SpecialKeys,
    Unlisted,
)
from moot.engine.define.options import Option, Subject
from moot.engine.define.plain import plain_lines, plain_sections, plain_summary
from moot.present import Lines, Section, Summary
from moot.record.entry import Entry
from moot.record.payloads import Payloads

if TYPE_CHECKING:
    from moot.engine.outcome.material import Material

RESERVED = frozenset(
    {"run", "protocol", "status", "reason", "limit", "summary", "brief", "flags", "gate", "findings", "failures"}
    | {"spent", "spent_by", "seconds", "longest_chain", "receipt"}
)
"""The common fields of every result, which an outcome must not redefine."""
Capability = TypeVar("Capability")


@dataclass(frozen=True, slots=True)
class Role:
    """A role that can be given a model: `key` is its name or its role in the script, `model` comes from its persona,
    and `debates` distinguishes debaters from judges."""

    key: str
    label: str
    name: str = ""
    model: Any = None
    debates: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Protocol:
    """A kind of debate. Only the first six fields are required.

    `play` is the script, `outcome` interprets its log. `about` describes the debate in a sentence, `gives` its results.
    `summary` puts an outcome and its log into the words that every interface shows.
    """

    name: str
    about: str
    config: type[BaseModel]
    play: Callable[[Any, Any], Coroutine[Any, Any, None]]
    outcome: Callable[[Sequence[Entry]], BaseModel]
    outcome_model: type[BaseModel]
    gives: str = ""
    payloads: Payloads = field(default_factory=dict)
    """The payload class of each entry type; None for a type without payload."""
    subject: Subject = field(default_factory=Subject)
    """The subject of the debate: its config key, and how people provide it."""
    options: tuple[Option, ...] = ()
    """Options in addition to those declared by the config's fields."""
    roles: Callable[[Any], list[Role]] = lambda _: []
    """For a config: the roles that can be given a model."""
    summary: Callable[[Any, Sequence[Entry]], Summary] = plain_summary
    sections: "Callable[[Material], list[Section]]" = plain_sections
    lines: Callable[[], Lines] = plain_lines
    """Makes the function that puts the entries of one debate into lines."""
    capabilities: tuple[object, ...] = ()
    """What else it can do, each a value of a class in `capabilities`."""

    def get(self, kind: type[Capability]) -> Capability | None:
        """Its capability of this class; None if it does not have it."""
        return next((one for one in self.capabilities if isinstance(one, kind)), None)

    @property
    def live(self) -> LiveView:
        return self.get(LiveView) or LiveView()

    @property
    def outside(self) -> OutsideEntries:
        return self.get(OutsideEntries) or OutsideEntries()

    @property
    def lookups(self) -> LookupRules:
        return self.get(LookupRules) or LookupRules()

    @property
    def redactions(self) -> Redactions:
        return self.get(Redactions) or Redactions()

    @property
    def keys(self) -> SpecialKeys:
        return self.get(SpecialKeys) or SpecialKeys()

    @property
    def offered(self) -> bool:
        """Whether people choose it."""
        return self.get(Unlisted) is None

    @property
    def private(self) -> Mapping[str, str]:
        keys = self.get(PrivateKeys)
        return keys.reasons if keys else {}

    @property
    def missing(self) -> str:
        """Why its code is missing; "" if it is installed."""
        absent = self.get(NotInstalled)
        return absent.why if absent else ""

    @property
    def title(self) -> str:
        return self.name.replace("_", " ").replace("-", " ").capitalize()

    @property
    def path_keys(self) -> list[str]:
        """The config keys that hold a path, directly or nested, according to the types of their fields."""
        fields = self.config.model_fields.items()
        return [key for name, info in fields if _is_path(info.annotation) for key in (name, info.alias) if key]


def why_no_rejudge(protocol: Protocol) -> str:
    """The reason why its runs cannot be judged again, as a clause."""
    return (protocol.get(NoRejudge) or NoRejudge()).why


def with_defaults(protocol: Protocol, settings: Mapping[str, Any], *, from_file: bool) -> dict[str, Any]:
    """The settings of a debate with the defaults that its protocol ships."""
    defaults = protocol.get(Defaults)
    return defaults.add(settings, from_file=from_file) if defaults else dict(settings)


def _is_path(annotation: Any, seen: frozenset[Any] = frozenset()) -> bool:
    """Whether a field holds a path, directly, among others, or in a nested model."""
    if isinstance(annotation, type) and annotation not in seen:
        if issubclass(annotation, PurePath):
            return True
        if issubclass(annotation, BaseModel):
            fields = annotation.model_fields.values()
            return any(_is_path(one.annotation, seen | {annotation}) for one in fields)
    return any(_is_path(one, seen) for one in get_args(annotation))
