"""A duel as a list of calls, which the contestants other than moot follow.

Recorded from a real run of moot, so that everybody sends the same messages in the same order of dependence.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Call:
    """`needs` are the keys of the calls that must be answered before this one can be made."""

    key: str
    agent: str
    prompt: str
    needs: list[str]


@dataclass(frozen=True, slots=True)
class Script:
    """`systems` are the system prompts by agent; a call stands after all that it needs."""

    systems: dict[str, str]
    calls: list[Call]

    @property
    def longest_chain(self) -> int:
        depth: dict[str, int] = {}
        for call in self.calls:
            depth[call.key] = 1 + max((depth[need] for need in call.needs), default=0)
        return max(depth.values())


def save(script: Script, path: Path) -> None:
    path.write_text(json.dumps(asdict(script)), "utf-8")


def load(path: Path) -> Script:
    document = json.loads(path.read_text("utf-8"))
    return Script(document["systems"], [Call(**call) for call in document["calls"]])


async def follow(script: Script, ask: Callable[[Call], Awaitable[None]]) -> None:
    """Make every call of the script as soon as those it needs are answered."""
    answered: dict[str, asyncio.Task[None]] = {}

    async def make(call: Call) -> None:
        for need in call.needs:
            await answered[need]
        await ask(call)

    for call in script.calls:
        answered[call.key] = asyncio.create_task(make(call))
    await asyncio.gather(*answered.values())
