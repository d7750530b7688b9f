"""Script order for concurrent work.

While a debate runs, its log is a tree of branches: each holds drafts and inner branches in the order of the script.
Entries are written by walking the tree, up to the first branch that is not finished.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Generator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from moot.record.entry import Draft

T = TypeVar("T")
Work = tuple[T, int, Mapping[str, Draft]]
"""The result of concurrent work, its depth, and the lookups that are public at its end."""
here: "ContextVar[Branch]" = ContextVar("moot_branch")
"""The branch that the current task writes to."""
depth: ContextVar[int] = ContextVar("moot_depth", default=0)
"""The number of successive calls that led to the current task, each waiting for the one before."""
published: "ContextVar[Mapping[str, Draft]]" = ContextVar("moot_published", default=MappingProxyType({}))
"""The lookups that are public at this place of the script, by number, with the entries that made them so. Lookups that
concurrent work publishes count from the place where it is awaited, and so never depend on time."""


@dataclass(slots=True, eq=False)
class Branch:
    """A section of the script. While it is `open`, everything after it has to wait."""

    items: "deque[Draft | Branch]" = field(default_factory=deque)
    open: bool = True

    def fork(self) -> "Branch":
        """A new branch at the current position."""
        branch = Branch()
        self.items.append(branch)
        return branch

    def release(self, write: Callable[[Draft], None]) -> bool:
        """Write all drafts that are next in script order. True if this branch is finished and empty."""
        while self.items:
            head = self.items[0]
            if isinstance(head, Branch):
                if not head.release(write):
                    return False
            else:
                write(head)
            self.items.popleft()
        return not self.open


class Task(Generic[T]):
    """Work that runs concurrently with the script. Await it for its result, any number of times."""

    def __init__(self, task: "asyncio.Task[Work[T]]", awaited: Callable[[], None] | None = None) -> None:
        self._task = task
        self._awaited = awaited

    def __await__(self) -> Generator[Any, None, T]:
        result, reached, public = yield from self._task.__await__()
        depth.set(max(depth.get(), reached))
        if public:
            published.set({**public, **published.get()})
        if self._awaited is not None:
            self._awaited()
            self._awaited = None
        return result
