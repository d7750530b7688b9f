"""The command that lists the newest items of feeds."""

import asyncio
from typing import TYPE_CHECKING

import click

from moot.cli.notes import tell
from moot.cli.options import JSON, print_json
from moot.cli.ranges import Whole

if TYPE_CHECKING:
    from moot.feeds.pulse import Pulse


@click.command()
@click.argument("feeds", nargs=-1, required=True, metavar="FEED…")
@click.option(
    "-n", "--limit", type=Whole(1, 100), default=10, show_default=True, metavar="N", help="Maximum number to list."
)
@JSON
def pulse(feeds: tuple[str, ...], limit: int, as_json: bool) -> int:
    """List the headlines of feeds as topics for debates.

    FEED is the URL or the file of an RSS or Atom feed. The newest come first. `moot arena --pulse FEED` debates the
    first one.
    """
    found = read_pulse(feeds, limit)
    if as_json:
        print_json([item.document() for item in found.items])
    else:
        _print(found)
    return 0


def read_pulse(feeds: tuple[str, ...], limit: int) -> "Pulse":
    """The newest items of the feeds; unreadable feeds are named on stderr."""
    from moot.feeds.pulse import take_pulse

    found = asyncio.run(take_pulse(feeds, limit))
    for unread in found.unread:
        tell(f"{unread.feed} is left out: {unread.reason}")
    return found


def _print(found: "Pulse") -> None:
    from rich.console import Console
    from rich.text import Text

    from moot.text import one_line

    console = Console()
    if not found.items:
        console.print("There is nothing in these feeds.")
    for item in found.items:
        console.print(Text(one_line(item.title), "bold"), soft_wrap=True)
        console.print(Text(f"  {item.when} · {one_line(item.source)}", "dim"), soft_wrap=True)
