"""The command that debates a further question after a finished debate."""

from typing import Any

import click

import moot
from moot.cli.additions import Additions, addition_options
from moot.cli.options import Output, run_options, runs_folder, settings_of, with_options, with_output
from moot.cli.run_names import RUN
from moot.cli.sections import sectioned_command
from moot.cli.stage import stage
from moot.cli.subjects import subject_of


@sectioned_command()
@RUN
@click.argument("question")
@with_options(addition_options("again"))
@with_options(run_options())
@with_output
def again(name: str, question: str, output: Output, **settings: Any) -> int:
    """Debate a follow-up question, knowing an earlier outcome.

    Starts a debate with the same protocol and settings; its agents know the outcome of RUN. QUESTION is a text; `-`
    reads it from standard input. `moot ask` answers a question about RUN without a debate.
    """
    additions = Additions.out_of(settings)
    found = moot.find_run(name, runs_folder(settings["out"]))
    asked = subject_of(question, found.config.protocol)
    config = moot.follow_up(found, asked.text or "", **settings_of(**settings), **asked.settings)
    return stage(additions.fit(config), output, additions)
