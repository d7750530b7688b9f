"""Telemetry: a debate as OpenTelemetry spans and metrics, following the semantic conventions for generative AI.

A debate is a workflow, a turn an agent's invocation, a call a chat. Everything comes from the events for followers and
from the journal; the engine does not depend on it. By default it is off, which costs one look at the environment per
debate and imports nothing.
"""

import atexit
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from threading import Event as Moment
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from moot.errors import MissingExtra
from moot.models.base import Message, Usage
from moot.plugins.extras import require
from moot.record.events import Answered, Asked, Event, Follower, Retried
from moot.record.journal import Record, conversations

if TYPE_CHECKING:
    from opentelemetry.metrics import Histogram, MeterProvider
    from opentelemetry.trace import Span, Tracer, TracerProvider

Stage = TypeVar("Stage", bound=Callable[..., Coroutine[Any, Any, Any]])
ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
SWITCH = "MOOT_TELEMETRY"
SECONDS_TO_SEND = 2.0
ON, OFF = ("1", "true", "on", "yes"), ("0", "false", "off", "no")
PROVIDERS = {"google": "gcp.gemini", "xai": "x_ai", "mistral": "mistral_ai", "moonshot": "moonshot_ai"}
"""Providers that have a different name in the conventions."""
IN_PROCESS = ("embedded", "scripted", "human")
TOKEN_BOUNDS = [4.0**power for power in range(14)]
SECOND_BOUNDS = [0.01 * 2**power for power in range(14)]


def traced(stage: Stage) -> Stage:
    """Follow a debate from start to end if telemetry is on.

    Decorates the function that stages a debate: its first arguments are the opened run, the config, the model opener,
    and the follower.
    """

    @wraps(stage)
    async def staged(opened: Any, config: Any, opener: Any, follow: Follower | None, *args: Any, **more: Any) -> Any:
        instruments = _instruments()
        if instruments is None:
            return await stage(opened, config, opener, follow, *args, **more)
        trace = _Trace(instruments, config.protocol.name, opened.folder.name, opened.journal.records)
        try:
            result = await stage(opened, config, opener, trace.beside(follow), *args, **more)
        except BaseException as error:  # however it ends, the trace says so
            trace.end(type(error).__name__, str(error))
            raise
        trace.end(None if result.status == "done" else result.status, result.reason or "")
        return result

    return staged  # type: ignore[return-value]  # the same function to whoever calls it


@dataclass(frozen=True, slots=True)
class _Instruments:
    tracer: "Tracer"
    seconds: "Histogram"
    tokens: "Histogram"


@dataclass(slots=True)
class _Chat:
    """A call in progress with all its retries. `failed` is the kind and the message of its last failure."""

    span: "Span"
    started: int
    about: dict[str, str]
    failed: tuple[str, str] | None = None


@dataclass(slots=True)
class _Turn:
    """A place in the script where an agent is asked; asking again there belongs to the same turn. `last` is the time
    of its last event."""

    span: "Span"
    part: str
    last: int
    chat: _Chat | None = None
    failed: tuple[str, str] | None = None


class _Trace:
    """The spans of one debate. Parents are explicit, because many debates share a thread."""

    def __init__(self, instruments: _Instruments, protocol: str, run: str, records: Sequence[Record]) -> None:
        self._use = instruments
        self._with_content = os.environ.get(CAPTURE, "").lower() in (*ON, "span_only", "span_and_event")
        self._run = run
        self._records = records
        self._conversations = conversations(records)
        self._requests: dict[int, list[Message]] = {}
        self._turns: dict[str, _Turn] = {}
        about = {"gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": protocol}
        # The only span with an ambient parent: the calling program can have its own span.
        self._debate = self._use.tracer.start_span(
            f"invoke_workflow {protocol}", attributes={**about, "gen_ai.conversation.id": run}
        )

    def beside(self, follow: Follower | None) -> Follower:
        """A follower that notifies both this trace and `follow`."""

        def both(event: Event) -> None:
            self._note(event)
            if follow is not None:
                follow(event)

        return both

    def end(self, kind: str | None, words: str) -> None:
        """Close everything that is open. `kind` is the reason if the debate did not finish."""
        for key in list(self._turns):
            self._close_turn(key)
        if kind is not None:
            self._fail(self._debate, kind, words)
        self._debate.end()

    def _note(self, event: Event) -> None:
        match event:
            case Asked(key, agent, model):
                self._asked(key, agent, model)
            case Retried(key) if (turn := self._turns.get(key)) and turn.chat:
                self._retried(turn, turn.chat, event)
            case Answered(key, _, _, usage) if (turn := self._turns.get(key)) and turn.chat:
                self._answered(turn, turn.chat, key, usage)
            case _:
                pass

    def _asked(self, key: str, agent: str, model: str) -> None:
        now, part = time.time_ns(), key.partition("/")[0]
        for other, turn in list(self._turns.items()):
            # An agent answers one question at a time, so its previous turn is over.
            if turn.part == part and other != key:
                self._close_turn(other)
        provider, _, name = model.partition("/")
        shared = {
            "gen_ai.provider.name": PROVIDERS.get(provider, provider),
            "gen_ai.request.model": name,
            "gen_ai.conversation.id": self._run,
            "gen_ai.agent.name": agent,
            "moot.key": key,
        }
        if key not in self._turns:
            about = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.id": part.partition("@")[0], **shared}
            self._turns[key] = _Turn(self._start(f"invoke_agent {agent}", self._debate, about), part, now)
        turn = self._turns[key]
        self._close_chat(turn)
        about = {"gen_ai.operation.name": "chat", **shared}
        span = self._start(f"chat {name}", turn.span, about, remote=provider not in IN_PROCESS)
        measured = ("gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model")
        turn.chat = _Chat(span, now, {name: about[name] for name in measured})

    def _retried(self, turn: _Turn, chat: _Chat, event: Retried) -> None:
        attributes: dict[str, str | float] = {
            "error.type": event.error,
            "moot.wait": event.wait,
            **({"error.message": event.message} if self._with_content else {}),
        }
        chat.span.add_event("moot.attempt_failed", attributes)
        chat.failed, turn.last = (event.error, event.message), time.time_ns()

    def _answered(self, turn: _Turn, chat: _Chat, key: str, usage: Usage) -> None:
        record = next(record for record in reversed(self._records) if record.key == key and record.kind == "reply")
        attributes: dict[str, Any] = {
            "gen_ai.usage.input_tokens": usage.input,
            "gen_ai.usage.output_tokens": usage.output,
            "gen_ai.usage.cache_read.input_tokens": usage.cached,
            "gen_ai.response.finish_reasons": [record.finish_reason] if record.finish_reason else None,
            "moot.attempt": record.attempt,
        }
        chat.span.set_attributes({name: value for name, value in attributes.items() if value is not None})
        if self._with_content:
            chat.span.set_attributes(_content(self._request(record), record))
        for token_type, count in (("input", usage.input), ("output", usage.output)):
            if count is not None:
                self._use.tokens.record(count, {**chat.about, "gen_ai.token.type": token_type})
        chat.failed, turn.failed, turn.last = None, None, time.time_ns()
        self._close_chat(turn, answered=True)

    def _close_chat(self, turn: _Turn, *, answered: bool = False) -> None:
        """End the open call of this turn, if any. A call without an answer or a failure was abandoned."""
        chat = turn.chat
        if chat is None:
            return
        turn.chat = None
        about: dict[str, str] = chat.about
        if not answered:
            if chat.failed is None:
                turn.last = time.time_ns()
            turn.failed = chat.failed or ("cancelled", "")
            self._fail(chat.span, *turn.failed)
            about = {**about, "error.type": turn.failed[0]}
        self._use.seconds.record((turn.last - chat.started) / 1e9, about)
        chat.span.end(turn.last)

    def _close_turn(self, key: str) -> None:
        turn = self._turns.pop(key)
        self._close_chat(turn)
        if turn.failed is not None:
            self._fail(turn.span, *turn.failed)
        turn.span.end(turn.last)

    def _start(self, name: str, parent: "Span", about: Mapping[str, str], *, remote: bool = False) -> "Span":
        from opentelemetry.trace import SpanKind, set_span_in_context

        kind = SpanKind.CLIENT if remote else SpanKind.INTERNAL
        return self._use.tracer.start_span(name, set_span_in_context(parent), kind, about)

    def _fail(self, span: "Span", kind: str, words: str) -> None:
        """Mark a span as failed. An error message can quote a reply, so it counts as content."""
        from opentelemetry.trace import Status, StatusCode

        span.set_attribute("error.type", kind)
        span.set_status(Status(StatusCode.ERROR, words if self._with_content and words else None))

    def _request(self, record: Record) -> list[Message]:
        """The complete request of a call, rebuilt from the current journal."""
        while id(record) not in self._requests:
            found, request = next(self._conversations)
            self._requests[id(found)] = list(request)
        return self._requests.pop(id(record))


def _content(request: Sequence[Message], record: Record) -> dict[str, str]:
    """The request and the reply, as JSON in the form of the conventions."""
    system = [_text(message.content) for message in request if message.role == "system"]
    sent = [
        {"role": message.role, "parts": [_text(message.content)]} for message in request if message.role != "system"
    ]
    reply = [{"role": "assistant", "parts": [_text(record.reply or "")], "finish_reason": record.finish_reason}]
    named = (("system_instructions", system), ("input.messages", sent), ("output.messages", reply))
    return {f"gen_ai.{name}": json.dumps(value, ensure_ascii=False) for name, value in named}


def _text(content: str) -> dict[str, str]:
    return {"type": "text", "content": content}


def _instruments() -> _Instruments | None:
    """The instruments for a debate; None if telemetry is off."""
    wanted = os.environ.get(SWITCH, "").lower()
    if wanted in OFF or os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return None
    tracers: TracerProvider | None = None
    meters: MeterProvider | None = None
    if "opentelemetry.trace" in sys.modules:
        from opentelemetry.trace import ProxyTracerProvider, get_tracer_provider

        own = get_tracer_provider()
        tracers = None if isinstance(own, ProxyTracerProvider) else own
    if tracers is None and (wanted in ON or any(map(os.environ.get, ENDPOINTS))):
        try:
            require("telemetry")
        except MissingExtra:
            if wanted not in ON:
                # The variable might be meant for other programs.
                return None
            raise
        tracers, meters = _exporting()
    return _made(tracers, meters) if tracers is not None else None


@cache
def _made(tracers: "TracerProvider", meters: "MeterProvider | None") -> _Instruments:
    from importlib.metadata import version

    from opentelemetry.metrics import get_meter

    tracer = tracers.get_tracer("moot", version("moot"))
    meter = get_meter("moot", version("moot"), meters)
    duration, usage = "gen_ai.client.operation.duration", "gen_ai.client.token.usage"
    seconds = meter.create_histogram(duration, "s", explicit_bucket_boundaries_advisory=SECOND_BOUNDS)
    tokens = meter.create_histogram(usage, "{token}", explicit_bucket_boundaries_advisory=TOKEN_BOUNDS)
    return _Instruments(tracer, seconds, tokens)


@cache
def _exporting() -> "tuple[TracerProvider, MeterProvider]":
    """New providers for a program without any, which send by OTLP according to the OTEL_* variables. Pending data is
    sent when the program ends, which does not wait for long: a collector may be away. Only who asked for telemetry by
    its own variable is told of that."""
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter  # type: ignore[import-not-found,unused-ignore]
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # type: ignore[import-not-found,unused-ignore]
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    named = os.environ.get("OTEL_SERVICE_NAME") or "service.name=" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    resource = Resource.create({} if named else {"service.name": "moot"})
    tracers = TracerProvider(resource=resource, shutdown_on_exit=False)
    tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    readers = (
        []
        if os.environ.get("OTEL_METRICS_EXPORTER") == "none"
        else [PeriodicExportingMetricReader(OTLPMetricExporter())]
    )
    meters = MeterProvider(readers, resource, shutdown_on_exit=False)
    if os.environ.get(SWITCH, "").lower() not in ON:
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)

    # From Python 3.12 on, no thread can be started at the end.
    over = Moment()
    sending = [Thread(target=_shut_down, args=(over, one), daemon=True) for one in (tracers, meters)]
    for thread in sending:
        thread.start()

    def send_the_rest() -> None:
        over.set()
        until = time.monotonic() + SECONDS_TO_SEND
        for thread in sending:
            thread.join(max(0.0, until - time.monotonic()))

    atexit.register(send_the_rest)
    return tracers, meters


def _shut_down(over: Moment, provider: Any) -> None:
    over.wait()
    provider.shutdown()
