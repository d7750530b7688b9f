"""Commands on the memory: ratings of agents, earlier decisions, and how long they are remembered."""

import asyncio
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

import moot
from moot.cli.notes import tell
from moot.cli.options import JSON, OUT, print_json, runs_folder
from moot.cli.ranges import Whole
from moot.cli.run_names import RUN
from moot.text import printable
from moot.text.prose import plural

if TYPE_CHECKING:
    from rich.console import Console

    from moot.memory.store import Memory, Outcome, Standing, Store

MEMORY = click.option(
    "--memory",
    required=True,
    metavar="WHERE",
    envvar="MOOT_MEMORY",
    show_envvar=True,
    help="The memory: an SQLite file or postgresql://….",
)
LIMIT = click.option(
    "-n", "--limit", type=Whole(1, 100), default=10, show_default=True, metavar="N", help="Maximum number to list."
)
DEBATE = click.argument("debate", metavar="ID")


@click.group()
def memory() -> None:
    """Search, add to and delete from the memory of decisions.

    The memory keeps every decision with evidence, dissent and receipt, and the ratings that `moot memory rank` shows.
    """


@memory.command()
@MEMORY
@JSON
def rank(memory: str, as_json: bool) -> int:
    """Show the ratings of agents.

    Shows Elo ratings in the order of the debates, and the strengths that best explain all games, with 95 % intervals
    (Bradley–Terry). The Brier score says how far an agent's confidence can be trusted: 0 is perfect, 0.25 is a coin; it
    needs ten votes.
    """
    from moot.memory.store import open_store

    with open_store(memory, create=False) as store:
        standings = store.leaderboard()
    if as_json:
        print_json([{**asdict(one), "persona": one.persona, "model": one.model} for one in standings])
    else:
        _print_leaderboard(standings)
    return 0


@memory.command()
@click.argument("query")
@LIMIT
@MEMORY
@JSON
def search(query: str, limit: int, memory: str, as_json: bool) -> int:
    """Search decisions by words and meaning, best match first.

    Each result shows its similarity to QUERY; 1 means the same. Results that are not similar enough to be relevant
    share a word with it.
    """
    from moot.memory.remember import search_memory

    found = search_memory(query, memory, limit)
    if as_json:
        print_json([_found(one) for one in found])
    else:
        _print_found(found)
    return 0


@memory.command()
@DEBATE
@MEMORY
@JSON
def show(debate: str, memory: str, as_json: bool) -> int:
    """Show one decision with its evidence, dissent and receipt.

    ID is the beginning of a decision's id, as `search` prints it.
    """
    from moot.memory.store import open_store

    with open_store(memory, create=False) as store:
        outcome = store.get(_whole_id(store, debate))
    if as_json:
        print_json(_document(outcome))
    else:
        _print_decision(outcome)
    return 0


@memory.command("list")
@LIMIT
@MEMORY
@JSON
def list_(limit: int, memory: str, as_json: bool) -> int:
    """List the remembered decisions, strongest first.

    A memory halves with the half-life of its tier: fast an hour, medium a day, slow a week, lasting a month. The
    stronger it is, the more of it is given to a new debate.
    """
    from moot.memory.store import open_store

    now = datetime.now(UTC)
    with open_store(memory, create=False) as store:
        found = store.strongest(limit, now)
    if as_json:
        print_json([_remembered(one, now) for one in found])
    else:
        _print_memories(found, now)
    return 0


@memory.command()
@DEBATE
@MEMORY
def forget(debate: str, memory: str) -> int:
    """Remove a debate from the memory. Its effect on the ratings stays.

    ID is the beginning of its id.
    """
    from moot.memory.store import open_store

    with open_store(memory, create=False) as store:
        store.forget(_whole_id(store, debate))
    click.echo("Forgotten.")
    return 0


@memory.command()
@RUN
@MEMORY
@OUT
def add(name: str, memory: str, out: str | None) -> int:
    """Remember a finished arena. Remembering it twice changes nothing."""
    run = moot.find_run(name, runs_folder(out))
    new = asyncio.run(_remember(run, memory))
    click.echo("Remembered." if new else "It is in the memory already.")
    tell_unrated(run, memory)
    return 0


@memory.command()
@RUN
@click.option("--right", required=True, metavar="AGENT|none", help="Whose proposal was right, or none.")
@MEMORY
@OUT
def outcome(name: str, right: str, memory: str, out: str | None) -> int:
    """Record which proposal turned out right.

    From then on the debate is recalled with it, and calibration uses it instead of the judges' first place, for
    each agent that took a side.
    """
    from moot.memory.remember import settle

    author, known = settle(moot.find_run(name, runs_folder(out)), right, memory)
    click.echo(printable(f"Noted: {f'the proposal of {author}' if author else 'no proposal'} was right."))
    click.echo(f"Of {plural(known, 'agent')} it is now known whether they were; `moot memory rank` shows it.")
    return 0


def tell_unrated(run: moot.Run, memory: str) -> None:
    """Print on stderr why a debate rated nobody, if it did not."""
    from moot.memory.remember import debate_id
    from moot.memory.store import open_store

    with open_store(memory, create=False) as store:
        why = store.get(debate_id(run)).unrated
    if why is not None:
        tell(f"nobody is rated by this debate: {printable(why)}")


async def _remember(run: moot.Run, memory: str) -> bool:
    from moot.memory.remember import remember

    return await remember(run, await moot.result_of(run), memory)


def _whole_id(store: "Store", start: str) -> str:
    """The id with this beginning, if there is only one."""
    ids = store.ids(start) if start else []
    if len(ids) != 1:
        found = "there is none" if not ids else f"there are {len(ids)}"
        raise moot.ConfigError(f"no single debate has an id that begins with {start!r}: {found}")
    return ids[0]


def _document(outcome: "Outcome") -> dict[str, Any]:
    proposals = {name: one._asdict() for name, one in outcome.proposals.items()}
    known = {**asdict(outcome), "finished": outcome.finished.isoformat(), "proposals": proposals}
    return {"turned_out": outcome.turned_out, **known}


def _found(one: "Memory") -> dict[str, Any]:
    likeness = None if one.likeness is None else round(one.likeness, 4)
    return {**_document(one.outcome), "fits": round(one.fits, 4), "likeness": likeness}


def _remembered(one: "Memory", now: datetime) -> dict[str, Any]:
    trace = one.trace
    return {
        "id": one.outcome.id,
        "question": one.outcome.question,
        "turned_out": one.outcome.turned_out,
        "tier": trace.tier,
        "strength": round(trace.strength(now), 4),
        "last_used": trace.last_used.isoformat(),
    }


def _print_leaderboard(standings: "list[Standing]") -> None:
    from rich.console import Console
    from rich.text import Text

    from moot.cli.tables import make_table

    console = Console()
    if not standings:
        console.print("Nobody has been rated yet. Remember an arena: moot arena … --memory WHERE")
        return
    table = make_table("", "persona", "model", ">Elo", ">strength", ">95 % interval", ">games", ">Brier", ">right")
    for place, one in enumerate(standings, 1):
        who = [Text(printable(text)) for text in (one.persona, one.model)]
        right = f"{one.right} of {one.known}" if one.known else ""
        table.add_row(str(place), *who, *one.cells, right)
    console.print(table)


def _print_found(found: "list[Memory]") -> None:
    from rich.console import Console

    console = Console()
    if not found:
        console.print("Nothing is known of that.")
    for one in found:
        _print_head(one.outcome, console, "" if one.likeness is None else f"  likeness {one.likeness:.2f}")
        console.print()


def _print_head(outcome: "Outcome", console: "Console", how: str = "") -> None:
    from rich.text import Text

    from moot.text import one_line

    said = f"{outcome.id[:12]}  {outcome.finished:%Y-%m-%d}  {outcome.verdict_in_words}{how}"
    console.print(Text(said, "dim"))
    console.print(Text(one_line(outcome.question), "bold"), soft_wrap=True)
    console.print(Text(one_line(outcome.decision or "Nothing was decided.")), soft_wrap=True)
    if outcome.turned_out:
        console.print(Text(one_line(outcome.turned_out), "bold"), soft_wrap=True)


def _print_decision(outcome: "Outcome") -> None:
    from rich.console import Console
    from rich.text import Text

    from moot.cli.wording import clean
    from moot.text import one_line

    console = Console()
    _print_head(outcome, console)
    sure = "" if outcome.confidence is None else f", confidence {outcome.confidence:.0%}"
    if outcome.decision:
        console.print(Text(f"Decided by {outcome.decided_by}{sure}."))
    for reason in outcome.reasons:
        console.print(Text(f"· {one_line(reason)}"), soft_wrap=True)
    for text in outcome.evidence:
        console.print(Text("\nEvidence", "bold"))
        console.print(Text(clean(text)), soft_wrap=True)
    for one in outcome.dissent:
        console.print(
            Text(f"\nDissent of {one_line(one['agent'])}: ", "bold").append(one_line(one["reason"]), "not bold")
        )
    console.print(Text(f"\nReceipt {outcome.receipt.get('id', '')}", "dim"), soft_wrap=True)
    console.print(Text(f"Log {outcome.receipt.get('log_sha256', '')}", "dim"), soft_wrap=True)
    console.print(Text(f"Run {one_line(outcome.run)}", "dim"), soft_wrap=True)


def _print_memories(found: "list[Memory]", now: datetime) -> None:
    from rich.console import Console
    from rich.text import Text

    from moot.cli.tables import make_table
    from moot.text import one_line

    console = Console()
    if not found:
        console.print("Nothing is remembered yet. Remember an arena: moot arena … --memory WHERE")
        return
    table = make_table("id", "tier", ">strength", "question")
    for one in found:
        strength = f"{one.trace.strength(now):.2f}"
        table.add_row(
            one.outcome.id[:12],
            one.trace.tier,
            strength,
            *(Text(one_line(said)) for said in (one.outcome.question, one.outcome.turned_out)),
        )
    console.print(table)
