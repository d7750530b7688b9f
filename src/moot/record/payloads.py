"""Payloads: the `data` of entries, one class for each entry type that has data.

Types that every log may have are here; all others belong to the protocol that writes them. A payload for something
missing gives the reason in `failure`.
"""

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import ConfigDict

from moot.errors import Undeclared
from moot.present import Flag
from moot.present.data import Data

Side = Literal["for", "against"]


class Payload(Data):
    @property
    def failing(self) -> str | None:
        """The agent that failed, if it is not the entry's speaker."""
        return None


class Unknown(Payload):
    """The payload of an unknown type, kept unchanged: its protocol is not installed."""

    model_config = ConfigDict(frozen=True, extra="allow")


class Outside(Payload):
    """Marks an entry that another program appended: no agent said it, no script emitted it."""

    outside: Literal[True] = True


class Answer(Outside):
    """An outside agent's answer to a question that is not a turn of its own; `to_call` is the question."""

    to_call: str
    attempt: int = 1


class Member(Payload):
    """A member of the cast, as introduced by the header."""

    id: str
    name: str
    role: str
    side: Side | None
    personality: str
    colour: str
    models: list[str]


Kind = Literal["yes_no", "statement", "choice", "open", "number", "task", "text"]
KINDS: Mapping[Kind, str] = {
    "yes_no": "a question that yes or no answers",
    "statement": "a statement to agree with or to deny",
    "choice": "a choice between options",
    "open": "an open question",
    "number": "a question for a number",
    "task": "a task",
    "text": "a text or a plan to judge",
}
"""The kinds of question in words."""
NOT_THERE = "those that a model named are not in the question"


class Frame(Payload):
    """What a question asks. `kind` is None if nobody said. `claim` is what yes means and `denial` what no means, both
    only as the user gives them; the `options` stand in the question; `needs` is what an answer must contain."""

    kind: Kind | None = None
    claim: str | None = None
    denial: str | None = None
    options: list[str] = []
    needs: str = ""
    language: str = ""
    by: Literal["user", "model", "nobody"]

    def details(self, question: str) -> dict[str, str]:
        """What readers are shown of it above a debate, by name."""
        language = f", in {self.language}" if self.language else ""
        shown = {
            "Asked": f"{KINDS[self.kind]}{language}" if self.kind and self.by == "model" else None,
            "Options": ", ".join(self.options) or (NOT_THERE if self.kind == "choice" else None),
            "Claim": self.claim if self.claim != question else None,
            "Denial": self.denial,
            "Needed": self.needs,
        }
        return {name: text for name, text in shown.items() if text}


REHEARSAL = "rehearsal"
"""The code of the flag for a cast with a model that is too small to judge: nothing that it says is made a verdict."""


class Header(Payload):
    """The topic and the cast; `flags` are warnings about the outcome. `details` are further facts shown at the top, by
    name. A protocol may extend it, and its additional fields are kept even if the protocol is not installed."""

    model_config = ConfigDict(extra="allow")

    protocol: str
    topic: str
    frame: Frame | None = None
    details: dict[str, str] = {}
    cast: list[Member]
    flags: list[Flag] = []

    @property
    def is_rehearsal(self) -> bool:
        return any(flag.code == REHEARSAL for flag in self.flags)

    def with_frame(self, frame: Frame) -> Self:
        return self.model_copy(update={"frame": frame, "details": frame.details(self.topic) | self.details})


CHOSEN = "another model was chosen for this part of the debate"


class Switch(Payload):
    """An agent uses another model than before, or than it was cast with: one failed and the next of its list took over,
    or it was CHOSEN when the debate was resumed or forked. The model `failed` at `call`; both are None if another was
    chosen."""

    agent: str
    from_model: str
    to_model: str
    reason: str
    call: str | None = None
    failed: str | None = None


class Recap(Payload):
    """An agent's oldest exchanges, named by their keys, were replaced by its own summary of them."""

    agent: str
    replaced: list[str]


class Gap(Payload):
    """A text that no model of an agent gave; the debate continues without it."""

    agent: str
    call: str
    failure: str

    @property
    def failing(self) -> str:
        return self.agent


class Irregular(Payload):
    """A reply that was kept despite faults. `codes` names them."""

    agent: str
    call: str
    codes: list[str]


FROM_MEMORY = "memory"
"""The source of a document that recalls an earlier decision: what was thought then, and no fact to cite."""


class Given(Payload):
    """A document that all agents were given, by its number. `sha256` is the hash of its text or, of an `image`, which
    has its media type here, that of its bytes. `left_out` says what was not read."""

    document: str
    title: str
    source: str
    left_out: str
    sha256: str
    characters: int
    image: str = ""

    @property
    def is_fact(self) -> bool:
        return self.source != FROM_MEMORY


class Lookup(Payload):
    """What an agent looked up: its number (`L1a`), the tool and its arguments, and the hash and size of the answer.
    `error` says why there is none."""

    agent: str
    number: str
    tool: str
    asked: str
    sha256: str
    characters: int
    error: str | None


class Cited(Payload):
    """A lookup that its agent cited in public for the first time, by its number."""

    agent: str
    number: str
    tool: str
    asked: str
    sha256: str


class Misquote(Payload):
    """An agent cited a document or a lookup for words that are not in it, or one that does not exist; then `quote` may
    be empty."""

    agent: str
    document: str
    quote: str


Payloads = Mapping[str, type[Payload] | None]
"""The payload of each entry type; None for a type without one."""
COMMON: Payloads = {
    "header": Header,
    "switch": Switch,
    "summary": Recap,
    "gap": Gap,
    "irregular": Irregular,
    "document": Given,
    "misquote": Misquote,
    "lookup": Lookup,
    "citation": Cited,
    "note": None,
    "reader_vote": None,
}
"""The types that every log may have. A protocol may replace Header by an extended one."""


def read_payload(entry_type: str, value: Any, payloads: Payloads) -> Payload | None:
    """The typed payload of an entry in the log. Data of unknown types are kept unchanged; ValueError if data of a known
    type are invalid."""
    if value is None:
        return None
    if isinstance(value, dict) and "outside" in value:
        return (Answer if "to_call" in value else Outside).model_validate(value)
    if entry_type not in payloads and entry_type not in COMMON:
        return Unknown.model_validate(value)
    payload = payloads.get(entry_type, COMMON.get(entry_type))
    if payload is None:
        raise ValueError(f"an entry of type {entry_type!r} carries no data")
    return payload.model_validate(value)


def check_declared(payloads: Payloads | None, entry_type: str, data: Payload | None) -> None:
    """Undeclared if an entry with this data could not be read back as written."""
    if payloads is None or data is None:
        return
    declared = payloads.get(entry_type, COMMON.get(entry_type))
    if declared is None or not isinstance(data, declared):
        raise Undeclared(entry_type, type(data).__name__)
