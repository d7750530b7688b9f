"""Debates behind the Responses API, asked through OpenAI's own client."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest

import moot
from moot.testing.endpoint import fail
from tests.kit.openai_clients import BRIEF, WAITING, client_of
from tests.kit.servers import Site, serving
from tests.kit.waiting import wait_until

QUESTION = "We should rewrite it in Rust."
ENDS = ("response.output_text.done", "response.content_part.done", "response.output_item.done")


@pytest.fixture(scope="module")
def answering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("responses"), gap=0.0005) as site:
        yield site


def test_a_question_is_decided(answering: Site) -> None:
    with client_of(answering) as client:
        answer = client.responses.create(
            model="moot/duel",
            instructions="You advise a bank.",
            input=[{"role": "user", "content": "We use Python."}, {"role": "user", "content": QUESTION}],
            metadata={"ticket": "7"},
            extra_body=BRIEF,
        )
    run = answering.host.find(answer.id)
    spent = (run.result() or {})["spent"]
    assert (answer.status, answer.object, answer.metadata) == ("completed", "response", {"ticket": "7"})
    assert "made the stronger case" in answer.output_text and f"{answering.url}/runs/{run.name}" in answer.output_text
    assert answer.usage is not None
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (spent["input"], spent["output"])
    assert answer.usage.input_tokens_details.cached_tokens == spent["cached"]
    assert answer.usage.output_tokens_details.reasoning_tokens == spent["thinking"]
    assert run.config.topic == QUESTION
    assert run.config.options.documents[0].text == "developer: You advise a bank.\n\nuser: We use Python."


def test_the_events_of_a_stream_are_those_that_clients_know(answering: Site) -> None:
    with client_of(answering) as client:
        events = list(client.responses.create(model="moot/duel", input=QUESTION, stream=True, extra_body=BRIEF))
    kinds = [event.type for event in events]
    assert [event.sequence_number for event in events] == list(range(len(events)))
    begin = ["response.output_item.added", "response.content_part.added"]
    assert kinds[:4] == ["response.created", "response.in_progress", *begin]
    assert kinds[-1] == "response.completed"
    deltas = [event for event in events if event.type == "response.output_text.delta"]
    assert {one.output_index for one in deltas} == {0, 1}
    last: Any = events[-1]
    debate, decision = last.response.output
    assert (debate.phase, decision.phase) == ("commentary", "final_answer")
    for place, message in enumerate((debate, decision)):
        assert message.content[0].text == "".join(one.delta for one in deltas if one.output_index == place)
    assert "made the stronger case" in decision.content[0].text and last.response.usage.total_tokens > 0
    assert tuple(kinds[-4:-1]) == ENDS


def test_an_earlier_response_is_a_document_of_the_next(answering: Site) -> None:
    with client_of(answering) as client:
        first = client.responses.create(model="moot/duel", input=QUESTION, extra_body=BRIEF)
        further: dict[str, Any] = {
            "model": "moot/panel",
            "input": "And the tests?",
            "extra_body": {"moot": {"max_calls": 3}},
        }
        second = client.responses.create(**further, previous_response_id=first.id)
        with pytest.raises(openai.NotFoundError, match="there is no run"):
            client.responses.create(**further, previous_response_id="../etc")
    (given,) = answering.host.find(second.id).config.options.documents
    assert QUESTION in given.text and "made the stronger case" in given.text
    assert second.previous_response_id == first.id


def test_a_message_after_a_decision_is_a_question_about_it(answering: Site) -> None:
    """It is answered from the record in one request, and so are the messages after that."""
    with client_of(answering) as client:
        first = client.responses.create(model="moot/duel", input=QUESTION, extra_body=BRIEF)
        before = len(answering.endpoint.requests)
        second = client.responses.create(model="moot/duel", input="Who began?", previous_response_id=first.id)
        third = client.responses.create(model="moot/duel", input="Why?", previous_response_id=second.id, stream=True)
        events: list[Any] = list(third)
        again = client.responses.create(model="moot/duel", input="Who began?", previous_response_id=first.id)
    assert len(answering.endpoint.requests) == before + 2, "and what was asked before is on record"
    assert (second.id, second.status, again.output_text) == (first.id, "completed", second.output_text)
    assert "from the record" in second.output_text and "made the stronger case" not in second.output_text
    assert events[-1].type == "response.completed" and events[-1].response.usage.total_tokens > 0
    assert [one.sequence_number for one in events] == list(range(len(events)))
    with answering.client() as client:
        asked = client.get(f"/api/runs/{first.id}").json()["questions"]
    assert [one["question"] for one in asked] == ["Who began?", "Why?"]


def test_the_clients_helper_for_streams_works(answering: Site) -> None:
    with (
        client_of(answering) as client,
        client.responses.stream(model="moot/panel", input=QUESTION, extra_body={"moot": {"max_calls": 60}}) as stream,
    ):
        told = [event.delta for event in stream if event.type == "response.output_text.delta"]
        final = stream.get_final_response()
    assert "".join(told) == final.output_text
    assert final.status == "completed"


def test_a_limit_leaves_the_response_incomplete(answering: Site) -> None:
    with client_of(answering) as client:
        limits = {"moot": {"settings": {"turns": 2}, "max_calls": 4}}
        answer = client.responses.create(model="moot/duel", input=QUESTION, extra_body=limits)
        streamed: Any = list(client.responses.create(model="moot/duel", input=QUESTION, stream=True, extra_body=limits))
    assert answer.status == "incomplete" and answer.incomplete_details
    assert streamed[-1].type == "response.incomplete" and streamed[-1].response.status == "incomplete"


def test_a_debate_that_fails_says_so(tmp_path: Path) -> None:
    with serving(tmp_path, faults=[None, None, None, *([fail(400, "no")] * 50)]) as site, client_of(site) as client:
        with pytest.raises(openai.APIStatusError, match="ended early"):
            client.responses.create(model="moot/duel", input=QUESTION, extra_body=BRIEF)
        events: Any = list(client.responses.create(model="moot/duel", input=QUESTION, stream=True, extra_body=BRIEF))
    assert events[-1].type == "response.failed"
    assert "can be resumed" in events[-1].response.error.message


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"model": "gpt-5"}, "there are moot/duel"),
    ({"input": []}, "input"),
    ({"input": " "}, "must be the user's"),
    ({"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "x"}]}]}, "input_text"),
    ({"input": [{"type": "function_call_output", "call_id": "x", "output": "y"}]}, "message"),
]


@pytest.mark.parametrize(("wrong", "why"), WRONG)
def test_errors_are_openais(answering: Site, wrong: dict[str, Any], why: str) -> None:
    with client_of(answering) as client, pytest.raises(openai.APIStatusError, match=why):
        client.responses.create(**{"model": "moot/duel", "input": QUESTION, **wrong})


def test_who_goes_away_stops_the_debate(tmp_path: Path) -> None:
    with serving(tmp_path) as site:
        body = {"model": "moot/duel", "input": QUESTION, "stream": True, **WAITING}
        with site.client() as client, client.stream("POST", "/v1/responses", json=body) as answer:
            lines = answer.iter_lines()
            assert next(lines) == "event: response.created"
        wait_until(lambda: not site.host.under_way)
        (run,) = moot.list_runs(str(tmp_path))
        with site.client() as client:
            assert client.get(f"/api/runs/{run.name}").json()["status"] == "interrupted"
