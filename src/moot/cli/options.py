"""Options that several commands share, and what they come to."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

import moot

F = TypeVar("F", bound=Callable[..., Any])

MODEL_OPTIONS = [
    click.option("-m", "--model", multiple=True, help="provider/name for every role; repeat it for fallbacks."),
    click.option(
        "--role", "roles", multiple=True, metavar="NAME=MODEL", help="Another model for one role. Repeatable."
    ),
]
LIMIT_OPTIONS = [
    click.option("--max-calls", type=click.IntRange(0), help="Stop before more model calls than this."),
    click.option("--max-tokens", type=click.IntRange(0), help="Stop before more tokens than this."),
    click.option("--max-cost", type=click.FloatRange(0), help="Stop before more dollars than this."),
    click.option("--max-minutes", type=click.FloatRange(0), help="Make no new call after this many minutes."),
]
RUN_OPTIONS = [
    click.option("-c", "--config", "file", type=click.Path(path_type=Path), help="A debate file (YAML)."),
    *MODEL_OPTIONS,
    click.option("--seed", type=int, help="For the draws, and for models that take one."),
    click.option("--out", help="Where run folders go.  [default: debates]"),
    *LIMIT_OPTIONS,
    click.option("--max-reply-tokens", type=click.IntRange(16), help="The longest a single reply may be."),
]
OUTPUT_OPTIONS = [
    click.option("--json", "as_json", is_flag=True, envvar="MOOT_JSON", help="Print the result as one JSON document."),
    click.option("-q", "--quiet", is_flag=True, envvar="MOOT_QUIET", help="Show no progress."),
    click.option(
        "--display",
        type=click.Choice(["full", "plain", "json", "none"]),
        envvar="MOOT_DISPLAY",
        help="How to show progress, on stderr.  [default: full on a terminal, else plain]",
    ),
]
OUT = click.option("--out", default="debates", envvar="MOOT_OUT", show_default=True, help="Where run folders are.")
JSON = click.option("--json", "as_json", is_flag=True, envvar="MOOT_JSON", help="Print JSON.")


def with_options(options: list[Callable[[F], F]]) -> Callable[[F], F]:
    """Several options as one decorator."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


@dataclass(frozen=True, slots=True)
class Output:
    """How a command shows what happens."""

    as_json: bool
    display: str

    @classmethod
    def of(cls, as_json: bool, quiet: bool, display: str | None) -> "Output":
        able = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        return cls(as_json, display or ("none" if quiet else "full" if able else "plain"))


def settings_of(model: tuple[str, ...] = (), roles: tuple[str, ...] = (), **others: Any) -> dict[str, Any]:
    """Options from the command line as `moot.configure` and `moot.resume` take them."""
    return {
        "model": (list(model) if len(model) > 1 else model[0]) if model else None,
        "roles": moot.parse_roles(roles) if roles else None,
        **others,
    }


def topic_text(topic: str | None) -> str | None:
    """The topic as given, or from standard input for `-`."""
    if topic != "-":
        return topic
    data = sys.stdin.buffer.read(100_001)
    try:
        text = data.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise moot.ConfigError(f"the topic on standard input is not UTF-8 text (byte {error.start})") from error
    if not text:
        raise moot.ConfigError("there is no topic on standard input")
    return text
