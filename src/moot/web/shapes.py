"""The types of requests and answers of the API; its OpenAPI document is made from them."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from moot.engine.outcome.questions import Answer
from moot.engine.sources.context import MOST_CHARACTERS, MOST_DOCUMENTS, MOST_LETTERS_OF_IMAGES
from moot.present import Brief, Flag
from moot.record.entry import Source
from moot.runs.questions import LONGEST_QUESTION
from moot.service.host import RUN_NAME

ProtocolName = Annotated[str, StringConstraints(min_length=1, max_length=100)]
Status = Literal["running", "done", "limit", "failed", "interrupted", "unreadable"]
ModelName = Annotated[str, StringConstraints(min_length=1, max_length=200)]
ModelNames = ModelName | Annotated[list[ModelName], Field(min_length=1, max_length=10)]
Subject = Annotated[str, StringConstraints(min_length=1, max_length=100_000)]
PersonName = Annotated[str, StringConstraints(min_length=1, max_length=60)]
RunName = Annotated[str, Path(pattern=f"^{RUN_NAME}$", description="A run's exact name.")]
Seq = Annotated[int, Field(ge=0, le=10**9)]
Form = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,40}$", description="One of `moot export --to`.")]


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


class SourceRequest(Request):
    url: str
    title: str
    accessed: str


class EntryRequest(Request):
    """An entry from outside. No agent sees it and no result depends on it, except for the statements of an outside
    agent. Without a phase, the phase of the last entry is used."""

    speaker: PersonName
    content: Annotated[str, StringConstraints(min_length=1, max_length=100_000)]
    type: Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,40}$")] = "note"
    phase: Annotated[str, StringConstraints(max_length=40)] | None = None
    sources: Annotated[list[SourceRequest], Field(max_length=50)] = []
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


class OriginAnswer(BaseModel):
    """The origin of a protocol that is not part of moot: a package and its version, or a file and its hash."""

    source: str
    version: str | None
    sha256: str | None


class ProtocolAnswer(BaseModel):
    """A protocol and its usual cast. `options` is the JSON Schema of the most common settings, `settings` that of all
    settings in a debate file."""

    name: str
    title: str
    about: str
    gives: str
    origin: OriginAnswer | None
    subject: str = Field(description="What is debated, as people call it.")
    topic_key: str = Field(description="Under which key of a debate file the topic stands.")
    roles: list[str]
    options: dict[str, Any]
    settings: dict[str, Any]


class ExampleAnswer(BaseModel):
    name: str
    protocol: str
    title: str
    settings: dict[str, Any]


class ProviderAnswer(BaseModel):
    """A model provider. `configured` says whether its variables or packages are present."""

    name: str
    what: str
    configured: bool
    how: str
    example: str


class StartedAnswer(BaseModel):
    """A running debate, with the address of its page and of its events."""

    name: str
    page: str
    follow: str


class SummaryAnswer(BaseModel):
    """The result of a debate in words. `reached` says how it was reached, `change` what debating changed, null if
    unknown."""

    headline: str
    kind: str
    decided: bool
    reached: str
    change: str | None


class RunAnswer(BaseModel):
    """A run at a glance. `headline` is its result in one line, `flags` are warnings about it; `cost` is null if a model
    reported none."""

    name: str
    protocol: str
    topic: str
    status: str
    headline: str
    flags: list[Flag]
    began: datetime
    cost: float | None
    calls: int
    entries: int


class RunsAnswer(BaseModel):
    runs: list[RunAnswer]
    total: int
    page: int
    pages: int


class QuestionAnswer(BaseModel):
    """An open question to a person. `schema` is the shape of the answer, if it has one."""

    model_config = ConfigDict(populate_by_name=True)

    key: str
    person: str
    agent: str
    text: str
    shape: dict[str, Any] | None = Field(alias="schema")


class MemberAnswer(BaseModel):
    id: str
    name: str
    role: str
    models: list[str]


class RunDetailAnswer(BaseModel):
    """A run. `summary`, `brief` and `flags` are the outcome, its reasons and its caveats, once there is one; `result`
    is the whole document. `questions` were asked about it afterwards. `here` tells whether it is running and can be
    stopped here."""

    name: str
    protocol: str
    topic: str
    status: Status
    reason: str | None
    here: bool
    entries: int
    cast: list[MemberAnswer]
    awaiting: list[QuestionAnswer]
    reader_votes: dict[str, str]
    questions: list[Answer]
    summary: SummaryAnswer | None
    brief: Brief | None
    flags: list[Flag]
    result: dict[str, Any] | None


class EntryAnswer(BaseModel):
    """An entry of the log as readers see it: text that the debate struck is missing. `moot schema entry` has the
    payloads in `data`, by type."""

    seq: int
    timestamp: str
    phase: str
    speaker: str
    type: str
    content: str
    sources: list[Source]
    rebuttal_to_seq: int | None
    target_seq: int | None
    to: Literal["all"] | list[str]
    data: dict[str, Any] | None
    call: str | None
    prev: str


class EntriesAnswer(BaseModel):
    """`last` is the `after` of the next request, -1 if there are no entries."""

    entries: list[EntryAnswer]
    last: int


class AppendedAnswer(BaseModel):
    seq: int


class MessageAnswer(BaseModel):
    role: str
    content: str


class SeenAnswer(BaseModel):
    """Exactly what an agent was sent, and its last reply."""

    agent: str
    messages: list[MessageAnswer]


class ChangeAnswer(BaseModel):
    argument: str
    before: float | None
    after: float | None
    in_words: str


class ContestAnswer(BaseModel):
    """The winning side by the scores before and after the edits, null if the rules leave it open."""

    edits: list[str]
    before: str | None
    after: str | None
    moved: bool
    given_up: str | None
    changes: list[ChangeAnswer]
    converged: bool
    summary: str


class VerifyAnswer(BaseModel):
    ok: bool
    entries: int
    replies: int
    faults: list[str]
    notes: list[str]
