"""The command that lists the current stories of feeds."""

import asyncio
from typing import TYPE_CHECKING

import click

from moot.cli.notes import tell
from moot.cli.options import JSON, print_json
from moot.cli.ranges import Whole

if TYPE_CHECKING:
    from moot.feeds import Pulse


@click.command()
@click.argument("feeds", nargs=-1, required=True, metavar="FEED…")
@click.option("--limit", type=Whole(1, 100), default=10, show_default=True, metavar="N", help="At most so many.")
@JSON
def pulse(feeds: tuple[str, ...], limit: int, as_json: bool) -> int:
    """List what feeds talk about, as topics for a debate.

    FEED is the address or the file of an RSS, Atom or JSON feed. Newer stories, and stories in several feeds, come
    first. `moot arena --pulse FEED` debates the first one.
    """
    found = read_pulse(feeds, limit)
    if as_json:
        print_json([story.document() for story in found.stories])
    else:
        _print(found)
    return 0


def read_pulse(feeds: tuple[str, ...], limit: int) -> "Pulse":
    """The current stories of the feeds; unreadable feeds are named on stderr."""
    from moot.feeds import take_pulse

    found = asyncio.run(take_pulse(feeds, limit))
    for one in found.unread:
        tell(f"{one.feed} is left out: {one.reason}")
    return found


def _print(found: "Pulse") -> None:
    from rich.console import Console
    from rich.text import Text

    from moot.text import one_line

    console = Console()
    if not found.stories:
        console.print("There is nothing in these feeds.")
    for story in found.stories:
        date = f"{story.date:%Y-%m-%d %H:%M} UTC" if story.date else "undated"
        score = "no score" if story.score is None else _figure(story.score)
        console.print(Text(one_line(story.question), "bold"), soft_wrap=True)
        sources = one_line(", ".join(story.sources))
        console.print(Text(f"  {score} · {date} · {sources}", "dim"), soft_wrap=True)


def _figure(score: float) -> str:
    return f"{score:.2f}" if score >= 0.005 else "under 0.01"
