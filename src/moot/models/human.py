"""A person in the place of a model, at the terminal: the prompt is shown, the answer is typed."""

import asyncio
import json
import sys
import threading
from dataclasses import dataclass
from typing import Any, TextIO

from moot.errors import EmptyReply, NotReady
from moot.models.base import ModelReply, OnText, Request, Usage
from moot.text import printable

_terminal = asyncio.Lock()
"""One question at a time: two people may share the keyboard."""


@dataclass(frozen=True, slots=True)
class HumanModel:
    person: str
    ask: TextIO | None = None
    answer: TextIO | None = None
    small: bool = False
    context_window: int | None = None

    @property
    def name(self) -> str:
        return f"human/{self.person}"

    async def ready(self) -> None:
        if not (self.answer or sys.stdin).readable() or (self.answer is None and not sys.stdin.isatty()):
            raise NotReady(f"{self.name} needs a person at a terminal, and standard input is not one")

    async def reply(self, request: Request, on_text: OnText | None = None) -> ModelReply:  # noqa: ARG002 (typed, not streamed)
        async with _terminal:
            self._show(f"\n── {self.person}, it is your turn ({request.key}) ──\n{request.messages[-1].content}\n")
            if request.schema is None:
                self._show("\nYour answer; end it with an empty line:\n")
                text = await self._read_paragraphs()
            else:
                text = json.dumps(await self._read_fields(request.schema), ensure_ascii=False)
        if not text.strip():
            raise EmptyReply(f"{self.person} gave no answer")
        return ModelReply(text, usage=Usage(cost=0.0))

    async def _read_paragraphs(self) -> str:
        lines: list[str] = []
        while (line := await self._read_line()) and (line.strip() or not lines):
            lines.append(line.rstrip("\n"))
        return "\n".join(lines).strip()

    async def _read_fields(self, schema: dict[str, Any], path: str = "") -> dict[str, Any]:
        """One line for each field of the object that is wanted."""
        answer: dict[str, Any] = {}
        for name, field in schema.get("properties", {}).items():
            if "$ref" in field:
                field = schema["$defs"][field["$ref"].rsplit("/", 1)[1]]  # noqa: PLW2901 (the definition itself)
            if field.get("type") == "object":
                answer[name] = await self._read_fields(field, f"{path}{name} of ")
                continue
            allowed = field.get("enum") or ([field["const"]] if "const" in field else None)
            hint = f" ({' or '.join(map(str, allowed))})" if allowed else _range(field)
            self._show(f"{path}{name}{hint}: ")
            answer[name] = _value((await self._read_line()).strip(), field)
        return answer

    async def _read_line(self) -> str:
        """One line from a thread that may be left behind: an interrupt must not wait for the Enter key."""
        loop = asyncio.get_running_loop()
        line: asyncio.Future[str] = loop.create_future()

        def settle(text: str) -> None:
            if not line.done():
                line.set_result(text)

        def read() -> None:
            text = (self.answer or sys.stdin).readline()
            loop.call_soon_threadsafe(settle, text)

        threading.Thread(target=read, daemon=True, name="moot-human").start()
        return await line

    def _show(self, text: str) -> None:
        stream = self.ask or sys.stderr
        stream.write(printable(text))
        stream.flush()


def _range(field: dict[str, Any]) -> str:
    return f" ({field['minimum']} to {field['maximum']})" if "minimum" in field and "maximum" in field else ""


def _value(text: str, field: dict[str, Any]) -> Any:
    """What was typed, as the type that is wanted; left as text when it is not one, for the check to refuse."""
    if field.get("type") == "integer" and text.lstrip("-").isdecimal():
        return int(text)
    return text
