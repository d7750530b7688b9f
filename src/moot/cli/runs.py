"""Commands that read runs: show, report, export, verify, log."""

import asyncio
import json
import warnings
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

import moot
from moot.cli.hints import hinting_at_extraction
from moot.cli.notes import tell
from moot.cli.options import JSON, MAX_INPUT_BYTES, OUT, decoded, print_json, put_text, runs_folder, stdin_text
from moot.cli.ranges import Whole
from moot.cli.receipts import verify_receipt, with_receipt
from moot.cli.run_names import RUN as ONE_RUN
from moot.cli.run_names import complete_run
from moot.engine.outcome.material import answers_about
from moot.engine.staging.finding import LATEST
from moot.errors import ReportFailed
from moot.present import Summary
from moot.runs.export import GRAPHS
from moot.text import printable

RUN = click.argument("name", metavar="[RUN]", default=LATEST, shell_complete=complete_run)


@click.command()
@RUN
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
    from moot.engine.staging.stored import stored_result

    with suppress(moot.RunDamaged):
        if not run.busy and (found := stored_result(run)) is not None:
            return found.summary
    return None


@click.command()
@RUN
@OUT
@JSON
def report(name: str, out: str | None, as_json: bool) -> int:
    """Rebuild the result and the reports of a run.

    Writes result.json, report.md and report.html from config, log and journal.
    """
    run = moot.find_run(name, runs_folder(out))
    failed = None
    left = run.config.protocol.missing if run.place.read("report.md") is not None else ""
    try:
        asyncio.run(moot.rebuild(run))
    except ReportFailed as error:
        failed = error
    if left:
        tell(f"the report is left as it is: {left}")
    if as_json:
        print_json(run.result())
    elif made := [one for one in ("report.html", "report.md") if failed is None or one not in failed.faults]:
        click.echo(f"{run.address}/{made[0]}")
    if failed is not None:
        raise failed
    return 0


@click.command()
@RUN
@click.option(
    "--to", "form", metavar="FORM", required=True,
    help="Format: md, html, json; brief, brief-json, adr; comment, junit, sarif, annotations, findings; for argument "
    f"graphs {', '.join(GRAPHS)}; or one from a plug-in.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to a file instead of stdout."
)
@OUT
def export(name: str, form: str, output: Path | None, out: str | None) -> int:
    """Print a debate as one document.

    md and html are the reports; json is config, log, journal and result together. brief (Markdown) and brief-json are
    the answer and its reasons; adr is a decision record (MADR 4.0). comment, junit, sarif, annotations and findings
    (JSON) are for pipelines. The other formats are for the argument graph: some debates have one, for others
    `moot argue extract` makes one.
    """
    with warnings.catch_warnings(record=True) as lost:
        warnings.simplefilter("always")
        run = moot.find_run(name, runs_folder(out))
        running = run.busy
        with hinting_at_extraction(run):
            text = asyncio.run(moot.export(run, form))
    if running:
        tell("this debate is still running; this is how far it had come")
    for one in lost:
        tell(str(one.message))
    put_text(text, output)
    return 0


@click.command()
@RUN
@OUT
@JSON
@click.option(
    "--receipt",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A copy of the receipt, to compare with the run's.",
)
@click.option("--key", type=click.Path(path_type=Path), metavar="FILE", help="The public key of the expected signer.")
@click.option(
    "--file", type=click.Path(path_type=Path), metavar="FILE", help="With a receipt: the text that should have passed."
)
def verify(name: str, out: str | None, as_json: bool, receipt: Path | None, key: Path | None, file: Path | None) -> int:
    """Check that a run or a receipt has not been altered.

    Checks that no line was changed, removed or reordered, that the journal gives the same log again without calling a
    model, and that the result belongs to both. Lists what could not be checked. If RUN is a receipt (a .json file),
    only the receipt is checked: its hash, its signature, and with --file whether this file is the one that passed.
    """
    if name.endswith(".json"):
        return verify_receipt(Path(name), key, file, as_json=as_json)
    if file is not None:
        raise moot.ConfigError("--file is compared with a receipt: give the receipt.json of the run, not the run")
    run = moot.find_run(name, runs_folder(out))
    found = with_receipt(run, moot.verify(run), receipt, key)
    if as_json:
        fields = {
            "entries": found.entries,
            "replies": found.replies,
            "faults": found.faults,
            "notes": found.notes,
        }
        print_json({"run": run.address, "ok": not found.faults, **fields})
    else:
        for fault in found.faults:
            click.echo(printable(f"FAULT  {fault}"))
        for note in found.notes:
            click.echo(printable(f"note   {note}"))
        if not found.faults:
            click.echo(f"{run.name}: {found.entries} entries and {found.replies} replies, all as they were written.")
    return 1 if found.faults else 0


@click.group()
def log() -> None:
    """Add entries to a debate from another program."""


@log.command()
@ONE_RUN
@click.option("--phase", required=True, metavar="PHASE", help="Phase of the protocol, such as rebuttal.")
@click.option("--speaker", required=True, metavar="NAME", help="Author of the entry.")
@click.option("--type", "entry_type", required=True, metavar="TYPE", help="Type of the entry, such as note.")
@click.option(
    "--content-file",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File with the text; - reads standard input.",
)
@click.option("--sources", metavar="JSON", default="[]", help="Sources, as a list of {url, title, accessed}.")
@click.option("--rebuttal-to", type=int, metavar="SEQ", help="Number of the entry it answers.")
@click.option("--target", type=int, metavar="SEQ", help="Number of the entry it is about.")
@click.option("--call", metavar="CALL", help="With --type answer: the question, as `moot log next` shows it.")
@OUT
def append(name: str, content_file: Path, sources: str, entry_type: str, out: str | None, **fields: Any) -> int:
    """Add one entry, and print its number.

    The entry is marked as coming from outside: no agent sees it, and it does not change the outcome. With --type answer
    it is the answer of an outside agent, which takes part in the debate.
    """
    run = moot.find_run(name, runs_folder(out))
    content = stdin_text("content") if str(content_file) == "-" else _read(content_file)
    try:
        cited = json.loads(sources)
    except (RecursionError, ValueError) as error:
        raise moot.ConfigError(f"--sources is not JSON: {error}") from error
    if not isinstance(cited, list):
        raise moot.ConfigError("--sources must be a JSON list of {url, title, accessed}")
    click.echo(moot.append_outside(run, type=entry_type, content=content, sources=cited, **fields))
    return 0


@log.command("next")
@ONE_RUN
@click.option("--role", required=True, metavar="ROLE", help="Role that the program plays.")
@JSON
@OUT
def next_question(name: str, role: str, as_json: bool, out: str | None) -> int:
    """Show the first question that a role has not answered yet.

    The exit code is 1 if there is no such question.
    """
    found = moot.next_question(moot.find_run(name, runs_folder(out)), role)
    if as_json:
        print_json(asdict(found) if found else None)
    elif found is not None:
        click.echo(printable(f"phase: {found.phase}\ncall: {found.call}\n\n{found.asked}"))
    else:
        click.echo(f"No question waits for the {role}.")
    return 0 if found else 1


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return decoded(file.read(MAX_INPUT_BYTES + 1), str(path))
    except OSError as error:
        raise moot.ConfigError(f"{path} cannot be read: {error.strerror}") from error
