"""Script order for work that runs side by side.

The log is a tree of branches while it is being made: each branch holds drafts and inner branches in the order
of the script. What comes out is a walk over that tree, as far as everything before it is done.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Generator
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from moot.record.entry import Draft

T = TypeVar("T")
here: "ContextVar[Branch]" = ContextVar("moot_branch")
"""The branch that the running work writes to."""
depth: ContextVar[int] = ContextVar("moot_depth", default=0)
"""How many calls, each waiting for the one before, led to where the running work is."""


@dataclass(slots=True, eq=False)
class Branch:
    """A stretch of the script. While it is `open`, what stands after it has to wait."""

    items: "deque[Draft | Branch]" = field(default_factory=deque)
    open: bool = True

    def fork(self) -> "Branch":
        """A new branch at this point of this one."""
        branch = Branch()
        self.items.append(branch)
        return branch

    def release(self, write: Callable[[Draft], None]) -> bool:
        """Write all that is next in script order; True when nothing more can come from this branch."""
        while self.items:
            head = self.items[0]
            if isinstance(head, Branch):
                if not head.release(write):
                    return False
            else:
                write(head)
            self.items.popleft()
        return not self.open


class Aside(Generic[T]):
    """Work going on beside the script. Await it for its result, any number of times."""

    def __init__(self, task: "asyncio.Task[tuple[T, int]]", awaited: Callable[[], None] | None = None) -> None:
        self._task = task
        self._awaited = awaited

    def __await__(self) -> Generator[Any, None, T]:
        result, reached = yield from self._task.__await__()
        depth.set(max(depth.get(), reached))
        if self._awaited is not None:
            self._awaited()
            self._awaited = None
        return result
