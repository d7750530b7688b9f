"""What a guest may ask for, and what not."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field

import moot
from moot.engine.define.capabilities import PrivateKeys
from moot.engine.define.registry import get_protocol, protocol_names
from moot.service.guests import NOT_FOR_GUESTS, not_for_guests, refused_model, requested
from tests.kit.hands import registered, with_more

PROTOCOLS = protocol_names()


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_can_be_asked_for(protocol: str) -> None:
    subject = get_protocol(protocol).subject.key
    config = requested(protocol, {subject: "Is it so?", "max_calls": 7, "model": "openai/gpt-5"})
    assert config.protocol.name == protocol
    assert config.options.max_calls == 7


@pytest.mark.parametrize("key", NOT_FOR_GUESTS)
def test_what_belongs_to_the_server_cannot_be_set(key: str) -> None:
    with pytest.raises(moot.ConfigError, match=f"`{key}` cannot be set from here"):
        requested("arena", {"topic": "Is it so?", key: None})


@pytest.mark.parametrize("key", ["", "a b", "roles.judge", "1", "__class__.x", "é!"])
def test_odd_keys_are_refused_in_words(key: str) -> None:
    with pytest.raises(moot.ConfigError, match="unknown key"):
        requested("duel", {"topic": "Is it so?", key: 1})


def test_no_other_key_of_a_protocol_takes_a_path() -> None:
    """A key that names files must be on the list: this fails when a new one is added and forgotten."""
    suspicious = ("path", "file", "folder", "url", "endpoint", "evidence", "pack")
    for protocol in PROTOCOLS:
        found = {key for key in get_protocol(protocol).config.model_fields if any(word in key for word in suspicious)}
        assert found <= set(not_for_guests(get_protocol(protocol)))


def test_keys_of_a_plug_in_that_hold_a_path_or_are_kept_are_refused() -> None:
    class Reading(BaseModel):
        topic: str
        notes: Path | None = None
        more: list[Annotated[Path, "read"]] = []
        aliased: Path | None = Field(None, alias="from")

    reading = replace(with_more(), config=Reading, capabilities=(PrivateKeys({"depth": "it is dear"}),))
    assert set(not_for_guests(reading)) == {*NOT_FOR_GUESTS, "notes", "more", "aliased", "from", "depth"}
    with registered(reading):
        for key in ("notes", "more", "from", "depth"):
            with pytest.raises(moot.ConfigError, match=f"`{key}` cannot be set from here") as refused:
                requested("hands", {"topic": "Is it so?", key: "/etc/passwd"})
            assert refused.value.key == key


@pytest.mark.parametrize(
    "name",
    [
        "scripted/x",
        "scripted//etc/passwd",
        "scripted/demo:duel",
        "embedded/x.gguf",
        "embedded/../../x",
        "external",
        "external/x",
    ],
)
def test_models_that_are_not_a_guests_to_choose_are_refused(name: str) -> None:
    assert refused_model(name)


@pytest.mark.parametrize(
    "name", ["embedded", "embedded/", "embedded/smollm2", "embedded/qwen", "openai/gpt-5", "human/me"]
)
def test_other_models_are_not(name: str) -> None:
    assert refused_model(name) is None
