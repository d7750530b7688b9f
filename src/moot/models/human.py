"""A person instead of a model: the prompt is shown and the answer is typed, at the terminal or elsewhere."""

import asyncio
import json
import shutil
import sys
import textwrap
import threading
from dataclasses import dataclass
from typing import Any, Protocol, TextIO
from weakref import WeakKeyDictionary

from moot.errors import ConfigError, EmptyReply
from moot.models.base import ModelReply, OnText, Request, Usage
from moot.text import printable
from moot.text.fences import parts_of

TURN, NOTES = "it is your turn", "private notes (optional)"
NO_NOTES = "No notes."
"""The text in the log if a person made no notes."""
WIDEST = 100
"""Longer lines are hard to read, however wide the terminal."""
_terminals: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()
"""One question at a time, since two people may share the keyboard. A lock belongs to one event loop."""


class PersonPrompter(Protocol):
    """Asks people who are not at this terminal, such as visitors of a server, and knows which models are not
    allowed."""

    def refuses(self, model: str) -> str | None:
        """The reason why the model with this name is not allowed here, or None."""
        ...

    async def answered(self, person: str, request: Request) -> str:
        """The person's answer, without a time limit; JSON if the request has a schema."""
        ...


@dataclass(frozen=True, slots=True)
class HumanModel:
    """Asks through the `prompter`. Without one, it writes to `ask` and reads from `answer`; None means the terminal."""

    person: str
    ask: TextIO | None = None
    answer: TextIO | None = None
    prompter: PersonPrompter | None = None
    small: bool = False
    context_window: int | None = None

    @property
    def name(self) -> str:
        return f"human/{self.person}"

    async def ready(self) -> None:
        if self.prompter is None and self.answer is None and not (sys.stdin and sys.stdin.isatty()):
            raise ConfigError(f"{self.name} needs a person at a terminal, but standard input is not a terminal")

    async def reply(self, request: Request, on_text: OnText | None = None) -> ModelReply:  # noqa: ARG002 (typed, not streamed)
        if self.prompter is not None:
            return ModelReply(await self.prompter.answered(self.person, request), usage=Usage(0, 0, 0, 0.0))
        async with _terminals.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
            self._show(f"\n── {request.name or self.person}, {NOTES if request.optional else TURN} ──\n")
            self._show(_laid_out(request.messages[-1].content))
            if request.optional:
                self._show("Private notes. End with an empty line, or press Enter to skip:\n")
                text = await self._read_lines(needed=False) or NO_NOTES
            elif request.schema is None:
                self._show("Your answer; end it with an empty line:\n")
                text = await self._read_lines(needed=True)
            else:
                text = json.dumps(await self._read_fields(request.schema), ensure_ascii=False)
        return ModelReply(text, usage=Usage(0, 0, 0, 0.0))

    async def _read_lines(self, *, needed: bool) -> str:
        """All lines up to the first empty one; where a text is needed, empty lines before it are skipped."""
        lines: list[str] = []
        while (line := await self._read_line(may_end=bool(lines) or not needed)) or (needed and not lines):
            lines += [line] if line else []
        return "\n".join(lines)

    async def _read_fields(self, schema: dict[str, Any], path: str = "") -> dict[str, Any]:
        """The requested object, field by field; optional fields are not asked for."""
        answer: dict[str, Any] = {}
        for name in schema.get("required", schema.get("properties", {})):
            field = schema["properties"][name]
            if "$ref" in field:
                field = schema["$defs"][field["$ref"].rsplit("/", 1)[1]]
            if field.get("type") == "array" and field.get("items", {}).get("type") == "string":
                answer[name] = await self._read_list(f"{path}{name}", field["items"])
            elif field.get("type") == "array" and "$ref" in field.get("items", {}):
                answer[name] = await self._read_objects(f"{path}{name}", field["items"]["$ref"], schema)
            elif {"type": "null"} in field.get("anyOf", ()):
                answer[name] = await self._read_field(f"{path}{name}", field["anyOf"][0], optional=True)
            elif field.get("type") == "object":
                answer[name] = await self._read_fields(field, f"{path}{name} of ")
            elif "const" in field:
                answer[name] = field["const"]
            else:
                answer[name] = await self._read_field(f"{path}{name}", field)
        return answer

    async def _read_list(self, name: str, item: dict[str, Any]) -> list[Any]:
        """One value per line, up to an empty line."""
        self._show(f"{name}, one on each line; end with an empty line:\n")
        values: list[Any] = []
        while line := (await self._read_line(may_end=True)).strip():
            value = _value(line, item)
            if value is None:
                self._show(f"Please enter {_hint(item)}.\n")
            else:
                values.append(value)
        return values

    async def _read_objects(self, name: str, reference: str, schema: dict[str, Any]) -> list[Any]:
        """As many objects as the person wants to give."""
        item, values = schema["$defs"][reference.rsplit("/", 1)[1]], list[Any]()
        while True:
            self._show(f"{name}: {len(values)} so far. Press Enter to finish, or type another: ")
            if not (await self._read_line(may_end=True)).strip():
                return values
            values.append(await self._read_fields(item | {"$defs": schema["$defs"]}, f"{name} {len(values) + 1}, "))

    async def _read_field(self, name: str, field: dict[str, Any], *, optional: bool = False) -> Any:
        """One value on one line, or none if it is optional; asks again until it is valid."""
        hint = "Enter for none" if optional else _hint(field)
        while True:
            self._show(f"{name} ({hint}): " if hint else f"{name}: ")
            line = (await self._read_line(may_end=optional)).strip()
            if (value := _value(line, field)) is not None or (optional and not line):
                return value
            self._show(f"Please enter {_hint(field) or 'some text'}.\n")

    async def _read_line(self, *, may_end: bool = False) -> str:
        """One line, from a thread that may be left behind: an interrupt must not wait for the Enter key."""
        loop = asyncio.get_running_loop()
        line: asyncio.Future[str] = loop.create_future()

        def settle(text: str) -> None:
            if not line.done():
                line.set_result(text)

        def read() -> None:
            text = (self.answer or sys.stdin).readline()
            loop.call_soon_threadsafe(settle, text)

        threading.Thread(target=read, daemon=True, name="moot-human").start()
        text = await line
        if not text and not may_end:
            raise EmptyReply(f"{self.person} gave no answer")
        return text.rstrip()

    def _show(self, text: str) -> None:
        stream = self.ask or sys.stderr
        stream.write(printable(text))
        stream.flush()


def _laid_out(question: str) -> str:
    """The question in lines that fit the terminal, with quoted text indented."""
    width = min(shutil.get_terminal_size().columns, WIDEST)
    parts: list[str] = []
    for one in parts_of(question):
        indent = "    " if one.label else ""
        lines = [
            textwrap.fill(
                line,
                width,
                initial_indent=indent,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            )
            for line in one.text.split("\n")
        ]
        parts.append("\n".join([f"{one.label[:1].upper()}{one.label[1:]}:", *lines] if one.label else lines))
    return "\n\n".join(parts) + "\n\n"


def _hint(field: dict[str, Any]) -> str:
    """The values that a field accepts, in words."""
    if "enum" in field:
        return " or ".join(map(str, field["enum"]))
    if "minimum" in field and "maximum" in field:
        return f"{field['minimum']} to {field['maximum']}"
    return ""


def _value(text: str, field: dict[str, Any]) -> Any:
    """The typed text as a value of this field; None if it is not valid. Letter case does not matter for a choice."""
    if "enum" in field:
        return next((choice for choice in field["enum"] if str(choice).casefold() == text.casefold()), None)
    if field.get("type") == "integer":
        whole = text.isdecimal() and len(text) < 10
        return int(text) if whole and field.get("minimum", 0) <= int(text) <= field.get("maximum", 10**9) else None
    return text or None
