"""Commands that read runs: list, show, report, export, verify, replay, log."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import click

import moot
from moot.cli.options import JSON, OUT

RUN = click.argument("name", metavar="RUN", default="latest")


@click.command("list")
@OUT
@JSON
def list_(out: str, as_json: bool) -> int:
    """The runs there are."""
    from moot.cli.tables import print_runs

    rows = [_row(run) for run in moot.list_runs(out)]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        print_runs(rows, out)
    return 0


def _row(run: moot.Run) -> dict[str, Any]:
    document = run.result() or {}
    status = "running" if run.busy else document.get("status", "interrupted")
    keys = ("protocol", "topic", "winner")
    return {"run": str(run.path), "status": status} | {key: document.get(key) for key in keys} | {
        "cost": (document.get("spent") or {}).get("cost"),
        "calls": (document.get("spent") or {}).get("calls"),
    }  # fmt: skip


@click.command()
@RUN
@click.option("--as", "agent", metavar="AGENT", help="Exactly what this agent was sent, and what it replied.")
@click.option("--at", type=click.IntRange(1), metavar="SEQ", help="Up to this entry only.")
@OUT
@JSON
def show(name: str, agent: str | None, at: int | None, out: str, as_json: bool) -> int:
    """The debate as it stands in the log. RUN is a folder, part of its name, or `latest`."""
    from moot.cli.tables import print_entries, print_messages

    run = moot.find_run(name, out)
    if agent is None:
        entries = [entry for entry in run.entries() if at is None or entry.seq <= at]
        if as_json:
            click.echo(json.dumps([entry.model_dump(mode="json") for entry in entries], ensure_ascii=False, indent=2))
        else:
            print_entries(entries)
        return 0
    messages = moot.seen_by(run, agent, at)
    if as_json:
        listed = [{"role": message.role, "content": message.content} for message in messages]
        click.echo(json.dumps(listed, ensure_ascii=False, indent=2))
    else:
        print_messages(messages, agent)
    return 0


@click.command()
@RUN
@OUT
@JSON
def report(name: str, out: str, as_json: bool) -> int:
    """Write result.json, report.md and report.html anew, from config, log and journal."""
    run = moot.find_run(name, out)
    result = asyncio.run(moot.rebuild(run))
    if as_json:
        click.echo(json.dumps(result.document(), ensure_ascii=False, indent=2))
    else:
        click.echo(run.path / "report.html")
    return 0


@click.command()
@RUN
@click.option("--to", "form", type=click.Choice(["md", "html", "json"]), required=True)
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="A file instead of stdout.")
@OUT
def export(name: str, form: str, output: Path | None, out: str) -> int:
    """The debate as one document: md and html are the reports, json is config, log, journal and result together."""
    text = asyncio.run(moot.export(moot.find_run(name, out), form))
    if output is None:
        click.echo(text, nl=not text.endswith("\n"))
        return 0
    try:
        output.write_text(text, "utf-8")
    except OSError as error:
        raise moot.ConfigError(f"{output} cannot be written: {error.strerror}") from error
    return 0


@click.command()
@RUN
@OUT
@JSON
def verify(name: str, out: str, as_json: bool) -> int:
    """Check that no line of a run was altered, removed or reordered, and that the result belongs to it."""
    run = moot.find_run(name, out)
    found = moot.verify(run)
    if as_json:
        fields = {
            "entries": found.entries,
            "replies": found.replies,
            "faults": found.faults,
            "notes": found.notes,
        }
        click.echo(json.dumps({"run": str(run.path), "ok": not found.faults, **fields}, ensure_ascii=False, indent=2))
    else:
        for fault in found.faults:
            click.echo(f"FAULT  {fault}")
        for note in found.notes:
            click.echo(f"note   {note}")
        if not found.faults:
            click.echo(
                f"{run.path.name}: {found.entries} entries and {found.replies} replies, all as they were written."
            )
    return 1 if found.faults else 0


@click.command()
@RUN
@OUT
@JSON
def replay(name: str, out: str, as_json: bool) -> int:
    """Derive everything again from the journal, asking no model, and compare it with the log."""
    run = moot.find_run(name, out)
    found = asyncio.run(moot.replay(run))
    if as_json:
        fields = {"entries": len(found.entries), "replies": found.replies, "waiting_for": found.waiting_for}
        document = {
            "run": str(run.path),
            "ok": not found.differences,
            **fields,
            "differences": found.differences,
        }
        click.echo(json.dumps(document, ensure_ascii=False, indent=2))
        return 1 if found.differences else 0
    for difference in found.differences:
        click.echo(f"DIFFERS  {difference}")
    if not found.differences:
        click.echo(f"{run.path.name}: {found.replies} replies make the same {len(found.entries)} entries again.")
    if found.waiting_for:
        click.echo(f"It is unfinished and goes on at {found.waiting_for}: moot resume {run.path.name}")
    return 1 if found.differences else 0


@click.group()
def log() -> None:
    """Take part in a run's log from outside."""


@log.command()
@click.argument("name", metavar="RUN")
@click.option("--phase", required=True)
@click.option("--speaker", required=True)
@click.option("--type", "entry_type", required=True)
@click.option("--content-file", required=True, type=click.Path(path_type=Path), help="A file of text, or - for stdin.")
@click.option("--sources", metavar="JSON", default="[]", help="A list of {url, title, accessed}.")
@click.option("--rebuttal-to", type=int, metavar="SEQ")
@click.option("--target", type=int, metavar="SEQ")
@OUT
def append(name: str, content_file: Path, sources: str, entry_type: str, out: str, **fields: Any) -> int:
    """Append one entry and print its seq. It is marked as coming from outside."""
    try:
        data = sys.stdin.buffer.read() if str(content_file) == "-" else content_file.read_bytes()
        content = data.decode("utf-8-sig")
    except OSError as error:
        raise moot.ConfigError(f"{content_file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise moot.ConfigError(f"{content_file} is not UTF-8 text (byte {error.start})") from error
    try:
        cited = json.loads(sources)
    except ValueError as error:
        raise moot.ConfigError(f"--sources is not JSON: {error}") from error
    if not isinstance(cited, list):
        raise moot.ConfigError("--sources must be a JSON list of {url, title, accessed}")
    run = moot.find_run(name, out)
    click.echo(moot.append_outside(run, type=entry_type, content=content, sources=cited, **fields))
    return 0
