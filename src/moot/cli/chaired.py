"""The command that stages a chaired debate."""

import re
import sys
from typing import Any

import click

import moot
from moot.cli.options import FILE, OUTPUT_OPTIONS, RUN_OPTIONS, Output, settings_of, topic_text, with_options
from moot.cli.stage import say_which_example, stage

CHAIRED_OPTIONS = [
    click.option(
        "--rounds",
        metavar="MIN..MAX",
        envvar="MOOT_ROUNDS",
        help="The least and the most rounds; one number is the most.  [default: 1..10]",
    ),
    click.option(
        "--evidence",
        metavar="DIR",
        envvar="MOOT_EVIDENCE",
        help="A folder of documents that are all the sources there are, or the name of a shipped pack.",
    ),
    FILE,
]


@click.command()
@click.argument("topic", required=False)
@with_options(CHAIRED_OPTIONS)
@with_options(RUN_OPTIONS)
@with_options(OUTPUT_OPTIONS)
def chaired(
    topic: str | None,
    rounds: str | None,
    evidence: str | None,
    as_json: bool,
    quiet: bool,
    display: str | None,
    **settings: Any,
) -> int:
    """Stage a chaired debate with checked sources.

    Seven roles take part, and the rules are kept by code.

    TOPIC is a claim that the promoter is for and the detractor against; `-` reads it from standard input. Without one,
    that of a shipped pack is debated, with its evidence. An outside agent holds a role with `--role promoter=external`;
    its entries come through `moot log append`.
    """
    given = settings_of(**settings) | rounds_of(rounds)
    given["evidence"] = {"pack": evidence} if evidence else None
    text = topic_text(topic)
    if text is None and given.get("file") is None and evidence is None and sys.stdin and sys.stdin.isatty():
        text = click.prompt("Topic (Enter for the shipped one)", default="", show_default=False, err=True).strip()
    try:
        config = moot.configure("chaired", topic=text or None, **given)
    except moot.ConfigError as error:
        if (error.key, error.missing) != ("topic", True) or not (sys.stdin and sys.stdin.isatty()):
            raise
        config = moot.configure("chaired", topic=click.prompt("Topic", err=True), **given)
    if text is None and given.get("file") is None and evidence is None:
        say_which_example(config)
    return stage(config, Output.of(as_json, quiet, display))


def rounds_of(text: str | None) -> dict[str, int]:
    """`2..5` or `5` as the least and the most rounds."""
    if text is None:
        return {}
    found = re.fullmatch(r"(?:(\d{1,3})\.\.)?(\d{1,3})", text.strip())
    if found is None:
        raise moot.ConfigError(f"--rounds is MIN..MAX, such as 2..5, not {text!r}", "max_rounds")
    return ({"min_rounds": int(found[1])} if found[1] else {}) | {"max_rounds": int(found[2])}
