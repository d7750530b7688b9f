"""A debate as a solver for Inspect (the extra `inspect`): any Inspect task can be answered by a moot protocol.

    from moot.inspect_solver import moot_solver

    Task(dataset=…, solver=moot_solver("arena"), scorer=match())

Every call goes through Inspect's own model, so its `--model`, limits, cache and logs apply. moot journals the calls as
in any other run.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from moot.plugins.extras import require

require("inspect")

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from moot.engine.define.config import Options
from moot.engine.define.layers import load_options
from moot.engine.play.limits import Budget
from moot.engine.staging.runs import Run
from moot.errors import CallFailed, ConfigError, EmptyReply, Refused
from moot.models.base import ModelReply, OnText, Request, Usage
from moot.models.pool import pool
from moot.studies.evaluate.dataset import Item
from moot.studies.evaluate.debates import contender, speakers
from moot.studies.evaluate.matching import Match, canonical
from moot.studies.evaluate.questions import Question, Row, Setup, debate
from moot.studies.evaluate.staging import Stage
from moot.studies.evaluate.texts import stated

_CHAT: dict[str, Callable[..., ChatMessage]] = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}


@solver  # type: ignore[untyped-decorator]
def moot_solver(
    protocol: str,
    *,
    model: str | Model | None = None,
    roles: Mapping[str, str | Model] | None = None,
    match: Match = "exact",
    out: str = "debates",
    **settings: Any,
) -> Solver:
    """Answer the sample's input with a debate.

    `protocol` is a protocol that can answer questions, such as an arena, or a debate file. The model is Inspect's own
    unless one is given, and so are those of `roles`, such as the judge. `match` is the form of an answer if the sample
    has no choices: `exact` text, a `number` or a `boolean`. `settings` are moot's options, including limits, which
    apply to each sample, and settings of the protocol. Messages that earlier solvers put before the question, such as a
    system message, are added to it as context. Runs are kept below `out`, by the uuid of the sample.
    """
    competitor = contender(protocol)

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 (Inspect's signature)
        models = {"": InspectModel.of(model), **{role: InspectModel.of(one) for role, one in (roles or {}).items()}}
        given = {
            **settings,
            "model": models[""].name,
            "roles": {role: one.name for role, one in models.items() if role},
        }
        item = _item(state, match)
        if why := competitor.asking.refuses(item):
            raise ConfigError(f"{protocol} cannot be asked this sample: {why}")
        options = load_options(**{key: value for key, value in given.items() if key in Options.model_fields})
        sample = competitor.sample(item, given)
        setup = Setup([competitor], [], {competitor.name: speakers(sample)}, 1, None, options.seed or 0, given)
        stage = Stage(options, Budget(options.limits), {model.name: model for model in models.values()})
        async with pool():
            row, *_ = await debate(Question(stage, setup, item, Path(out) / state.uuid, alone=True), competitor)
        if row.grade == "failed":
            raise CallFailed("debate", competitor.name, row.detail)
        return _answered(state, item, row, competitor.name)

    return solve


@dataclass(frozen=True, slots=True)
class InspectModel:
    """An Inspect model as a moot model. Inspect retries on its own, so errors are not retried."""

    inner: Model
    small: bool = False
    context_window: int | None = None

    @classmethod
    def of(cls, model: str | Model | None) -> "InspectModel":
        return cls(model if isinstance(model, Model) else get_model(model))

    @property
    def name(self) -> str:
        return str(self.inner)

    async def ready(self) -> None:
        """Nothing to do: Inspect has opened it."""

    async def reply(self, request: Request, on_text: OnText | None = None) -> ModelReply:
        messages = [_CHAT[message.role](content=message.content) for message in request.messages_in_words]
        config = GenerateConfig(max_tokens=request.max_tokens, **request.sampling.document())
        output = await self.inner.generate(messages, config=config)
        usage = _usage(output)
        if output.stop_reason == "content_filter":
            raise Refused(output.error or "the model declined to answer").paid(usage)
        if not output.completion.strip():
            raise EmptyReply("the reply holds no text").paid(usage)
        if on_text is not None:
            on_text(output.completion)
        cut = output.stop_reason in ("max_tokens", "model_length")
        return ModelReply(output.completion, "length" if cut else "stop", usage, answered_by=output.model or None)


def _usage(output: ModelOutput) -> Usage:
    """Inspect counts cache reads and writes besides the input; moot includes them."""
    used = output.usage
    if used is None:
        return Usage()
    cached = used.input_tokens_cache_read
    read = used.input_tokens + (cached or 0) + (used.input_tokens_cache_write or 0)
    return Usage(input=read, cached=cached, output=used.output_tokens, cost=used.total_cost)


def _item(state: TaskState, match: Match) -> Item:
    """The sample as a question. Its target is left to the scorer."""
    choices = tuple(choice.value for choice in state.choices)
    kind: Match = "choice" if choices else match
    if kind == "choice" and not choices:
        raise ConfigError("the sample has no choices to choose from")
    asked = max((place for place, one in enumerate(state.messages) if one.role == "user"), default=None)
    if asked is None:
        raise ConfigError("the sample has no user message, so there is no question")
    if unread := _unread(state):
        raise ConfigError(f"a debate reads texts and calls no tools, but the sample has {unread}")
    # Earlier solvers, such as prompt_template, may change the prompt: the question is the last user message.
    question = state.messages[asked].text
    earlier = [one for place, one in enumerate(state.messages) if place != asked and one.text.strip()]
    return Item(
        line=0,
        id=f"{state.sample_id}/{state.epoch}",
        question=question,
        answers=("",),
        match=kind,
        choices=choices,
        context="\n\n".join(f"{one.role}: {one.text}" for one in earlier) or None,
    )


def _unread(state: TaskState) -> str:
    """What a debate would have to leave out of the sample: tools, and parts of messages that are no text."""
    parts = {
        part.type for message in state.messages if not isinstance(message.content, str) for part in message.content
    }
    others = sorted(parts - {"text", "reasoning"})
    return ", ".join([*others, *(["tools"] if state.tools else [])])


def _answered(state: TaskState, item: Item, row: Row, method: str) -> TaskState:
    """The state with the debate's answer as its output: the decision with reasons, and the answer on the last line."""
    document = Run(Path(row.runs[-1])).result() or {}
    answer = row.answer
    if answer is not None and (said := stated(str(document.get("decision")))):
        # Use the original wording if it is the same answer: the canonical form is for comparison.
        answer = said if canonical(said, item.match, item.choices) == row.answer else answer
    last = f"ANSWER: {answer}" if answer is not None else f"No answer: {row.detail}"
    completion = "\n\n".join(part for part in (_reasons(document), last) if part)
    state.output = ModelOutput.from_content(model=method, content=completion)
    state.messages.append(state.output.message)
    state.metadata["moot"] = {
        "protocol": document.get("protocol"),
        "outcome": "answered" if answer is not None else row.grade,
        "answer": answer,
        "detail": row.detail,
        "runs": row.runs,
        "calls": row.calls,
        "tokens": row.tokens,
    }
    for place in range(len(state.choices)):
        state.choices.mark_choice(place, row.answer == item.candidates[place])
    return state


def _reasons(document: Mapping[str, Any]) -> str:
    """The reasons, in the words of whoever decided."""
    verdict = document.get("verdict")
    told = document.get("proposal") or document.get("reasoning")
    if told is None and isinstance(verdict, Mapping):
        told = verdict.get("rationale")
    return str(told or " ".join(document.get("key_points") or []))
