"""`moot worker`: run debates that others have submitted to a queue."""

import asyncio
from typing import Any

import click

from moot.cli.notes import tell
from moot.cli.options import RECONNECT
from moot.cli.ranges import Number, Whole


@click.command()
@click.option(
    "--queue",
    envvar="MOOT_QUEUE",
    required=True,
    metavar="URL",
    help="The PostgreSQL database of the queue: postgresql://user@host/database. Or MOOT_QUEUE.",
)
@click.option("--concurrency", type=Whole(1), default=100, show_default=True, metavar="N", help="Debates at a time.")
@click.option(
    "--takeover",
    type=Number(1),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Take over the debates of workers that were not heard of for so long.",
)
@click.option(
    "--grace",
    type=Number(0),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Told to stop, let debates go on for so long, then hand them back.",
)
@RECONNECT
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="NAME",
    help="A model that jobs may use, such as openai/*; then no others. Repeatable.  [default: all but files]",
)
@click.option("--until-idle", is_flag=True, help="Stop when no debate is waiting.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing.")
def worker(queue: str, concurrency: int, quiet: bool, **settings: Any) -> int:
    """Run debates of a queue, on as many machines as wanted.

    Models are called from this machine, with the keys of this environment. Stop it with Ctrl-C or SIGTERM. If it is
    killed, nothing is lost: another worker resumes its debates after the last journalled reply.
    """
    from moot import queue as job_queue
    from moot.engine.define.layers import load_options

    load_options()  # what is wrong with a moot.yaml is wrong for every job

    def ready() -> None:
        if not quiet:
            tell(f"working, {concurrency} debates at a time")

    asyncio.run(job_queue.work(queue, concurrency=concurrency, ready=ready, **settings))
    return 0
