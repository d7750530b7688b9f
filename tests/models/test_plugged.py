"""Providers of plug-ins whose own code fails: a line each, and never a traceback."""

from pathlib import Path
from typing import Any

import pytest

import moot
from moot.models.plugged import Provider
from moot.models.registry import ModelSettings
from tests.kit.duels import MODEL, play, small_config


class Mine:
    """A model of a plug-in that fails where it is told to."""

    name, small, context_window = MODEL, False, None

    def __init__(self, *, fails_at: str) -> None:
        self.fails_at = fails_at

    async def ready(self) -> None:
        if self.fails_at == "ready":
            raise RuntimeError("the cable is out")

    async def reply(self, request: moot.Request, on_text: object = None) -> Any:
        if self.fails_at == "reply":
            raise RuntimeError("the cable is out")
        faulty: dict[str, dict[str, Any]] = {
            "end": {"finish_reason": 5},
            "text": {"text": None},
            "usage": {"usage": None},
        }
        faulty |= {"tokens": {"usage": moot.Usage("many")}}  # type: ignore[arg-type]
        made = {"text": "x", **faulty.get(self.fails_at, {})}
        return moot.ModelReply(**made) if self.fails_at in faulty else "a text and no ModelReply"


def provider_of(opened: Any) -> Provider:
    return Provider("scripted", lambda *_: opened(), "models of mine", MODEL)


def test_a_reply_that_raises_ends_the_debate_as_failed_and_it_can_be_resumed(tmp_path: Path) -> None:
    faults = {
        "reply": "RuntimeError: the cable is out",
        "": "no ModelReply: 'a text",
        "end": "finish_reason: ",
        "text": "text: ",
        "usage": "usage: ",
        "tokens": "usage.input: ",
    }
    for fails_at, reason in faults.items():
        model = provider_of(lambda at=fails_at: Mine(fails_at=at)).model(MODEL, "replies", ModelSettings())
        result = play(small_config(tmp_path), model)
        assert result.status == "failed"
        assert reason in (result.reason or "")


def test_a_model_that_cannot_say_whether_it_is_ready_is_not(tmp_path: Path) -> None:
    model = provider_of(lambda: Mine(fails_at="ready")).model(MODEL, "replies", ModelSettings())
    with pytest.raises(moot.NotReady, match="cannot be asked: RuntimeError: the cable is out"):
        play(small_config(tmp_path), model)


@pytest.mark.parametrize("opened", [lambda: 1 / 0, lambda: None], ids=["raises", "no model"])
def test_a_provider_that_opens_no_model_is_named(opened: Any) -> None:
    with pytest.raises(moot.ConfigError, match="the provider 'scripted' cannot open scripted/replies: "):
        provider_of(opened).model(MODEL, "replies", ModelSettings())


def test_a_check_that_fails_is_told_as_what_to_do() -> None:
    provider = Provider("mine", lambda *_: None, "models of mine", "mine/x", ready=lambda: bool(1 / 0))  # type: ignore[arg-type]
    assert provider.state()[0] is False
    assert provider.state()[1].startswith("its own check failed: ZeroDivisionError: division by zero")


def test_a_model_goes_by_the_name_that_was_asked_for() -> None:
    model = Mine(fails_at="")
    model.name = "replies"
    assert provider_of(lambda: model).model(MODEL, "replies", ModelSettings()).name == MODEL
