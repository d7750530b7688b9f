"""The command that shows a debate."""

from contextlib import suppress

import click

import moot
from moot.cli.options import JSON, OUT, print_json, runs_folder
from moot.cli.ranges import Whole
from moot.cli.run_names import LATEST_RUN
from moot.engine.outcome.material import answers_about
from moot.engine.outcome.stored import stored_result
from moot.present import Summary


@click.command()
@LATEST_RUN
@click.option("--as", "agent", metavar="AGENT", help="Show exactly what this agent was sent and replied.")
@click.option("--at", type=Whole(0), metavar="SEQ", help="Show entries up to this number.")
@OUT
@JSON
def show(name: str, agent: str | None, at: int | None, out: str | None, as_json: bool) -> int:
    """Show the outcome and the log of a debate.

    RUN is a run folder, part of its name, or `latest` (the default).
    """
    from moot.cli.transcript import print_entries, print_messages

    run = moot.find_run(name, runs_folder(out))
    if agent is None:
        # People see the readable entries; programs get the raw log.
        entries = run.entries() if as_json else run.readable()
        if at is not None and at >= len(entries):
            raise moot.ConfigError(f"there is no entry {at}; the log has {len(entries)}, counted from 0")
        entries = entries if at is None else entries[: at + 1]
        if as_json:
            print_json([entry.model_dump(mode="json") for entry in entries])
        else:
            # Up to an entry, show nothing that came later.
            later = (_verdict(run), answers_about(run, entries)) if at is None else (None,)
            print_entries(entries, *later)
        return 0
    messages = moot.seen_by(run, agent, at)
    if as_json:
        listed = [{"role": message.role, "content": message.content} for message in messages]
        print_json(listed)
    else:
        print_messages(run.shown(messages), agent)
    return 0


def _verdict(run: moot.Run) -> Summary | None:
    """The summary of a run with its flags; None while it is running, or if it cannot be read."""
    with suppress(moot.RunDamaged):
        if not run.busy and (found := stored_result(run)) is not None:
            return found.summary
    return None
