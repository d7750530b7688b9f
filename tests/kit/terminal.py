"""What the terminal shows of a debate."""

import io
from pathlib import Path
from typing import Any

from rich.console import Console

import moot
from moot.cli.display import open_display
from moot.cli.summary import print_summary
from moot.record.events import Wrote
from tests.kit.arenas import arena
from tests.kit.runs import entries


def printed(result: moot.Result, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=False, _environ={})
    print_summary(result, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def told(result: moot.Result) -> str:
    """The summary in one line, wherever its lines break."""
    return " ".join(printed(result).split())


def shown(folder: Path, **settings: Any) -> str:
    """What the terminal shows of an arena, in plain lines."""
    result, _ = arena(folder, **settings)
    console = Console(file=io.StringIO(), force_terminal=False, width=100, _environ={})
    with open_display("plain", console) as show:
        for entry in entries(result):
            show(Wrote(entry))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def summary(folder: Path, *args: Any, **settings: Any) -> str:
    """The summary of an arena in one line, wherever its lines break."""
    return told(arena(folder, *args, **settings)[0])
