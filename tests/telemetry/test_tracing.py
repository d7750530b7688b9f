"""Telemetry: the spans of a debate by the conventions for generative AI, whatever end it comes to; and no content."""

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.metrics import _internal as global_metrics
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

import moot
from moot.errors import RateLimited, Rejected
from moot.telemetry.tracing import CAPTURE
from moot.testing import ScriptedModel
from tests.kit.duels import MODEL, GatedModel, Replies, full_script, harsh_script, play, small_config
from tests.kit.endpoint import FakeEndpoint, fail
from tests.kit.waiting import PATIENCE
from tests.kit.webhooks import receiver

CANARY = "sk-canary-3f9a"


class Spans:
    """What was exported, by the keys of the calls."""

    def __init__(self, exporter: InMemorySpanExporter) -> None:
        self._exporter = exporter

    @property
    def all(self) -> tuple[ReadableSpan, ...]:
        return self._exporter.get_finished_spans()

    def clear(self) -> None:
        self._exporter.clear()

    def of(self, operation: str) -> dict[str, list[ReadableSpan]]:
        found: dict[str, list[ReadableSpan]] = {}
        for span in self.all:
            if told(span)["gen_ai.operation.name"] == operation:
                found.setdefault(str(told(span).get("moot.key", "")), []).append(span)
        return found

    @property
    def debate(self) -> ReadableSpan:
        (one,) = self.of("invoke_workflow")[""]
        return one

    def tree(self) -> dict[str, tuple[str, list[str]]]:
        """For each turn of the one debate its name and the names of the calls in it. Checks who is whose parent."""
        debate, turns, chats = self.debate, self.of("invoke_agent"), self.of("chat")
        assert chats.keys() == turns.keys()
        for key, (turn, *others) in turns.items():
            assert others == [], "a turn is one span"
            assert parent(turn) == ident(debate)
            assert {parent(chat) for chat in chats[key]} == {ident(turn)}
            for outer, inner in [(debate, turn), *((turn, chat) for chat in chats[key])]:
                assert (outer.start_time or 0) <= (inner.start_time or 0) <= (inner.end_time or 0)
                assert (inner.end_time or 0) <= (outer.end_time or 0)
        assert len(self.all) == 1 + len(turns) + sum(map(len, chats.values()))
        return {key: (turn.name, [chat.name for chat in chats[key]]) for key, (turn,) in turns.items()}


def told(span: ReadableSpan) -> Mapping[str, Any]:
    return span.attributes or {}


def ident(span: ReadableSpan) -> int:
    return int(span.context.span_id)


def parent(span: ReadableSpan) -> int | None:
    return span.parent.span_id if span.parent else None


def failed(span: ReadableSpan) -> str | None:
    """The kind of error that a span ended with."""
    bad = span.status.status_code is StatusCode.ERROR
    assert bad == ("error.type" in told(span))
    return told(span).get("error.type")


def everything(spans: Spans) -> str:
    """All that is in the spans, as text."""
    return "\n".join(span.to_json() for span in spans.all)


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Spans:
    """A program whose tracer provider keeps what it gets."""
    for name in list(os.environ):
        if name.startswith(("OTEL_", "MOOT_TELEMETRY")):
            monkeypatch.delenv(name)
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    return Spans(exporter)


def test_a_duel_is_a_workflow_of_turns_and_calls(tmp_path: Path, spans: Spans) -> None:
    result = play(small_config(tmp_path), ScriptedModel(harsh_script(2)))
    one, two = ["chat replies"], ["chat replies"] * 2
    assert spans.tree() == {
        "A/plan": ("invoke_agent Ada", one),
        "B/plan": ("invoke_agent Bo", one),
        "A/think/1": ("invoke_agent Ada", one),
        "A/turn/1": ("invoke_agent Ada", one),
        "B/think/2": ("invoke_agent Bo", one),
        "B/turn/2": ("invoke_agent Bo", one),
        "judge/evaluate/1": ("invoke_agent Kim", one),
        "judge/score/1": ("invoke_agent Kim", two),
        "judge/evaluate/2": ("invoke_agent Kim", one),
        "judge/score/2": ("invoke_agent Kim", one),
        "judge/deliberate": ("invoke_agent Kim", one),
        "judge@verdict/confirm": ("invoke_agent Kim", one),
        "judge@verdict/extract": ("invoke_agent Kim", two),
        "judge/announce": ("invoke_agent Kim", one),
    }
    assert (spans.debate.name, spans.debate.kind, spans.debate.parent) == (
        "invoke_workflow duel",
        SpanKind.INTERNAL,
        None,
    )
    assert {failed(span) for span in spans.all} == {None}
    run = Path(result.run).name
    assert dict(told(spans.debate)) == {
        "gen_ai.operation.name": "invoke_workflow",
        "gen_ai.workflow.name": "duel",
        "gen_ai.conversation.id": run,
    }
    chats = spans.of("chat")["judge/score/1"]
    record = next(one for one in moot.find_run(result.run).records() if one.key == "judge/score/1" and one.attempt == 2)
    assert record.usage is not None
    assert dict(told(chats[1])) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "scripted",
        "gen_ai.request.model": "replies",
        "gen_ai.conversation.id": run,
        "gen_ai.agent.name": "Kim",
        "moot.key": "judge/score/1",
        "moot.attempt": 2,
        "gen_ai.usage.input_tokens": record.usage.input,
        "gen_ai.usage.output_tokens": record.usage.output,
        "gen_ai.usage.cache_read.input_tokens": 0,
        "gen_ai.response.finish_reasons": ("stop",),
    }
    assert told(spans.of("invoke_agent")["A/plan"][0])["gen_ai.agent.id"] == "A"


def test_a_cancelled_debate_ends_the_spans(tmp_path: Path, spans: Spans) -> None:
    asked = asyncio.Event()

    def never() -> bool:
        asked.set()
        return False

    async def main() -> None:
        model = GatedModel(ScriptedModel(full_script(2)), {"A/turn/1": never})
        task = asyncio.create_task(moot.run(small_config(tmp_path), models={MODEL: model}))
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    spans.tree()
    assert failed(spans.debate) == "CancelledError"
    assert failed(spans.of("chat")["A/turn/1"][0]) == "cancelled"


async def test_many_debates_in_one_loop_keep_apart_and_under_whoever_staged_them(tmp_path: Path, spans: Spans) -> None:
    tracer = trace.get_tracer("the caller")

    async def staged(name: str) -> None:
        with tracer.start_as_current_span(name, attributes={"gen_ai.operation.name": "mine"}) as own:
            models = {MODEL: ScriptedModel(full_script(4))}
            await moot.run(small_config(tmp_path, 4, claim=f"It is {name}."), models=models)
            assert trace.get_current_span() is own

    await asyncio.gather(*(staged(str(number)) for number in range(5)))
    assert len(spans.all) == 5 * (1 + 1 + 2 * (4 * 4 + 6))
    by_id = {ident(span): span for span in spans.all}
    for span in spans.all:
        above = by_id[parent(span) or 0] if span.parent else None
        expected = {"chat": "invoke_agent", "invoke_agent": "invoke_workflow", "invoke_workflow": "mine", "mine": None}
        operation = str(told(span)["gen_ai.operation.name"])
        assert (told(above)["gen_ai.operation.name"] if above else None) == expected[operation]
        if operation in ("chat", "invoke_agent"):
            assert above is not None
            assert told(above)["gen_ai.conversation.id"] == told(span)["gen_ai.conversation.id"]
            assert above.context.trace_id == span.context.trace_id
    assert len({span.context.trace_id for span in spans.all}) == 5


def test_what_was_said_is_not_told_unless_asked_for(
    tmp_path: Path, spans: Spans, monkeypatch: pytest.MonkeyPatch
) -> None:
    script: Replies = {**full_script(2), "A/think/1": [RateLimited("the reply was: Ada thinks"), "Ada thinks."]}
    words = ("Ada plans", "Ada thinks", "Statement 1", "Reason 1", "Ada is calm", "Is it so", "It is so")
    play(small_config(tmp_path), ScriptedModel(script))
    assert not [word for word in words if word in everything(spans)]
    spans.clear()
    monkeypatch.setenv(CAPTURE, "SPAN_ONLY")
    play(small_config(tmp_path), ScriptedModel(script))
    said = {
        key: {name: json.loads(str(told(chat)[f"gen_ai.{name}"])) for name in ("system_instructions", "input.messages")}
        | {"out": json.loads(str(told(chat)["gen_ai.output.messages"]))}
        for key, (chat, *_) in spans.of("chat").items()
    }
    thought = said["A/think/1"]
    assert "Ada is calm." in thought["system_instructions"][0]["content"]
    assert [one["role"] for one in thought["input.messages"]] == ["user", "assistant", "user"]
    assert thought["input.messages"][1]["parts"] == [{"type": "text", "content": "Ada plans – “für alle”."}]
    assert thought["out"] == [
        {"role": "assistant", "parts": [{"type": "text", "content": "Ada thinks."}], "finish_reason": "stop"}
    ]
    assert len(said["judge/announce"]["input.messages"]) == 2 * 5 + 1
    (slow,) = spans.of("chat")["A/think/1"]
    assert (slow.events[0].attributes or {})["error.message"] == "the reply was: Ada thinks"


def test_a_key_is_in_no_span(tmp_path: Path, spans: Spans, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CAPTURE, "true")
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)

    async def main() -> moot.Result:
        faults = [fail(500, f"bad key {CANARY}"), *[None] * 6, fail(401, f"bad key {CANARY}")]
        async with FakeEndpoint(faults=faults) as endpoint:
            monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
            result = await moot.run(small_config(tmp_path, model="openai/gpt-5"))
            assert CANARY in endpoint.heads[0]["authorization"]
            return result

    assert asyncio.run(main()).status == "failed"
    assert failed(spans.debate) == "failed"
    assert "Unauthorised" in {failed(span) for span in spans.all}
    assert "gen_ai.input.messages" in everything(spans)
    assert CANARY not in everything(spans)


def test_tokens_and_seconds_are_measured(tmp_path: Path, spans: Spans, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = InMemoryMetricReader()
    monkeypatch.setattr(global_metrics, "_METER_PROVIDER", MeterProvider([reader]))
    result = play(small_config(tmp_path), ScriptedModel({**full_script(2), "B/turn/2": Rejected("gone")}))
    data = reader.get_metrics_data()
    assert data is not None
    (scope,) = data.resource_metrics[0].scope_metrics
    points: dict[str, list[Any]] = {metric.name: list(metric.data.data_points) for metric in scope.metrics}
    usage = {
        point.attributes["gen_ai.token.type"]: (point.count, point.sum) for point in points["gen_ai.client.token.usage"]
    }
    assert usage == {
        "input": (result.spent.calls, result.spent.input),
        "output": (result.spent.calls, result.spent.output),
    }
    counts = {point.attributes.get("error.type"): point.count for point in points["gen_ai.client.operation.duration"]}
    assert counts == {None: result.spent.calls, "Rejected": 1}


def test_it_can_be_turned_off(tmp_path: Path, spans: Spans, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_TELEMETRY", "off")
    play(small_config(tmp_path), ScriptedModel(full_script(2)))
    monkeypatch.delenv("MOOT_TELEMETRY")
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    play(small_config(tmp_path), ScriptedModel(full_script(2)))
    assert spans.all == ()


DEMO = """
import sys
{before}
from moot.cli import main
try:
    main(["demo", "--instant", "-q"])
finally:
    print("opentelemetry" in sys.modules, file=sys.stderr)
"""


def demo(folder: Path, before: str = "", **variables: str) -> "subprocess.CompletedProcess[str]":
    """The demonstration in a process of its own, and whether that imported OpenTelemetry."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("OTEL_", "MOOT_"))}
    return subprocess.run(
        [sys.executable, "-c", DEMO.format(before=before)],
        cwd=folder,
        env=plain | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def test_nothing_is_imported_when_it_is_off(tmp_path: Path) -> None:
    ended = demo(tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "False\n")


def test_what_is_missing_is_said_only_to_who_asked_for_it(tmp_path: Path) -> None:
    missing = "sys.modules['opentelemetry.exporter'] = None"
    ended = demo(tmp_path, missing, MOOT_TELEMETRY="1")
    assert ended.returncode == 2
    assert "pip install 'moot[telemetry]'" in ended.stderr
    assert not list(tmp_path.glob("debates/*"))
    assert demo(tmp_path, missing, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9").returncode == 0


PATIENT = f"from moot.telemetry import tracing; tracing.SECONDS_TO_SEND = {PATIENCE}"


def test_a_collector_that_does_not_answer_delays_nothing_and_is_not_heard_of(tmp_path: Path) -> None:
    """It would be waited for as long as the process may take here."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        ended = demo(tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=address, OTEL_EXPORTER_OTLP_TIMEOUT=str(10 * PATIENCE))
    assert (ended.returncode, ended.stderr) == (0, "True\n")


def test_spans_go_out_by_otlp(tmp_path: Path) -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    messages = pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2")

    with receiver() as collector:
        address = collector.url.partition("/hook")[0]
        ended = demo(tmp_path, PATIENT, OTEL_EXPORTER_OTLP_ENDPOINT=address, OTEL_EXPORTER_OTLP_TIMEOUT=str(PATIENCE))
    assert (ended.returncode, ended.stderr) == (0, "True\n")
    posted = [(path, body) for path, (_, body) in zip(collector.paths, collector.got, strict=True)]
    sent = [messages.ExportTraceServiceRequest.FromString(body) for path, body in posted if path == "/v1/traces"]
    resources = [one for request in sent for one in request.resource_spans]
    names = [span.name for one in resources for scope in one.scope_spans for span in scope.spans]
    assert names.count("invoke_workflow duel") == 1
    assert sum(name.startswith("chat ") for name in names) >= 20
    services = {
        each.value.string_value for one in resources for each in one.resource.attributes if each.key == "service.name"
    }
    assert services == {"moot"}
    assert any(path == "/v1/metrics" for path, _ in posted)
