"""Entry: the only record type of the log. Everything that happens in a debate is an entry.

`Draft` is an entry that has its place in the script but not yet its place in the file.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Any, Literal, TypedDict, TypeVar

from pydantic import AfterValidator, Field, SerializeAsAny, ValidationInfo, field_validator

from moot.present.data import Data, read_as
from moot.record.payloads import COMMON, Header, Outside, Payload, Payloads, read_payload

SCHEMA_VERSION = 4
GENESIS = f"moot-log-{SCHEMA_VERSION}"
"""`prev` of the first entry, which has no line before it; it names the log format."""

Audience = Literal["all"] | list[str]
P = TypeVar("P", bound=Payload)
H = TypeVar("H", bound=Header)


def _known_moment(text: str) -> str:
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("a time should say its offset")
    return text


Moment = Annotated[str, AfterValidator(_known_moment)]
"""A time in ISO 8601, as it is written."""


class Source(Data):
    url: str
    title: str
    accessed: str


class Entry(Data):
    """One line of `log.jsonl`; the fields are always present, in this order.

    `to` names the agents that may see it, `call` is the key of the reply it came from, `prev` the SHA-256 of the line
    before.
    """

    seq: int = Field(ge=0)
    timestamp: Moment
    phase: str
    speaker: str
    type: str
    content: str
    sources: list[Source] = []
    rebuttal_to_seq: int | None = None
    target_seq: int | None = None
    to: Audience = "all"
    data: SerializeAsAny[Payload] | None = None
    call: str | None = None
    prev: str = GENESIS

    @field_validator("data", mode="before")
    @classmethod
    def _typed(cls, value: Any, info: ValidationInfo) -> Payload | None:
        if isinstance(value, Payload):
            return value
        return read_payload(info.data.get("type", ""), value, info.context or {})

    @classmethod
    def read(cls, line: bytes | str, payloads: Payloads) -> "Entry":
        """Parse a line of a log; `payloads` are those of the run's protocol."""
        return read_as(cls, line, payloads)

    @property
    def outside(self) -> bool:
        return isinstance(self.data, Outside)

    @property
    def public(self) -> bool:
        """Whether everybody may read it: it is for all, a note of moot's own, or was added from outside. What is
        addressed to nobody is for nobody."""
        return self.to == "all" or self.outside or self.speaker == "moot"

    def same_as(self, other: "Entry") -> bool:
        """Whether both have the same content, regardless of when they were written."""
        volatile = {"timestamp", "prev"}
        return self.model_dump(exclude=volatile) == other.model_dump(exclude=volatile)


class Links(TypedDict, total=False):
    """What an entry refers to: sources, the entries that it answers and is about, and the call that its content was
    derived from, or that of a Failure which it reports."""

    sources: Sequence[Source]
    rebuttal_to: "Draft | int | None"
    target: "Draft | int | None"
    call: str | None


@dataclass(slots=True, eq=False)
class Draft:
    """An entry as the script emits it. References are to other drafts, since a seq is assigned on writing: it is None
    while an earlier part of the script is not finished."""

    phase: str
    speaker: str
    type: str
    content: str
    to: Audience = "all"
    data: Payload | None = None
    call: str | None = None
    sources: Sequence[Source] = ()
    rebuttal_to: "Draft | int | None" = None
    target: "Draft | int | None" = None
    number: int | None = None

    @property
    def seq(self) -> int | None:
        return self.number

    def visible_to(self, name: str) -> bool:
        return self.to == "all" or name in self.to

    def at(self, seq: int, prev: str) -> Entry:
        """The entry for this draft at this place, with the current time."""
        return Entry(
            seq=seq,
            timestamp=now(),
            phase=self.phase,
            speaker=self.speaker,
            type=self.type,
            content=self.content,
            sources=list(self.sources),
            rebuttal_to_seq=_seq(self.rebuttal_to),
            target_seq=_seq(self.target),
            to=self.to,
            data=self.data,
            call=self.call,
            prev=prev,
        )


def now() -> str:
    """The current time, in milliseconds."""
    return time_at(time.time_ns())


def time_at(nanoseconds: int) -> str:
    """The time at that many nanoseconds since the epoch, in milliseconds."""
    milliseconds = nanoseconds // 1_000_000
    return f"{_second(milliseconds // 1000)}.{milliseconds % 1000:03}Z"


@lru_cache(maxsize=2)
def _second(since_epoch: int) -> str:
    return datetime.fromtimestamp(since_epoch, UTC).isoformat()[:19]


def entry_schema(protocols: Mapping[str, Payloads]) -> dict[str, Any]:
    """The JSON Schema of a log line: one alternative for each entry type of each protocol, with its payload, and one
    for types of unknown protocols."""
    schema = Entry.model_json_schema(mode="serialization")
    definitions = schema.pop("$defs", {})
    definitions.pop("Payload", None)
    known: dict[str, list[type[Payload]]] = {name: [payload] if payload else [] for name, payload in COMMON.items()}
    for payloads in protocols.values():
        for name, payload in payloads.items():
            known.setdefault(name, []).extend([payload] if payload else [])
    alternatives: list[dict[str, Any]] = []
    for name, models in known.items():
        several: list[type[Payload]] = list(dict.fromkeys([Outside, *models]))
        data = [{"type": "null"}, *(_reference(model, definitions) for model in several)]
        alternatives.append({"properties": {"type": {"const": name}, "data": {"anyOf": data}}})
    alternatives.append({"properties": {"type": {"not": {"enum": list(known)}}}})
    schema["properties"]["data"] = {}
    schema["required"] = list(Entry.model_fields)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"moot log entry, version {SCHEMA_VERSION}",
        **{key: value for key, value in schema.items() if key != "title"},
        "oneOf": alternatives,
        "$defs": definitions,
    }


def _reference(model: type[Payload], definitions: dict[str, Any]) -> dict[str, str]:
    """Add the schema of a payload to the definitions. Two protocols can use the same name."""
    own = model.model_json_schema(ref_template="#/$defs/{model}")
    inner = own.pop("$defs", {})
    name = model.__name__
    if definitions.get(name, own) != own:
        name = f"{model.__module__.split('.')[-2]}.{name}"
    definitions.update({key: value for key, value in inner.items() if key not in definitions})
    definitions[name] = own
    return {"$ref": f"#/$defs/{name}"}


def _seq(reference: Draft | int | None) -> int | None:
    return reference.number if isinstance(reference, Draft) else reference


def data_of(entries: "Iterable[Entry | Draft]", kind: type[P]) -> list[P]:
    """The payloads of that kind, in the order of the log."""
    return [entry.data for entry in entries if isinstance(entry.data, kind)]


def first_data(entries: Iterable[Entry], kind: type[P]) -> P | None:
    return next((entry.data for entry in entries if isinstance(entry.data, kind)), None)


def shared_fields(data: Payload | None, *names: str) -> dict[str, Any]:
    """These fields of a payload, for an outcome that has them too; none without a payload."""
    return {name: getattr(data, name) for name in names} if data else {}


def header_of(entries: Iterable[Entry], kind: type[H]) -> H:
    """The header of a log, in the type used by its protocol."""
    return next(entry.data for entry in entries if isinstance(entry.data, kind))


def texts_of(entry: "Entry | Draft") -> list[str]:
    """The texts of an entry: its content, and every text in its data."""
    data = entry.data.model_dump(mode="json") if entry.data is not None else None
    return list(dict.fromkeys([entry.content, *_texts_in(data)]))


def _texts_in(value: Any) -> Iterator[str]:
    """Every text in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts_in(one)
