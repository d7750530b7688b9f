"""What a person sees while a debate runs.

Entries are put into pieces, and pieces laid out for a terminal or for a log file. Whatever a model or a user
wrote is data here: it is shown through `printable` and rich's Text, and never read as markup.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any, Literal

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.constrain import Constrain
from rich.live import Live
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.style import Style
from rich.table import Table
from rich.text import Text

from moot import Answered, Asked, Entry, Event, Follower, Retried, Started, Streamed, Wrote
from moot.cli.summary import WIDEST, clean, colour, duration, one_line, show, spending, total, winner_line

REFRESH_PER_SECOND = 12
PREVIEW_LINES = 3
MOST_CALLS_SHOWN = 6
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
MOVEMENT = {1: (" ▲", "green"), 0: (" =", "dim"), -1: (" ▼", "red")}
DIM = Style(dim=True)
STEPS = {
    "plan": "is planning",
    "think": "is thinking",
    "turn": "is speaking",
    "evaluate": "is weighing",
    "score": "is scoring",
    "deliberate": "is deliberating",
    "confirm": "is naming the winner",
    "extract": "is putting it into figures",
    "announce": "is announcing the verdict",
    "summary": "is summing up what came before",
}
ALOUD = ("turn", "announce")
"""The steps of a script whose replies are public."""


@contextmanager
def open_display(kind: str, console: Console) -> Iterator[Follower]:
    """A follower that shows a debate on the console: `full`, `plain`, `json` or `none`.

    `full` needs a terminal that can move its cursor and write Unicode; anywhere else it is `plain`.
    """
    if kind == "none":
        yield lambda _: None
    elif kind == "json":
        yield lambda event: _write_json(event, console)
    elif kind in ("full", "plain"):
        able = console.is_terminal and not console.is_dumb_terminal and console.encoding.startswith("utf")
        display = _Display(console, moving=kind == "full" and able)
        try:
            yield display
        finally:
            display.close()
    else:
        raise ValueError(f"no display is called {kind!r}")


def _write_json(event: Event, console: Console) -> None:
    """The entry as a line of JSON, if one was written now. ASCII: no terminal or encoding can stumble over it."""
    if isinstance(event, Wrote) and not event.again:
        console.file.write(event.entry.model_dump_json(ensure_ascii=True) + "\n")
        console.file.flush()


class _Display:
    """Entries scroll by; below them, where the cursor can be moved, a live region tells what is going on."""

    def __init__(self, console: Console, *, moving: bool) -> None:
        self._console = console
        self._moving = moving
        self._teller = _Teller()
        self._activity = _Activity(console, self._teller)
        self._waiting: list[_Piece] = []
        self._last_look = ""
        self._live: Live | None = None

    def __call__(self, event: Event) -> None:
        self._activity.note(event)
        if isinstance(event, Started | Streamed):
            return
        if isinstance(event, Wrote):
            piece = self._teller.tell(event.entry)
            if not event.again:
                self._tell_standing("; going on from there")
                self._waiting.append(piece)
        elif isinstance(event, Retried):
            self._waiting.append(_retried(event, self._teller.style_of(event.agent)))
        # A person who types is left alone: nothing moves and nothing is printed until the answer is in.
        if self._activity.person_at_keyboard:
            self._stop()
        else:
            self._start()
            self._print_waiting()

    def close(self) -> None:
        self._stop()
        self._tell_standing("")
        self._print_waiting()

    def _tell_standing(self, ending: str) -> None:
        """Sum up what a resumed run found in its log. All of that comes before anything new."""
        if count := self._activity.take_standing():
            self._waiting.append(_row("·", Text(_standing(count) + ending, DIM)))

    def _print_waiting(self) -> None:
        for piece in self._waiting:
            if not self._moving:
                show(self._console, _as_lines(piece), soft_wrap=True)
                continue
            apart = () if piece.look == self._last_look == "row" else (Text(),)
            self._console.print(Constrain(Group(*apart, _laid_out(piece)), WIDEST))
            self._last_look = piece.look
        self._waiting.clear()

    def _start(self) -> None:
        if self._moving and self._live is None:
            self._live = Live(
                console=self._console,
                get_renderable=self._activity.frame,
                refresh_per_second=REFRESH_PER_SECOND,
                transient=True,
                redirect_stdout=False,  # the console is on stderr, and stdout is for the result
            )
            self._live.start()

    def _stop(self) -> None:
        # A Live that was stopped still believes its lines to be on the screen, so each start takes a new one.
        if self._live is not None:
            self._live.stop()
            self._live = None


@dataclass(frozen=True, slots=True)
class _Piece:
    """One thing to show: a label and what was said, which stands beside it in a row and below it elsewhere."""

    look: Literal["panel", "speech", "thought", "row"]
    label: Text
    body: Text
    style: Style = DIM


def _row(sign: str, body: Text) -> _Piece:
    return _Piece("row", Text.assemble((sign, body.style)), body)


def _laid_out(piece: _Piece) -> RenderableType:
    match piece.look:
        case "panel":
            return Panel(piece.body, title=piece.label, title_align="left", border_style=piece.style)
        case "speech":
            return Group(Rule(piece.label, align="left", style=piece.style), Padding(piece.body, (0, 2)))
        case "thought":
            return Padding(Group(piece.label, piece.body), (0, 4, 0, 6))
        case "row":
            grid = Table.grid(padding=(0, 1, 0, 0))
            grid.add_row(piece.label, piece.body)
            return Padding(grid, (0, 2))


def _as_lines(piece: _Piece) -> Text:
    """Every line of a text is indented, so that none can pass for one of ours."""
    if piece.look == "row":
        return Text(" ").join([piece.label, piece.body])
    indented = (Text("    ").append_text(line) for line in piece.body.split("\n"))
    return Text("\n").join([piece.label, *indented])


class _Teller:
    """Puts entries into pieces. Remembers the cast, and the scores so that the next can show where it came from."""

    def __init__(self) -> None:
        self._styles: dict[str, Style] = {}
        self._sides: dict[str, str | None] = {}
        self._turns = 0
        self._scores: dict[str, int] = {}
        self.people: set[str] = set()

    def style_of(self, name: str) -> Style:
        return self._styles.get(name, Style(bold=True))

    def tell(self, entry: Entry) -> _Piece:
        if self.people and entry.to not in ("all", []) and self.people.isdisjoint(entry.to):
            # Somebody who takes part looks at this screen, and nobody sees what is not theirs.
            return _row("·", Text(f"{one_line(entry.speaker)}, in private: {entry.type}", DIM))
        data: Any = entry.data  # of the class that goes with the entry's type
        match entry.type if data and not entry.outside else "":
            case "header":
                return self._header(data)
            case "turn":
                return self._statement(entry, data.turn)
            case "score":
                return self._score(data)
            case "verdict":
                return self._verdict(entry, data)
            case "switch":
                return _row("⇄", Text(one_line(entry.content), "yellow"))
            case "summary":
                what = f"a summary of its {len(data.replaced)} oldest exchanges"
                return _row("≡", Text(f"{one_line(data.agent)} goes on with {what}", DIM))
        if entry.type in ("plan", "think") and not entry.outside:
            label = self._name(entry.speaker).append(f" {entry.type}s", "italic dim")
            return _Piece("thought", label, Text(clean(entry.content), DIM))
        text = f"{entry.type} · {one_line(entry.speaker)}: {one_line(entry.content)}"
        return _row("↪", Text(f"from outside · {text}", DIM)) if entry.outside else _row("·", Text(text, DIM))

    def _name(self, name: str) -> Text:
        return Text.assemble((one_line(name), self.style_of(name)))

    def _header(self, header: Any) -> _Piece:
        for index, member in enumerate(header.cast):
            self._styles[member.name] = Style(color=colour(member.colour, index), bold=True)
            self._sides[member.name] = member.side
            if any(model.startswith("human/") for model in member.models):
                self.people.add(member.name)
        self._turns = header.turns
        lines = [Text(clean(header.topic), "bold")]
        if header.premise:
            lines.append(Text(f"Premise: {clean(header.premise)}"))
        lines.append(Text())
        width = max((cell_len(one_line(member.name)) for member in header.cast), default=0)
        for member in header.cast:
            line = self._name(member.name)
            line.append(" " * max(2, min(width, 20) - line.cell_len + 2))
            line.append(f"argues {member.side}" if member.side else member.role)
            lines.append(line.append(" · " + ", then ".join(map(one_line, member.models)), DIM))
        lines += [Text()] * bool(header.notices)
        lines += [Text(f"! {clean(notice)}", "bold yellow") for notice in header.notices]
        label = Text(f"{one_line(header.protocol)} · {header.turns} turns")
        return _Piece("panel", label, Text("\n").join(lines), Style())

    def _statement(self, entry: Entry, turn: int) -> _Piece:
        side = self._sides.get(entry.speaker)
        about = (f" · {side}" if side else "") + f" · turn {turn} of {self._turns} · {one_line(entry.phase)}"
        label = self._name(entry.speaker).append(about)
        return _Piece("speech", label, Text(clean(entry.content)), self.style_of(entry.speaker))

    def _score(self, score: Any) -> _Piece:
        before = self._scores.get(score.of)
        label = self._name(score.of).append(" ")
        if before is not None:
            label.append(f"{before} → ")
        if score.score is None:
            reason = f"no score: {one_line(score.failure or 'no reason is given')}"
            return _Piece("row", label.append("? "), Text(reason, "yellow"))
        self._scores[score.of] = score.score
        label.append(f"{score.score}")
        if before is not None:
            label.append(*MOVEMENT[(score.score > before) - (score.score < before)])
        return _Piece("row", label.append(" "), Text(one_line(score.reasoning or ""), DIM))

    def _verdict(self, entry: Entry, verdict: Any) -> _Piece:
        style = self.style_of(verdict.winner) if verdict.winner else Style(bold=True)
        lines = [Text(winner_line(verdict.winner, verdict.scores), style)]
        if verdict.premise_upheld is not None:
            lines.append(Text(f"The premise is {'' if verdict.premise_upheld else 'not '}upheld."))
        if verdict.scores_contradict_winner:
            lines.append(Text("The scores contradict the winner: the judge gave the other more.", "yellow"))
        if verdict.winner and not verdict.confirmed:
            lines.append(Text("The judge did not confirm the winner by name.", "yellow"))
        if verdict.failure:
            reason = f"The scores are the last running ones, as the judge gave no others: {one_line(verdict.failure)}"
            lines.append(Text(reason, "yellow"))
        lines.append(Text(f"\n{clean(entry.content)}"))
        label = Text("Verdict of ").append_text(self._name(entry.speaker))
        return _Piece("panel", label, Text("\n").join(lines), self.style_of(entry.speaker))


def _retried(event: Retried, style: Style) -> _Piece:
    again = f"; again in {event.wait:.1f} s" if event.wait else ""
    failed = f" failed at {one_line(event.key)} with {one_line(event.model)}: {one_line(event.reason)}{again}"
    return _row("↻", Text(style="yellow").append(one_line(event.agent), style).append(failed))


@dataclass(slots=True)
class _Call:
    key: str
    model: str
    since: float
    text: str = ""
    again_at: float = 0.0

    @property
    def step(self) -> str:
        """What the call is for, by the last word of its key that we know."""
        return next((part for part in reversed(self.key.split("/")[1:]) if part in STEPS), "")


class _Activity:
    """Who is answering now, and what the debate took so far.

    The live region is drawn by a thread of its own, hence the lock.
    """

    def __init__(self, console: Console, teller: _Teller) -> None:
        self._console = console
        self._teller = teller
        self._lock = Lock()
        self._started = time.monotonic()
        self._calls: dict[str, _Call] = {}  # by agent: nobody answers two questions at once
        self._spoken: dict[str, str] = {}
        self._standing = 0
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
                    self._spoken.pop(entry.call or "", None)
                case Asked(key, agent, model):
                    self._calls[agent] = _Call(key, model, now)
                case Streamed(_, agent, text) if agent in self._calls:
                    self._calls[agent].text += text
                case Retried(key, agent, model, _, wait) if wait:
                    self._calls[agent] = _Call(key, model, now, again_at=now + wait)
                case Retried():
                    self._calls.pop(event.agent, None)
                case Answered(key, agent, _, usage):
                    call = self._calls.pop(agent, None)
                    self._answers += 1
                    self._tokens = total(self._tokens, usage.input, usage.output)
                    self._cost = total(self._cost, usage.cost)
                    if call and call.step in ALOUD:
                        self._spoken[key] = agent

    def take_standing(self) -> int:
        count, self._standing = self._standing, 0
        return count

    def frame(self) -> RenderableType:
        """The live region as it is now."""
        now, width = time.monotonic(), min(self._console.width, WIDEST)
        with self._lock:
            lines = [Text(_standing(self._standing), DIM)] if self._standing else []
            lines += [
                Text.assemble(("✓ ", "green"), (one_line(agent), self._teller.style_of(agent)), " has spoken")
                for agent in self._spoken.values()
            ]
            shown = self._preview()
            for agent, call in list(self._calls.items())[:MOST_CALLS_SHOWN]:
                lines.append(self._call_line(agent, call, now))
                if call is shown:
                    lines += _tail(call, self._console, width - 4)
            if (more := len(self._calls) - MOST_CALLS_SHOWN) > 0:
                lines.append(Text(f"  and {more} more", DIM))
            spent = spending(self._answers, self._tokens, self._cost)
        lines.append(Text(f"  {spent} · {duration(now - self._started)}", DIM))
        return Constrain(Text("\n", no_wrap=True, overflow="ellipsis").join([Text(), *lines]), WIDEST)

    def _preview(self) -> _Call | None:
        """The one call whose text is shown as it comes: what is said aloud before what is thought, and no JSON."""
        prose = [call for call in self._calls.values() if re.match(r"\s*[^\s{`]", call.text)]
        shown = min(prose, key=lambda call: call.step not in ALOUD, default=None)
        return shown if shown and (shown.step in ALOUD or not self._teller.people) else None

    def _call_line(self, agent: str, call: _Call, now: float) -> Text:
        spinner = SPINNER[int(now * REFRESH_PER_SECOND) % len(SPINNER)]
        line = Text.assemble((spinner, "green"), " ", (one_line(agent), self._teller.style_of(agent)))
        if call.again_at > now:
            return line.append(f" tries again in {call.again_at - now:.1f} s · {one_line(call.model)}", "yellow")
        doing = STEPS.get(call.step, "is answering")
        return line.append(f" {doing}").append(f" · {now - call.since:.1f} s · {one_line(call.model)}", DIM)


def _tail(call: _Call, console: Console, width: int) -> list[Text]:
    """The last lines of a text that is growing."""
    # Only the end is wrapped, from a place that moves in great strides: if it moved a little, so would every line.
    start = max(0, len(call.text) // 1000 * 1000 - 1000)
    style = Style() if call.step in ALOUD else DIM
    lines = Text(clean(call.text[start:]), style).wrap(console, max(width, 10))
    return [Text("  ").append_text(line) for line in lines[-PREVIEW_LINES:]]


def _standing(count: int) -> str:
    return "1 entry stands already" if count == 1 else f"{count} entries stand already"
