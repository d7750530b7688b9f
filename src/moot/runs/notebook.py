"""The progress of a debate in a notebook: what was said last. Texts are escaped."""

import sys
from collections import deque
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from typing import Any

from moot.record.events import Event, Follower, Wrote
from moot.record.payloads import Header
from moot.text import clip, one_line, printable

LINES_SHOWN = 5
LONGEST_LINE = 160


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
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=LINES_SHOWN))
    handle: Any = None

    def __call__(self, event: Event) -> None:
        if not isinstance(event, Wrote):
            return
        entry = event.entry
        if isinstance(entry.data, Header):
            self.topic = entry.data.topic
        elif entry.to == "all" and entry.speaker != "moot":
            short = clip(one_line(entry.content), LONGEST_LINE)
            self.lines.append(f"<b>{escape(printable(entry.speaker))}</b> · {escape(entry.type)} · {escape(short)}")
        head = f"<i>{escape(one_line(self.topic))}</i> · {entry.seq + 1} entries"
        html = self.display.HTML("<br>".join([head, *self.lines]))
        if self.handle is None:
            self.handle = self.display.display(html, display_id=True)
        else:
            self.handle.update(html)
