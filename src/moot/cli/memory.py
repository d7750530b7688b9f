"""Commands over the memory: who has done how well, and what was decided before."""

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

import moot
from moot.cli.options import JSON, OUT, print_json, runs_folder

if TYPE_CHECKING:
    from moot.memory.store import Memory, Outcome, Standing

MEMORY = click.option(
    "--memory",
    required=True,
    metavar="WHERE",
    envvar="MOOT_MEMORY",
    help="An SQLite file, or postgresql://…; also as MOOT_MEMORY.",
)


@click.command()
@MEMORY
@JSON
def rank(memory: str, as_json: bool) -> int:
    """Show how agents have done against each other.

    Elo as the debates came, and beside it the strength that explains all games best, with its 95 % interval
    (Bradley–Terry). The Brier score tells how far an agent's confidence can be trusted: 0 is perfect, 0.25 is a coin;
    it takes ten votes.
    """
    from moot.memory.store import open_store

    with open_store(memory, create=False) as store:
        standings = store.leaderboard()
    if as_json:
        print_json([asdict(one) for one in standings])
    else:
        _print_leaderboard(standings)
    return 0


@click.group()
def memory() -> None:
    """Look up what earlier debates decided."""


@memory.command()
@click.argument("query")
@click.option(
    "--limit", type=click.IntRange(1, 100), default=10, show_default=True, metavar="N", help="At most so many."
)
@MEMORY
@JSON
def search(query: str, limit: int, memory: str, as_json: bool) -> int:
    """Find earlier debates by their words and their meaning."""
    from moot.remembering import search_memory

    found = search_memory(query, memory, limit)
    if as_json:
        print_json([{**_document(one.outcome), "fits": round(one.fits, 4), "tier": one.trace.tier} for one in found])
    else:
        _print_found(found)
    return 0


@memory.command()
@click.argument("debate", metavar="ID")
@MEMORY
def show(debate: str, memory: str) -> int:
    """Print all that is remembered of one debate, as JSON."""
    from moot.memory.store import open_store

    with open_store(memory, create=False) as store:
        print_json(_document(store.get(_whole_id(store, debate))))
    return 0


@memory.command()
@click.argument("debate", metavar="ID")
@MEMORY
def forget(debate: str, memory: str) -> int:
    """Take a debate out of the memory. Ratings that were earned in it stay."""
    from moot.memory.store import open_store

    with open_store(memory, create=False) as store:
        store.forget(_whole_id(store, debate))
    click.echo("Forgotten.")
    return 0


@memory.command()
@click.argument("name", metavar="RUN")
@MEMORY
@OUT
def add(name: str, memory: str, out: str | None) -> int:
    """Remember a finished arena. One that is in already is not counted again."""
    run = moot.find_run(name, runs_folder(out))
    new = asyncio.run(_remember(run, memory))
    click.echo("Remembered." if new else "It is in the memory already.")
    return 0


async def _remember(run: moot.Run, memory: str) -> bool:
    from moot.remembering import remember

    return await remember(run, await moot.result_of(run), memory)


def _whole_id(store: Any, start: str) -> str:
    """The id that begins so, if it is the only one."""
    ids = store.ids(start)
    if len(ids) != 1:
        found = "there is none" if not ids else f"there are {len(ids)}"
        raise moot.ConfigError(f"no single debate has an id that begins with {start!r}: {found}")
    return str(ids[0])


def _document(outcome: "Outcome") -> dict[str, Any]:
    return {**asdict(outcome), "finished": outcome.finished.isoformat()}


def _print_leaderboard(standings: "list[Standing]") -> None:
    from rich.console import Console

    from moot.cli.tables import make_table

    console = Console()
    if not standings:
        console.print("Nobody has been rated yet. Remember an arena: moot arena … --memory WHERE")
        return
    table = make_table("", "agent", ">Elo", ">strength", ">95 % interval", ">games", ">Brier")
    for place, one in enumerate(standings, 1):
        fit = ("", "") if one.fit is None else (f"{one.fit.rating:.0f}", f"{one.fit.low:.0f} to {one.fit.high:.0f}")
        brier = "" if one.brier is None else f"{one.brier:.3f}"
        table.add_row(str(place), moot.printable(one.agent), f"{one.elo:.0f}", *fit, str(one.games), brier)
    console.print(table)


def _print_found(found: "list[Memory]") -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console()
    if not found:
        console.print("Nothing is remembered that fits.")
    for one in found:
        outcome = one.outcome
        head = f"{outcome.id[:12]}  {outcome.finished:%Y-%m-%d}  {one.trace.tier} memory  {outcome.verdict}"
        console.print(Text(head, "dim"))
        console.print(Text(moot.printable(outcome.question), "bold"), soft_wrap=True)
        console.print(Text(moot.printable(outcome.decision or "no decision")), soft_wrap=True)
        console.print()
