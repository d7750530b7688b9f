"""What a guest asks for holds for its own debate alone, and costs the server next to nothing to plan."""

import asyncio
import base64
import json
import tracemalloc
from pathlib import Path
from typing import Any

import httpx
import pytest

import moot
from moot.engine.staging.plan import plan
from moot.service.guests import requested
from tests.kit.duels import staged
from tests.kit.images import PNG
from tests.kit.servers import serving

TOPIC: dict[str, Any] = {"topic": "Is it so?"}


@pytest.mark.parametrize("setting", ["rate", "concurrency"])
def test_nothing_of_a_guest_holds_for_the_whole_server(tmp_path: Path, setting: str) -> None:
    with pytest.raises(moot.ConfigError, match="all debates of the server"):
        requested("duel", {**TOPIC, setting: 1})
    with serving(tmp_path) as site, site.client() as client:
        for path in ("/api/runs", "/api/plan"):
            answer = client.post(path, json={**TOPIC, "settings": {setting: 1}})
            assert (answer.status_code, site.endpoint.count) == (422, 0)


def test_a_guest_lowers_its_own_share_and_raises_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_TIMEOUT", "20")
    monkeypatch.setenv("MOOT_MAX_REPLY_TOKENS", "500")
    monkeypatch.setenv("MOOT_RATE", "7")
    higher = requested("duel", {**TOPIC, "timeout": 9000, "max_reply_tokens": 1_000_000}).options
    assert (higher.timeout, higher.max_reply_tokens, higher.rate) == (20, 500, 7)
    lower = requested("duel", {**TOPIC, "timeout": 5, "max_reply_tokens": 100}).options
    assert (lower.timeout, lower.max_reply_tokens) == (5, 100)


def test_the_largest_debate_is_planned_by_counting() -> None:
    """Its replies would be megabytes each, and each is sent again with every later call."""
    cast = {**TOPIC, "model": "fake/one", "seed": 1}
    small = moot.configure("duel", turns=60, max_reply_tokens=251, **cast)
    large = moot.configure("duel", turns=60, max_reply_tokens=1_000_000, **cast)
    few = asyncio.run(plan(small))  # with it, all that is needed is imported
    tracemalloc.start()
    try:
        many = asyncio.run(plan(large))
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()
    assert (few.calls, few.typical) == (many.calls, many.typical)
    assert many.bound.output == many.calls * 1_000_000
    grown = (many.bound.input - few.typical.input) / (few.bound.input - few.typical.input)
    assert grown > 1000, "what is read grows with what was written"


FORMS = ("/start", "/start/plan", *(f"/runs/RUN/{one}" for one in ("reader-votes", "answer", "vote", "note")))
FIELDS = ("protocol", "action", "topic", "model", "duel.turns", "max_cost", "choice", "voter", "key", "note", "seq")
VALUES = ("", "start", "duel", "\0", "9" * 5000, "1e999", "NaN", "[" * 9000, "\x1b[2J\u202e", "../..", "scripted//x")


def test_any_field_of_any_form_gets_an_answer(tmp_path: Path) -> None:
    run = staged(tmp_path)
    odd = [{}, *(dict.fromkeys(FIELDS, value) for value in VALUES)]
    started = [{"protocol": "duel", "topic": "Is it so?", field: "\0"} for field in FIELDS]
    with serving(tmp_path) as site, site.client() as client:
        for form in FORMS:
            for body in [*odd, *(started if form.startswith("/start") else ())]:
                answer = client.post(form.replace("RUN", run.name), data=body)
                assert answer.status_code < 500, (form, body)
        assert site.endpoint.count == 0


def nested(depth: int, opening: str, closing: str) -> str:
    return opening * depth + '"x"' + closing * depth


def test_a_deep_idea_gets_422(tmp_path: Path) -> None:
    kinds = [(500, "[", "]"), (5_000, '{"idea": ', "}"), (60_000, '[{"a": ', "}]"), (60_000, "[", "]")]
    with serving(tmp_path) as site, site.client() as client:
        for kind in kinds:
            refuse_deep(client, nested(*kind))
        assert client.get("/api/runs").json()["runs"] == []
        assert site.endpoint.count == 0


def refuse_deep(client: httpx.Client, deep: str) -> None:
    for path in ("/api/runs", "/api/plan"):
        for body in (
            f'{{"protocol": "panel", "settings": {{"idea": {deep}}}}}',
            f'{{"protocol": "panel", "topic": {deep}}}',
            f'{{"protocol": "arena", "topic": "Is it so?", "settings": {{"documents": {deep}}}}}',
            deep,
        ):
            answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
            assert (answer.status_code, answer.json().keys()) == (422, {"error"}), answer.text[:200]
    chat = f'{{"model": "panel", "messages": [{{"role": "user", "content": {deep}}}]}}'
    answer = client.post("/v1/chat/completions", content=chat, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400, answer.text[:200]


def test_a_guest_gives_documents_and_names_none(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the owner's own", "utf-8")
    mixed: list[Any] = [{"title": "t", "text": "x"}, str(secret)]
    for named in ([str(secret)], str(secret), mixed, ["http://127.0.0.1:1/"]):
        with pytest.raises(moot.ConfigError, match="with title and text, not by name"):
            requested("duel", {**TOPIC, "documents": named})
    with serving(tmp_path) as site, site.client() as client:
        answer = client.post("/api/plan", json={**TOPIC, "settings": {"documents": [str(secret)]}})
        assert answer.status_code == 422 and "the owner" not in answer.text
        answer = client.post("/api/documents", params={"name": f"../../{secret}"}, content=b"My own words.")
        assert answer.json() == {"title": "secret.txt", "text": "My own words."}
        huge = client.post("/api/documents", params={"name": "x.txt"}, content=b"x" * 10_000_001)
        assert huge.status_code == 413
        long = client.post("/api/documents", params={"name": "x.txt"}, content=b"x" * 1_000_001)
        assert long.status_code == 422
        binary = client.post("/api/documents", params={"name": "x.bin"}, content=b"\0\1")
        assert binary.status_code == 422 and "binary" in binary.text
        largest = PNG + b"x" * (3_000_000 - len(PNG))
        too_large = client.post("/api/documents", params={"name": "x.png"}, content=largest + b"x")
        assert too_large.status_code == 422 and "all images may have 3,000,000 bytes together" in too_large.text
        image = client.post("/api/documents", params={"name": "x.png"}, content=largest).json()
        assert (image["title"], image["text"]) == ("x.png", "An image (PNG, 640 × 480 pixels).")
        pictured = client.post("/api/plan", json={**TOPIC, "documents": [image], "model": "embedded/smollm2"})
        assert pictured.status_code == 200 and "D1 is an image that" in pictured.text, pictured.text
        smaller = {**image, "image": base64.b64encode(largest[:2_000_000]).decode()}
        two = client.post(
            "/start/plan", data={"protocol": "duel", "topic": "Is it?", "documents": json.dumps([smaller] * 2)}
        )
        assert two.status_code == 200 and "all images may have 3,000,000 bytes together" in two.text
        forged = client.post("/api/plan", json={**TOPIC, "documents": [{**image, "image": "bm9uZQ=="}]})
        assert forged.status_code == 422 and "no image that models take" in forged.text
        documents = [{"title": "Mine", "text": "My own words."}]
        started = client.post("/api/runs", json={**TOPIC, "documents": documents, "settings": {"turns": 2}})
        assert started.status_code == 201, started.text
        config = moot.find_run(started.json()["name"], str(tmp_path)).config
        assert [one.title for one in config.options.documents] == ["Mine"]
        form = {"protocol": "duel", "topic": "Is it so?", "documents": json.dumps(documents), "pasted": "# A\n\nb"}
        planned = client.post("/start/plan", data=form)
        assert planned.status_code == 200 and "could not be read" not in planned.text
        broken = client.post("/start/plan", data={**form, "documents": "{"})
        assert "could not be read" in broken.text
        path = client.post("/start/plan", data={**form, "documents": json.dumps([str(secret)])})
        assert "not by name" in path.text
