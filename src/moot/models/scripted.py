"""Replies from a script instead of a model: for tests, for demonstrations, for repeating a debate by hand.

Strict: a call without a reply in the script is an error, and so is an unused reply.
"""

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from moot.errors import ConfigError, ModelError, MootError, Rejected
from moot.models.base import ModelReply, OnText, Request, Usage

Scripted = str | Mapping[str, Any] | ModelError
"""Text; an object, sent as JSON; or an error to raise."""
DEMO = "scripted/demo:"
"""The prefix of the models of hand-written debates."""
Script = Mapping[str, Scripted | list[Scripted]] | Callable[[Request], Scripted]
"""Replies by call key, a list being one reply for each time the key is asked; or a function of the request."""


class UnusedReplies(MootError):
    """A debate ended, but its script has unused replies."""

    def __init__(self, name: str, keys: list[str]) -> None:
        super().__init__(f"{name} has replies that nobody asked for: {', '.join(keys)}")
        self.keys = keys


@dataclass(slots=True, eq=False)
class ScriptedModel:
    """`requests` records the requests in order. `words_per_second` makes it speak at reading speed."""

    script: Script
    name: str = "scripted/replies"
    small: bool = False
    context_window: int | None = None
    words_per_second: float | None = None
    takes_images: bool = False
    requests: list[Request] = field(default_factory=list)
    _raised: list[str] = field(default_factory=list)

    async def ready(self) -> None:
        pass

    async def reply(self, request: Request, on_text: OnText | None = None) -> ModelReply:
        self.requests.append(request)
        scripted = self.script(request) if callable(self.script) else self._next(request)
        if isinstance(scripted, ModelError):
            raise scripted
        text = scripted if isinstance(scripted, str) else json.dumps(scripted, ensure_ascii=False)
        await self._speak(text, on_text)
        tokens = sum([len(message.content) for message in request.messages]) // 4
        return ModelReply(text, usage=Usage(input=tokens, cached=0, output=len(text) // 4, cost=0.0))

    def unused(self, answered: Iterable[str]) -> list[str]:
        """The keys of the script that are not among those answered."""
        return [] if callable(self.script) else sorted(set(self.script) - set(answered))

    def _next(self, request: Request) -> Scripted:
        key = request.key
        if callable(self.script) or key not in self.script:
            raise Rejected(f"the script has no reply at {key}")
        scripted = self.script[key]
        if not isinstance(scripted, list):
            return scripted
        # A resumed debate continues with the attempt it had reached; an error that was raised counts as asked, too.
        place = request.attempt - 1 + self._raised.count(key)
        if place >= len(scripted):
            raise Rejected(f"the script has {len(scripted)} replies at {key}, and it was asked once more")
        if isinstance(scripted[place], ModelError):
            self._raised.append(key)
        return scripted[place]

    async def _speak(self, text: str, on_text: OnText | None) -> None:
        # Even an instant reply takes its turn: without this, calls made side by side would run one after the other.
        await asyncio.sleep(0)
        if on_text is None:
            return
        for word in re.findall(r"^\s+|\S+\s*", text.rstrip()):
            if self.words_per_second:
                await asyncio.sleep(1 / self.words_per_second)
            on_text(word)


def scripted_model(path: str) -> ScriptedModel:
    """The model `scripted/FILE`: a YAML or JSON file that maps call keys to replies. `demo:NAME` is the hand-written
    debate of a protocol."""
    if is_demo(f"scripted/{path}"):
        return open_demo(path.removeprefix("demo:"))
    return scripted_in(read_script(Path(path)), path)


def read_script(path: Path) -> bytes:
    """The content of a script; ConfigError if it cannot be read."""
    from moot.text.yaml import read_file

    return read_file(path)


def scripted_in(content: bytes, path: str) -> ScriptedModel:
    """The model `scripted/FILE` for a file with this content."""
    from moot.text.yaml import parse_yaml

    script = parse_yaml(content, path)
    for key, value in script.items():
        if not all(isinstance(reply, str | dict) for reply in (value if isinstance(value, list) else [value])):
            raise ConfigError(f"{path}: the reply at {key!r} must be a text, a mapping, or a list of these")
    return ScriptedModel(script, name=f"scripted/{path}")


def open_demo(name: str, words_per_second: float | None = None) -> ScriptedModel:
    """The hand-written debate of a protocol, as the model `scripted/demo:NAME`."""
    return ScriptedModel(read_demo(name).script, name=f"{DEMO}{name}", words_per_second=words_per_second)


@dataclass(frozen=True, slots=True)
class Demo:
    """A hand-written debate of a protocol. `title` is its topic or shorter, `shows` is what there is to see in it, and
    `flags` are the codes of the flags that belong to its story."""

    name: str
    title: str
    shows: str
    settings: Mapping[str, Any]
    script: Mapping[str, Scripted | list[Scripted]]
    flags: tuple[str, ...] = ()


def demo_names() -> list[str]:
    """The protocols with a hand-written debate."""
    return sorted(file.name.removesuffix(".yaml") for file in (files("moot") / "data" / "demos").iterdir())


def is_demo(model: str) -> bool:
    """Whether a model is a hand-written debate that comes with moot, not a file of the user."""
    return model.startswith(DEMO) and model.removeprefix(DEMO) in demo_names()


def read_demo(name: str) -> Demo:
    """The hand-written debate of a protocol."""
    from moot.text.yaml import shipped_yaml

    given = dict(shipped_yaml("moot", f"data/demos/{name}.yaml"))
    title, shows = given.pop("title", None) or given["topic"], given.pop("shows")
    script, flags = given.pop("script"), tuple(given.pop("flags", ()))
    return Demo(name, title, shows, given, script, flags)
