"""The command that serves debates over HTTP."""

import asyncio
import gc
import logging
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

import moot
from moot.cli.options import OUT, runs_folder
from moot.cli.ranges import Whole
from moot.engine.define.config import Options
from moot.plugins.features import needed

if TYPE_CHECKING:
    import socket

SHORTEST_TOKEN = 16


@click.command()
@click.option(
    "--host",
    envvar="MOOT_HOST",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen on (or MOOT_HOST).",
)
@click.option(
    "--port",
    envvar="MOOT_PORT",
    type=Whole(0, 65535),
    default=8765,
    show_default=True,
    metavar="N",
    help="Port; 0 picks a free one (or MOOT_PORT).",
)
@click.option(
    "--token",
    metavar="TEXT",
    envvar="MOOT_TOKEN",
    help="Access token that clients must send (or MOOT_TOKEN). Required unless the server listens on loopback only.",
)
@click.option(
    "--public-url",
    envvar="MOOT_PUBLIC_URL",
    default="",
    metavar="URL",
    help="Address at which a proxy makes the server known, such as https://moot.example.org (or MOOT_PUBLIC_URL).",
)
@click.option("--allow-host", multiple=True, metavar="NAME", help="Host name that the server accepts. Repeatable.")
@OUT
@click.option(
    "--memory",
    metavar="WHERE",
    envvar="MOOT_MEMORY",
    help="Remember outcomes in an SQLite file or postgresql://… (or MOOT_MEMORY).",
)
@click.option(
    "--queue",
    envvar="MOOT_QUEUE",
    metavar="URL",
    help="Run the debates on the workers of this queue (PostgreSQL; or MOOT_QUEUE).",
)
@click.option("--read-only", is_flag=True, help="Read-only: visitors cannot start or change anything.")
@click.option(
    "--max-debates",
    "at_most",
    type=Whole(1, 1000),
    default=8,
    show_default=True,
    metavar="N",
    help="Maximum number of debates running at once.",
)
def serve(
    host: str,
    port: int,
    token: str | None,
    public_url: str,
    allow_host: tuple[str, ...],
    out: str | None,
    read_only: bool,
    **debates: Any,
) -> int:
    """Start a web page and an HTTP API for debates.

    Without a token, only this machine can reach it. Ctrl-C stops it together with its running debates, which can be
    resumed; the workers of a queue continue. Servers that share a PostgreSQL database as --out show the same debates.
    """
    with _loading():
        from moot.service.host import Host
        from moot.web.app import make_app
        from moot.web.security import is_loopback
        from moot.web.serving import bind
        from moot.web.serving import serve as run_server

    public_url = _checked_url(public_url)
    _check_token(public_url or host, token, alone=is_loopback(host) and not public_url)
    if (memory := debates["memory"]) is not None:
        needed("check", "--memory", "memory")(memory)
    served = Host(_place_of_runs(out, debates["queue"]), public_url=public_url, **debates)
    app = make_app(served, token=token, hosts=(host, *allow_host), read_only=read_only)
    listening = bind(host, port)
    url = f"{public_url}/" if public_url else _address(listening, host)
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("moot.service").setLevel(logging.INFO)

    def ready() -> None:
        # The log of a service manager is no place for a token.
        shown = f"?token={token}" if token and sys.stderr.isatty() else ""
        click.echo(f"Serving {served.store.shown} at {url}{shown}", err=True)

    try:
        asyncio.run(run_server(app, listening, ready=ready))
    except KeyboardInterrupt:
        click.echo("Stopped.", err=True)
    return 0


@contextmanager
def _loading() -> Iterator[None]:
    """Look for no garbage while modules are loaded, nor in them later: there is none, and looking takes a tenth of the
    time to start, and holds up the followers of a debate."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _place_of_runs(out: str | None, queue: str | None) -> str:
    """The folder or database as for every command; with a queue and no option, the database of the queue."""
    place = runs_folder(out)
    return queue if queue is not None and place == Options.model_fields["out"].default else place


def _checked_url(url: str) -> str:
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/") or parts.query):
        raise moot.ConfigError("--public-url is an address without a path, such as https://moot.example.org")
    return url.rstrip("/")


def _check_token(host: str, token: str | None, *, alone: bool) -> None:
    if token is None and not alone:
        raise moot.ConfigError(
            f"Anyone who can reach {host} could start debates at your expense. "
            f"Set an access token, for example: MOOT_TOKEN={secrets.token_urlsafe(24)}"
        )
    if token is not None and (len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable()):
        raise moot.ConfigError(f"The access token needs at least {SHORTEST_TOKEN} plain characters.")


def _address(listening: "socket.socket", host: str) -> str:
    port = listening.getsockname()[1]
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 (reached at this machine)
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"
