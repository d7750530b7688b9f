"""The requests and answers of the API, and the config of a debate that was asked for."""

from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from moot.engine.define.config import RunConfig
from moot.engine.define.registry import find_offered
from moot.engine.define.shipped import DEFAULT
from moot.engine.sources.context import MOST_CHARACTERS, MOST_DOCUMENTS, MOST_LETTERS_OF_IMAGES
from moot.errors import ConfigError
from moot.record.entry import Source
from moot.runs.questions import LONGEST_QUESTION
from moot.service.guests import requested
from moot.service.host import RUN_NAME
from moot.service.shelf import Card
from moot.web.start_form import examples

ProtocolName = Annotated[str, StringConstraints(min_length=1, max_length=100)]
ModelName = Annotated[str, StringConstraints(min_length=1, max_length=200)]
ModelNames = ModelName | Annotated[list[ModelName], Field(min_length=1, max_length=10)]
Subject = Annotated[str, StringConstraints(min_length=1, max_length=100_000)]
ChatText = Annotated[str, StringConstraints(max_length=200_000)]
PersonName = Annotated[str, StringConstraints(min_length=1, max_length=60)]
RunName = Annotated[str, Path(pattern=f"^{RUN_NAME}$", description="A run's exact name.")]
Seq = Annotated[int, Field(ge=0, le=10**9)]
Form = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,40}$", description="One of `moot export --to`.")]

OPTIONS = ("model", "seed", "max_calls", "max_tokens", "max_cost", "max_minutes")


def listed(models: str | list[str] | None) -> list[str]:
    return [models] if isinstance(models, str) else models or []


class Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Limits(Request):
    """When to stop. Limits above the server's own are lowered to them."""

    max_calls: int | None = Field(None, ge=0, le=10**9, strict=True)
    max_tokens: int | None = Field(None, ge=0, le=10**12, strict=True)
    max_cost: float | None = Field(None, ge=0, le=10**9, allow_inf_nan=False, strict=True, description="In dollars.")
    max_minutes: float | None = Field(None, ge=0, le=10**9, allow_inf_nan=False, strict=True)


class CastRequest(Limits):
    """Models and rules. `settings` are further keys of a debate file: `GET /api/protocols` has their schema. `roles`
    gives a model to a role or a name of the cast; `human/NAME` is a person."""

    model: ModelNames | None = None
    roles: Annotated[dict[str, ModelNames], Field(max_length=60)] = {}
    seed: int | None = Field(None, ge=0, lt=2**31)
    settings: dict[str, Any] = {}


class DocumentRequest(Request):
    """A document that everybody in the debate is given. `POST /api/documents` makes one of a file. An `image` (PNG,
    JPEG, GIF or WebP) is given in Base64; models that take none are told so."""

    title: Annotated[str, StringConstraints(min_length=1, max_length=300)]
    text: Annotated[str, StringConstraints(min_length=1, max_length=MOST_CHARACTERS)]
    image: Annotated[str, StringConstraints(max_length=MOST_LETTERS_OF_IMAGES)] = ""


class DebateRequest(CastRequest):
    """A debate to stage. `protocol` is one of `GET /api/protocols`; `topic` is what is debated, whatever the protocol
    calls it. `example` starts from one of `GET /api/examples`, whose protocol it then has. The `documents` are cited
    as D1, D2 and so on."""

    protocol: ProtocolName | None = None
    example: Annotated[str, StringConstraints(max_length=60)] | None = None
    topic: Subject | None = None
    documents: Annotated[list[DocumentRequest], Field(max_length=MOST_DOCUMENTS)] = []


class ResumeRequest(Limits):
    """New limits for the rest of the debate."""


class QuestionRequest(Limits):
    """A question about a finished debate. Without a model, that of the judge answers."""

    question: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_QUESTION)]
    model: ModelNames | None = None


class AnswerRequest(Request):
    """A person's answer to the question with that key: a text or, if the question has a schema, its fields."""

    key: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    text: str | None = None
    fields: dict[str, Any] | None = None


class EntryRequest(Request):
    """An entry from outside. No agent sees it and no result depends on it. Without a phase, the phase of the last entry
    is used."""

    speaker: PersonName
    content: Annotated[str, StringConstraints(min_length=1, max_length=100_000)]
    type: Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,40}$")] = "note"
    phase: Annotated[str, StringConstraints(max_length=40)] | None = None
    sources: Annotated[list[Source], Field(max_length=50)] = []
    rebuttal_to: Seq | None = None
    target: Seq | None = None


class VoteRequest(Request):
    """A reader's vote. A second vote replaces the first."""

    voter: PersonName
    choice: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class ContestRequest(Request):
    """Edits to the argument graph of a verdict: `reject` are arguments (`A5`) or relations (`A5:A1`); `add` are
    `NAME=TEXT`; `attack`, `undercut` and `support` are new relations (`A9:A1`); `weigh` are new base scores
    (`A3=0.9`)."""

    reject: Annotated[list[str], Field(max_length=200)] = []
    add: Annotated[list[str], Field(max_length=200)] = []
    attack: Annotated[list[str], Field(max_length=200)] = []
    undercut: Annotated[list[str], Field(max_length=200)] = []
    support: Annotated[list[str], Field(max_length=200)] = []
    weigh: Annotated[list[str], Field(max_length=200)] = []


class StartedAnswer(BaseModel):
    """A running debate, with the address of its page and of its events."""

    name: str
    page: str
    follow: str

    @classmethod
    def of(cls, name: str) -> "StartedAnswer":
        return cls(name=name, page=f"/runs/{name}", follow=f"/api/runs/{name}/follow")


class RunsAnswer(BaseModel):
    """A page of the list. `headline` is the result of a debate in one line, `flags` are warnings about it; `cost` is
    null if a model reported none. Of a debate that runs, `at` says where it stands, and `last` what was said last."""

    runs: list[Card]
    total: int
    page: int
    pages: int


class TextPart(BaseModel):
    type: Literal["text"]
    text: ChatText


class ChatMessage(BaseModel):
    """A message of a conversation in the form of OpenAI's API. Only text can be debated."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: ChatText | Annotated[list[TextPart], Field(max_length=100)] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content)
        return self.content or ""


class StreamOptions(BaseModel):
    include_usage: bool = False


class ChatRequest(BaseModel):
    """Other parameters, such as a temperature, are ignored. `moot` sets the cast and the rules."""

    model: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=200)]
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: Literal[1] | None = None
    moot: CastRequest | None = None


def config_of(asked: DebateRequest) -> RunConfig:
    """The requested config; ConfigError says what is wrong. `moot.service.guests` checks what guests may set."""
    protocol, settings = _base(asked)
    settings |= asked.settings
    if asked.topic is not None:
        settings[find_offered(protocol).protocol.subject.key] = asked.topic
    settings |= {key: value for key in OPTIONS if (value := getattr(asked, key)) is not None}
    if asked.documents:
        settings["documents"] = [document.model_dump() for document in asked.documents]
    if asked.roles:
        settings["roles"] = asked.roles
    return requested(protocol, settings)


def _base(asked: DebateRequest) -> tuple[str, dict[str, Any]]:
    """The protocol, and the settings of the example if there is one."""
    if asked.example is None:
        return asked.protocol or DEFAULT, {}
    example = next((ready for ready in examples() if ready.name == asked.example), None)
    if example is None:
        raise ConfigError(f"there is no example {asked.example!r}; GET /api/examples has them")
    if asked.protocol not in (None, example.protocol):
        raise ConfigError(f"the example {example.name} is a {example.protocol}, not a {asked.protocol}")
    return example.protocol, dict(example.settings)
