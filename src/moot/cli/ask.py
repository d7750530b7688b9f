"""The command that asks a question about a finished debate."""

from typing import Any

import click

import moot
from moot.cli.notes import tell
from moot.cli.options import (
    JSON,
    LIMIT_OPTIONS,
    OUT,
    complete_model,
    print_json,
    runs_folder,
    settings_of,
    stdin_text,
    with_options,
)
from moot.cli.run_names import RUN
from moot.system import run_until_stopped


@click.command()
@RUN
@click.argument("question")
@click.option(
    "-m",
    "--model",
    multiple=True,
    metavar="MODEL",
    shell_complete=complete_model,
    help="Model that answers.  [default: the judge's model]",
)
@with_options(LIMIT_OPTIONS)
@OUT
@JSON
def ask(name: str, question: str, out: str | None, as_json: bool, **settings: Any) -> int:
    """Ask a question about a finished debate.

    One model reads the public statements, the documents and the outcome, and answers in one request, citing entries by
    number. The answer is saved with RUN and changes nothing; asking the same model again costs nothing. QUESTION is a
    text; `-` reads it from standard input. `moot again` debates a follow-up question.
    """
    from moot.cli.answers import print_answer

    run = moot.find_run(name, runs_folder(out))
    text = stdin_text("question") if question == "-" else question
    answer = run_until_stopped(moot.ask(run, text, **settings_of(**settings)))
    if as_json:
        print_json({"run": run.address, **answer.model_dump(mode="json")})
    else:
        print_answer(answer)
    if answer.asked_before:
        tell("this question was asked before: the answer is from the record, and nothing was paid")
    return 0
