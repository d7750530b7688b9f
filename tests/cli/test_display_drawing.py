"""The live region below what is printed: the thread that moves it and the debate that prints share one terminal."""

import io
import re
from threading import Event, current_thread, main_thread
from types import SimpleNamespace
from typing import cast

from rich.console import Console, ConsoleRenderable, RenderHook

from moot import Usage
from moot.cli.display import REFRESH_PER_SECOND, open_display
from moot.record.entry import Draft
from moot.record.events import Answered, Asked, Wrote
from tests.kit.waiting import AT_ONCE, PATIENCE

SPEAKERS = ("Ines", "Tomas", "Mei", "Noor", "Lars")
STEERING = re.compile(r"(\x1b\[2K)|\x1b\[(\d+)A|(\n)|\x1b\[[?\d;]*[a-z]|\r|([^\x1b\r\n]+)")


def on_screen(stream: str) -> list[str]:
    """What a terminal without end shows, for a stream that writes whole lines, erases them and goes up."""
    lines, at = [""], 0
    for erase, up, feed, text in STEERING.findall(stream):
        at += bool(feed) - int(up or 0)
        assert at >= 0, "the cursor goes up past what was ever written"
        lines += [""] * (at == len(lines))
        lines[at] = "" if erase else lines[at] + text
    return [line.rstrip() for line in lines]


def test_what_is_printed_stays_whole_while_the_live_region_grows_and_shrinks() -> None:
    drawn = Event()
    file = io.StringIO()

    def let_the_region_move(renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Rich calls this when it has settled where it will write, and has not yet written."""
        if current_thread() is main_thread():
            drawn.clear()
            for _ in range(round(3 / REFRESH_PER_SECOND / AT_ONCE)):
                drawn.wait(AT_ONCE)
        else:
            drawn.set()
        return renderables

    console = Console(file=file, force_terminal=True, width=80, height=40, _environ={"TERM": "xterm-256color"})
    with open_display("full", console) as follower:
        follower(Wrote(Draft("", "moot", "note", "the first").at(1, "")))
        console.push_render_hook(cast(RenderHook, SimpleNamespace(process_renderables=let_the_region_move)))
        for turn in range(3):
            for name in SPEAKERS:
                follower(Asked(f"{name}/vote", name, "m/m"))
            follower(Wrote(Draft("", "moot", "note", f"grown {turn}").at(2, "")))
            drawn.clear()
            assert drawn.wait(PATIENCE), "the region no longer moves by itself"
            for name in SPEAKERS:
                follower(Answered(f"{name}/vote", name, "m/m", Usage()))
            follower(Wrote(Draft("", "moot", "note", f"shrunk {turn}").at(3, "")))
        console.pop_render_hook()
    told = ["the first", *(f"{how} {turn}" for turn in range(3) for how in ("grown", "shrunk"))]
    assert [line for line in on_screen(file.getvalue()) if line] == [f"  · moot notes: {what}" for what in told]
