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
    help="The queue: postgresql://user@host/database (or MOOT_QUEUE).",
)
@click.option(
    "--concurrency",
    type=Whole(1),
    default=100,
    show_default=True,
    metavar="N",
    help="Number of debates to run at once.",
)
@click.option(
    "--takeover",
    type=Number(1),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Take over debates from workers that have been silent this long.",
)
@click.option(
    "--grace",
    type=Number(0),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="When stopped, let debates run this long before handing them back.",
)
@RECONNECT
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="NAME",
    help="Allow only this model in jobs, such as openai/*. Repeatable.  [default: all but files]",
)
@click.option("--until-idle", is_flag=True, help="Stop when the queue is empty.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing.")
def worker(queue: str, concurrency: int, quiet: bool, **settings: Any) -> int:
    """Run queued debates on this computer.

    Start as many workers as you like, on any number of computers. Models are called from here, with the keys of this
    environment. Stop a worker with Ctrl-C or SIGTERM. If it is killed, nothing is lost: another worker continues its
    debates after the last recorded reply.
    """
    from moot import queue as job_queue
    from moot.engine.define.layers import load_options

    load_options()  # what is wrong with a moot.yaml is wrong for every job

    def ready() -> None:
        if not quiet:
            tell(f"working, {concurrency} debates at a time")

    asyncio.run(job_queue.work(queue, concurrency=concurrency, ready=ready, **settings))
    return 0
