"""The parts of OpenAI's chat-completions API that debates use."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from moot.web.shapes import CastRequest

Text = Annotated[str, StringConstraints(max_length=200_000)]


class TextPart(BaseModel):
    type: Literal["text"]
    text: Text


class ChatMessage(BaseModel):
    """A message of the conversation. Only text can be debated."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Text | Annotated[list[TextPart], Field(max_length=100)] | None = None

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


class PromptDetails(BaseModel):
    """`cached_tokens` are those that providers say they had cached."""

    cached_tokens: int


class CompletionDetails(BaseModel):
    """`reasoning_tokens` are those that are known to be thoughts."""

    reasoning_tokens: int


class TokenUsage(BaseModel):
    """The sum over all calls of the debate."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    prompt_tokens_details: PromptDetails
    completion_tokens_details: CompletionDetails


class Reply(BaseModel):
    role: Literal["assistant"] = "assistant"
    content: str
    refusal: None = None


class Choice(BaseModel):
    """`finish_reason` is `length` where a limit ended the debate early."""

    index: int = 0
    message: Reply
    finish_reason: str
    logprobs: None = None


class Completion(BaseModel):
    """The decision. `id` is the name of the run, `usage` the sum over the debate, null if a model reported none."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[Choice]
    usage: TokenUsage | None


class Delta(BaseModel):
    role: Literal["assistant"] | None = None
    content: str | None = None


class ChunkChoice(BaseModel):
    index: int = 0
    delta: Delta
    finish_reason: str | None = None
    logprobs: None = None


class Chunk(BaseModel):
    id: str
    object: Literal["chat.completion.chunk"] = "chat.completion.chunk"
    created: int
    model: str
    choices: list[ChunkChoice]
    usage: TokenUsage | None = None


class ModelAnswer(BaseModel):
    id: str
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: Literal["moot"] = "moot"


class ModelsAnswer(BaseModel):
    object: Literal["list"] = "list"
    data: list[ModelAnswer]
