"""Images as documents: sent to models that take them, known by their hash, and said to be unseen where they are."""

import asyncio
import base64
import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.models.anthropic import document_of
from moot.models.base import Image, Message, Request
from moot.record.payloads import Given, Misquote
from moot.testing import ScriptedModel
from tests.kit.duels import assert_sound, full_script, play, small_config
from tests.kit.endpoint import FakeEndpoint, Fault, fail
from tests.kit.images import PNG
from tests.kit.lookups import codes

pytestmark = pytest.mark.usefixtures("reports_are_read")

DATA = base64.b64encode(PNG).decode()
HASH = hashlib.sha256(PNG).hexdigest()


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bridge.png").write_bytes(PNG)
    return tmp_path


def config(**settings: Any) -> moot.RunConfig:
    return small_config(Path("runs"), documents=["bridge.png", {"title": "Notes", "text": "Two cables."}], **settings)


def test_a_model_that_takes_images_sees_them() -> None:
    said = "[D1] shows “nine cables and a broken deck”, and “Two cables” [D2]."
    replies = full_script(2) | {"A/turn/1": said}
    model = ScriptedModel(replies, takes_images=True)
    result = play(config(), model)
    assert {request.images for request in model.requests} == {(Image("image/png", DATA),)}
    system = model.requests[0].messages[0].content
    assert "An image (PNG, 640 × 480 pixels)." in system and "D1 is among the images of the first message" in system
    assert HASH in system, "so that the request cannot be another with another image"
    run = moot.find_run(result.run)
    first = next(entry.data for entry in run.entries() if isinstance(entry.data, Given))
    assert (first.document, first.image, first.sha256) == ("D1", "image/png", HASH)
    assert "images_not_shown" not in codes(result)
    assert not [entry for entry in run.entries() if isinstance(entry.data, Misquote)], "what it shows is not checked"
    holding = [file.name for file in run.path.iterdir() if DATA[:100] in file.read_text("utf-8")]
    assert holding == ["config.yaml"], "everywhere else it is known by its hash"
    assert_sound(run)


def test_a_model_that_takes_none_is_told_so_and_readers_too() -> None:
    model = ScriptedModel(full_script(2))
    result = play(config(), model)
    assert not any(request.images for request in model.requests)
    assert "You cannot see D1" in model.requests[0].messages[0].content
    assert codes(result)["images_not_shown"] == (
        "D1 is an image that is not shown to Ada, Bo and Kim: their models take none, or refused it."
    )
    assert "documents_cut" not in codes(result)


def test_a_server_that_refuses_images_is_asked_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(_: int, body: dict[str, Any]) -> Fault | None:
        return fail(400, "image input is not supported by this model") if "image_url" in json.dumps(body) else None

    async def run() -> tuple[moot.Result, FakeEndpoint]:
        async with FakeEndpoint(faults=refusing) as endpoint:
            monkeypatch.setenv("BLIND_BASE_URL", endpoint.url)
            return await moot.run(config(model="blind/x")), endpoint

    result, endpoint = asyncio.run(run())
    assert result.status == "done", result.reason
    content = endpoint.requests[0]["messages"][1]["content"]
    assert [part["type"] for part in content] == ["text", "image_url"]
    assert content[1]["image_url"]["url"] == f"data:image/png;base64,{DATA}"
    assert "images_not_shown" in codes(result)
    refused = [one for one in endpoint.requests if "image_url" in json.dumps(one)]
    assert len(refused) <= 2, "the two debaters may be asked at the same time; it is known after that"
    assert_sound(moot.find_run(result.run))


def test_images_on_other_wires() -> None:
    messages = (Message("system", "S"), Message("user", "U"), Message("assistant", "A"), Message("user", "V"))
    request = Request("k", "A", messages, images=(Image("image/png", DATA),))
    [image, words] = document_of("claude", request, constrained=False)["messages"][0]["content"]
    assert image == {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": DATA}}
    assert words == {"type": "text", "text": "U"}


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (PNG[:16] + struct.pack(">II", 60_000, 60_000) + PNG[24:], "8,000 pixels"),
        (PNG + b"x" * 3_000_000, "image"),
    ],
)
def test_images_that_are_too_large(place: Path, body: bytes, fault: str) -> None:
    (place / "bridge.png").write_bytes(body)
    with pytest.raises(moot.ConfigError, match=fault):
        config()


def test_what_is_no_image() -> None:
    for wrong in ("not base64!", base64.b64encode(b"<svg onload=alert(1)>").decode()):
        with pytest.raises(moot.ConfigError, match="no image that models take"):
            small_config(Path("runs"), documents=[{"title": "T", "text": "An image.", "image": wrong}])


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"GIF89a" + struct.pack("<HH", 30, 20) + b"rest", "GIF, 30 × 20"),
        (b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x0b\x08" + struct.pack(">HH", 20, 30) + b"\3" * 9, "JPEG, 30 × 20"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "WEBP)"),
    ],
)
def test_kinds_of_images(place: Path, body: bytes, words: str) -> None:
    (place / "bridge.png").write_bytes(body)
    assert words in config().options.documents[0].text
