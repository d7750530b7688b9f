"""The parts of OpenAI's Responses API that debates use."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StringConstraints

from moot.web.shapes import CastRequest

Text = Annotated[str, StringConstraints(max_length=200_000)]
ResponseStatus = Literal["in_progress", "completed", "incomplete", "failed"]


class InputPart(BaseModel):
    type: Literal["input_text", "output_text", "text"]
    text: Text


class InputMessage(BaseModel):
    """A message of the conversation. Only text can be debated."""

    type: Literal["message"] = "message"
    role: Literal["system", "developer", "user", "assistant"]
    content: Text | Annotated[list[InputPart], Field(max_length=100)]

    @property
    def text(self) -> str:
        return self.content if isinstance(self.content, str) else "\n".join(part.text for part in self.content)


class ResponseRequest(BaseModel):
    """Other parameters, such as a temperature, are ignored. With `previous_response_id`, this is a question about
    an earlier debate if that is of the same protocol; otherwise its outcome is a document of this one. `moot` sets the
    cast and the rules."""

    model: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    input: Text | Annotated[list[InputMessage], Field(min_length=1, max_length=200)]
    instructions: Text | None = None
    previous_response_id: Annotated[str, StringConstraints(max_length=210)] | None = None
    metadata: Annotated[dict[str, str], Field(max_length=16)] | None = None
    stream: bool = False
    moot: CastRequest | None = None

    @property
    def messages(self) -> list[InputMessage]:
        before = [InputMessage(role="developer", content=self.instructions)] if self.instructions else []
        asked = [InputMessage(role="user", content=self.input)] if isinstance(self.input, str) else self.input
        return [*before, *asked]


class OutputText(BaseModel):
    type: Literal["output_text"] = "output_text"
    text: str
    annotations: list[Any] = []
    logprobs: list[Any] = []


class OutputMessage(BaseModel):
    """`phase` tells the debate, as `commentary`, from the decision."""

    id: str
    type: Literal["message"] = "message"
    role: Literal["assistant"] = "assistant"
    status: Literal["in_progress", "completed", "incomplete"] = "completed"
    phase: Literal["commentary", "final_answer"]
    content: list[OutputText]


class InputDetails(BaseModel):
    cached_tokens: int
    cache_write_tokens: int = 0


class OutputDetails(BaseModel):
    reasoning_tokens: int


class ResponseUsage(BaseModel):
    """The sum over all calls of the debate."""

    input_tokens: int
    input_tokens_details: InputDetails
    output_tokens: int
    output_tokens_details: OutputDetails
    total_tokens: int


class ResponseFailure(BaseModel):
    code: Literal["server_error"] = "server_error"
    message: str


class Incomplete(BaseModel):
    reason: Literal["max_output_tokens"] = "max_output_tokens"


class ResponseAnswer(BaseModel):
    """The decision. `id` is the name of the run, `usage` null if a model reported none; `incomplete` where a limit
    ended the debate early."""

    id: str
    object: Literal["response"] = "response"
    created_at: int
    status: ResponseStatus
    model: str
    output: list[OutputMessage] = []
    error: ResponseFailure | None = None
    incomplete_details: Incomplete | None = None
    instructions: str | None = None
    metadata: dict[str, str] = {}
    previous_response_id: str | None = None
    parallel_tool_calls: bool = False
    tool_choice: Literal["none"] = "none"
    tools: list[Any] = []
    temperature: None = None
    top_p: None = None
    usage: ResponseUsage | None = None
