"""The display of a running debate.

Entries become pieces, which are laid out for a terminal or for a log file. Text from models and users is data: it goes
through `printable` and rich's Text, and is never read as markup.
"""

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from threading import Lock, Thread

from rich.console import Console, Group, RenderableType
from rich.constrain import Constrain
from rich.live import Live
from rich.style import Style
from rich.text import Text

from moot import Entry, Event, Follower
from moot.cli.entry_text import Teller
from moot.cli.layout import DIM, Piece, laid_out, print_as_lines, row
from moot.cli.options import close_stream
from moot.cli.wording import WIDEST, clean, duration, spending, total
from moot.engine.staging.activity import doing, place, step_of
from moot.plugins.features import offered
from moot.record.events import Answered, Asked, Retried, Started, Streamed, Wrote
from moot.text import one_line

REFRESH_PER_SECOND = 12
PREVIEW_LINES = 3
MOST_CALLS_SHOWN = 6
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


@contextmanager
def show_downloads(console: Console, display: str) -> Iterator[None]:
    """Show what features download while inside."""
    with ExitStack() as stack:
        for show_its in offered("downloads"):
            stack.enter_context(show_its(console, display))
        yield


@contextmanager
def open_display(kind: str, console: Console) -> Iterator[Follower]:
    """A follower that shows a debate on the console: `full`, `plain`, `json` or `none`.

    `full` needs a terminal that can move its cursor and write Unicode; otherwise it is `plain`. If the reader leaves,
    as `head` does, the debate continues without a display.
    """
    if kind == "none":
        yield lambda _: None
    elif kind == "json":
        yield _until_left(lambda event: _write_json(event, console), console)
    elif kind in ("full", "plain"):
        able = console.is_terminal and not console.is_dumb_terminal and console.encoding.startswith("utf")
        display = _Display(console, moving=kind == "full" and able)
        try:
            yield _until_left(display, console)
        finally:
            with _letting_go(console):
                display.close()
    else:
        raise ValueError(f"no display is called {kind!r}")


def _until_left(show_event: Follower, console: Console) -> Follower:
    def follow(event: Event) -> None:
        with _letting_go(console):
            show_event(event)

    return follow


@contextmanager
def _letting_go(console: Console) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        close_stream(console.file)


def _write_json(event: Event, console: Console) -> None:
    """Write a new entry as a line of JSON. ASCII works with every terminal and encoding."""
    if isinstance(event, Wrote) and not event.again:
        console.file.write(event.entry.model_dump_json(ensure_ascii=True) + "\n")
        console.file.flush()


class _Display:
    """Entries scroll by. On terminals with a movable cursor, a live region below them shows the current activity."""

    def __init__(self, console: Console, *, moving: bool) -> None:
        self._console = console
        self._moving = moving
        self._teller = Teller()
        self._activity = _Activity(console, self._teller)
        self._waiting: list[Piece] = []
        self._last_look = ""
        self._live: Live | None = None
        # Rich notes how many lines to go up before it has written them. If two threads draw at the same time, one goes
        # up too far, over earlier output, or not far enough. So all drawing is done under this lock.
        self._drawing = Lock()

    def __call__(self, event: Event) -> None:
        self._activity.note(event)
        if isinstance(event, Started | Streamed):
            return
        if isinstance(event, Wrote):
            piece = self._teller.tell(event.entry)
            if not event.again:
                self._tell_standing("; continuing from there")
                self._waiting.append(piece)
        elif isinstance(event, Retried):
            self._waiting.append(_retried(event, self._teller.cast.style_of(event.agent)))
        # Do not disturb a person who is typing: nothing moves or is printed until the answer is complete.
        with self._drawing:
            if self._activity.person_at_keyboard:
                self._stop()
            else:
                self._start()
                self._print_waiting()

    def close(self) -> None:
        with self._drawing:
            self._stop()
            self._tell_standing("")
            self._print_waiting()

    def _tell_standing(self, ending: str) -> None:
        """Summarise the entries that a resumed run found in its log. They all come before anything new."""
        if count := self._activity.take_standing():
            self._waiting.append(row("·", Text(_standing(count) + ending, DIM)))

    def _print_waiting(self) -> None:
        for piece in self._waiting:
            if not self._moving:
                print_as_lines(piece, self._console)
                continue
            apart = () if piece.look == self._last_look == "row" else (Text(),)
            self._console.print(Constrain(Group(*apart, laid_out(piece)), WIDEST))
            self._last_look = piece.look
        self._waiting.clear()

    def _start(self) -> None:
        if self._moving and self._live is None:
            self._live = Live(
                console=self._console,
                get_renderable=self._activity.frame,
                auto_refresh=False,  # rich's thread would not wait for other output
                transient=True,
                redirect_stdout=False,  # the console is stderr; stdout is for the result
            )
            self._live.start()
            Thread(target=self._keep_moving, args=(self._live,), daemon=True).start()

    def _keep_moving(self, live: Live) -> None:
        while True:
            time.sleep(1 / REFRESH_PER_SECOND)
            with self._drawing:
                if not live.is_started:
                    return
                live.refresh()

    def _stop(self) -> None:
        # A stopped Live still assumes that its lines are on the screen, so each start needs a new one.
        if self._live is not None:
            self._live.stop()
            self._live = None


def _retried(event: Retried, style: Style) -> Piece:
    again = f"; again in {event.wait:.1f} s" if event.wait else ""
    failed = f" failed at {one_line(event.key)} with {one_line(event.model)}: {one_line(event.reason)}{again}"
    return row("↻", Text(style="yellow").append(one_line(event.agent), style).append(failed))


@dataclass(slots=True)
class _Call:
    key: str
    model: str
    since: float
    text: str = ""
    again_at: float = 0.0

    def aloud(self, teller: Teller) -> bool:
        return step_of(teller.live, self.key) in teller.live.public_steps


class _Activity:
    """The agents that are answering now, and the cost of the debate so far.

    A separate thread draws the live region, hence the lock.
    """

    def __init__(self, console: Console, teller: Teller) -> None:
        self._console = console
        self._teller = teller
        self._lock = Lock()
        self._started = time.monotonic()
        self._calls: dict[str, _Call] = {}  # by agent, which answers one question at a time
        self._spoken: dict[str, str] = {}
        self._standing = 0
        self._entries: list[Entry] = []
        self._placed = 0, teller.live, ""
        self._answers = 0
        self._tokens: int | None = 0
        self._cost: float | None = 0.0

    @property
    def person_at_keyboard(self) -> bool:
        return any(call.model.startswith("human/") for call in self._calls.values())

    def note(self, event: Event) -> None:
        now = time.monotonic()
        with self._lock:
            match event:
                case Wrote(entry, again):
                    self._standing += again
                    self._entries.append(entry)
                    self._spoken.pop(entry.call or "", None)
                case Asked(key, agent, model):
                    self._calls[agent] = _Call(key, model, now)
                case Streamed(_, agent, text) if agent in self._calls:
                    self._calls[agent].text += text
                case Retried(key, agent, model, wait=wait) if wait:
                    self._calls[agent] = _Call(key, model, now, again_at=now + wait)
                case Retried():
                    self._calls.pop(event.agent, None)
                case Answered(key, agent, _, usage):
                    call = self._calls.pop(agent, None)
                    self._answers += 1
                    self._tokens = total(self._tokens, usage.input, usage.output)
                    self._cost = total(self._cost, usage.cost)
                    if call and call.aloud(self._teller):
                        self._spoken[key] = agent

    def take_standing(self) -> int:
        count, self._standing = self._standing, 0
        return count

    def frame(self) -> RenderableType:
        """The current live region."""
        now, width = time.monotonic(), min(self._console.width, WIDEST)
        with self._lock:
            lines = [Text(_standing(self._standing), DIM)] if self._standing else []
            lines += [
                Text.assemble(("✓ ", "green"), (one_line(agent), self._teller.cast.style_of(agent)), " has spoken")
                for agent in self._spoken.values()
            ]
            shown = self._preview()
            for agent, call in list(self._calls.items())[:MOST_CALLS_SHOWN]:
                lines.append(self._call_line(agent, call, now))
                if call is shown:
                    lines += _tail(call, self._console, width - 4, aloud=call.aloud(self._teller))
            if (more := len(self._calls) - MOST_CALLS_SHOWN) > 0:
                lines.append(Text(f"  and {more} more", DIM))
            at = self._place()
            spent = spending(self._answers, self._tokens, self._cost)
        lines.append(Text("  " + " · ".join(filter(None, [at, spent, duration(now - self._started)])), DIM))
        return Constrain(Text("\n", no_wrap=True, overflow="ellipsis").join([Text(), *lines]), WIDEST)

    def _place(self) -> str:
        """Where the debate stands. The header brings the protocol, so the words count too."""
        known = len(self._entries), self._teller.live
        if self._placed[:2] != known:
            self._placed = *known, place(self._teller.live, self._entries)
        return self._placed[2]

    def _preview(self) -> _Call | None:
        """The call whose text is shown while it arrives: public text before private thoughts, and never JSON."""
        prose = [call for call in self._calls.values() if re.match(r"\s*[^\s{`]", call.text)]
        shown = min(prose, key=lambda call: not call.aloud(self._teller), default=None)
        return shown if shown and (shown.aloud(self._teller) or not self._teller.cast.people) else None

    def _call_line(self, agent: str, call: _Call, now: float) -> Text:
        spinner = SPINNER[int(now * REFRESH_PER_SECOND) % len(SPINNER)]
        line = Text.assemble((spinner, "green"), " ", (one_line(agent), self._teller.cast.style_of(agent)))
        if call.again_at > now:
            return line.append(f" tries again in {call.again_at - now:.1f} s · {one_line(call.model)}", "yellow")
        return line.append(f" {doing(self._teller.live, call.key)}").append(
            f" · {now - call.since:.1f} s · {one_line(call.model)}", DIM
        )


def _tail(call: _Call, console: Console, width: int, *, aloud: bool) -> list[Text]:
    """The last lines of a growing text."""
    # Only the end is wrapped, from a position that moves in large steps; if it moved a little, so would every line.
    start = max(0, len(call.text) // 1000 * 1000 - 1000)
    style = Style() if aloud else DIM
    lines = Text(clean(call.text[start:]), style).wrap(console, max(width, 10))
    return [Text("  ").append_text(line) for line in lines[-PREVIEW_LINES:]]


def _standing(count: int) -> str:
    return "1 entry stands already" if count == 1 else f"{count} entries stand already"
