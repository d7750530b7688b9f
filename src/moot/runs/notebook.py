"""The progress of a debate in a notebook: who is at work, and what was said last. Texts are escaped."""

import sys
import time
from collections import deque
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from typing import Any

from moot.record.entry import Entry
from moot.record.events import Answered, Asked, Event, Follower, Wrote
from moot.record.payloads import Header
from moot.text import one_line, printable

LINES_SHOWN = 5
LONGEST_LINE = 160
SECONDS_BETWEEN = 0.2


def notebook_progress() -> Follower | None:
    """A follower that shows the debate below the running cell; None outside of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if getattr(shell, "kernel", None) is None:  # none, or one at a terminal
        return None
    return _Progress(import_module("IPython.display"))


@dataclass(slots=True)
class _Progress:
    display: Any
    topic: str = ""
    entries: int = 0
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=LINES_SHOWN))
    working: dict[str, str] = field(default_factory=dict)
    handle: Any = None
    shown: float = 0.0

    def __call__(self, event: Event) -> None:
        match event:
            case Wrote(entry=entry):
                self._take(entry)
                self._show()
            case Asked(key=key, agent=agent):
                self.working[key] = agent
            case Answered(key=key):
                self.working.pop(key, None)
            case _:
                return
        if time.monotonic() - self.shown >= SECONDS_BETWEEN:
            self._show()

    def _take(self, entry: Entry) -> None:
        self.entries += 1
        if isinstance(entry.data, Header):
            self.topic = entry.data.topic
        elif entry.to == "all" and entry.speaker != "moot":
            said = one_line(entry.content)
            short = said if len(said) <= LONGEST_LINE else f"{said[: LONGEST_LINE - 1]}…"
            self.lines.append(f"<b>{escape(printable(entry.speaker))}</b> · {escape(entry.type)} · {escape(short)}")

    def _show(self) -> None:
        self.shown = time.monotonic()
        names = ", ".join(dict.fromkeys(self.working.values()))
        busy = f" · at work: {escape(printable(names))}" if names else ""
        head = f"<i>{escape(one_line(self.topic))}</i> · {self.entries} entries{busy}"
        html = self.display.HTML("<br>".join([head, *self.lines]))
        if self.handle is None:
            self.handle = self.display.display(html, display_id=True)
        else:
            self.handle.update(html)
