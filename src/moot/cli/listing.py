"""`moot list`: the runs there are, the newest first, and a search over them."""

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import moot
from moot.cli.hints import called
from moot.cli.options import JSON, OUT, print_json, runs_folder
from moot.cli.ranges import Whole
from moot.engine.outcome.stored import stored_result
from moot.engine.staging.finding import list_studies
from moot.engine.staging.runs import began
from moot.plugins.features import offered
from moot.record.stores.base import CONFIG
from moot.runs.search import has_words, missing, words_of
from moot.runs.tags import tags_of
from moot.text import one_line, printable
from moot.text.figures import dollars
from moot.text.prose import listed

if TYPE_CHECKING:
    from moot.studies.overview import Overview

STATUSES = ("running", "done", "limit", "failed", "interrupted", "unreadable")
MOST_NAMED = 12


@click.command("list")
@click.option("-n", "--limit", type=Whole(1), metavar="N", help="Maximum number to list.")
@click.option("--query", metavar="WORDS", default="", help="Only debates that contain all these words.")
@click.option("--protocol", metavar="NAME", help="Only debates of this protocol.")
@click.option("--status", type=click.Choice(STATUSES), help="Only debates with this status.")
@click.option("--tag", metavar="TAG", help="Only debates with this tag.")
@OUT
@JSON
def list_(limit: int | None, query: str, out: str | None, as_json: bool, **asked: str | None) -> int:
    """List runs, newest first.

    A batch or an evaluation is one line; use its folder as --out to list its runs. Times are UTC. Off a terminal, each
    line has tab-separated fields: run, protocol, status, outcome, flags, calls, price, topic.
    """
    folder = runs_folder(out)
    words = words_of(query)
    rows: list[dict[str, Any]] = []
    seen: dict[str, set[str]] = {"protocol": set(), "status": set(), "tag": set()}
    there = _newest_first(folder)
    for one in there:
        if limit is not None and len(rows) >= limit:
            break
        row = _row(one) if isinstance(one, moot.Run) else _study_row(one)
        found = {"protocol": [row["protocol"]], "status": [row["status"]], "tag": row["tags"]}
        for key, several in found.items():
            seen[key].update(filter(None, several))
        if all(asked[key] in (None, *several) for key, several in found.items()) and _has(one, row, words):
            rows.append(row)
    if as_json:
        print_json(rows)
    elif rows:
        _print_rows(rows)
    else:
        nothing = f"No runs in {folder} yet. Start one: {called()} duel"
        click.echo(printable(f"No run fits{_unknown(asked, seen)}" if there else nothing))
    return 0


def _print_rows(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print runs, after the reasons why others cannot be read."""
    for row in rows:
        if row["status"] == "unreadable":
            click.echo(printable(row["reason"]))
    rows = [row for row in rows if row["status"] != "unreadable"]
    if sys.stdout.isatty() or os.environ.get("FORCE_COLOR"):
        from moot.cli.run_lines import print_lines

        print_lines(rows)
        return
    for row in rows:
        click.echo("\t".join(fields_of(row, row["name"])))


def _unknown(asked: Mapping[str, str | None], seen: Mapping[str, Collection[str]]) -> str:
    """Which filter no run has, and what there is instead."""
    for key, there in seen.items():
        if asked[key] is not None and asked[key] not in there:
            return f": none has the {key} {asked[key]!r}; there {_are(sorted(there))}"
    return ""


def _are(names: Sequence[str]) -> str:
    return f"{'is' if len(names) == 1 else 'are'} {listed(names, MOST_NAMED)}" if names else "is none"


def _newest_first(folder: str) -> list["moot.Run | Overview"]:
    """The runs and studies of a folder, or the runs of a study."""
    studies = list_studies(folder)
    if [one.path for one in studies] == [Path(folder)]:
        return list(studies[0].runs())
    runs = list(reversed(moot.list_runs(folder)))
    overview_of = next(iter(offered("overview")), None)
    if not studies or overview_of is None:
        return list(runs)
    dated: list[tuple[float, moot.Run | Overview]] = [((run.path / CONFIG).stat().st_mtime, run) for run in runs]
    dated += [(found.made.timestamp(), found) for found in map(overview_of, studies)]
    return [one for _, one in sorted(dated, key=lambda pair: pair[0], reverse=True)]


def _has(one: "moot.Run | Overview", row: Mapping[str, Any], words: Sequence[str]) -> bool:
    """Whether each word is in the name, the topic, the outcome, or in what was said."""
    texts = [one.name, row["topic"], row["outcome"]]
    return has_words(one, words, texts) if isinstance(one, moot.Run) else not missing(words, texts)


def _row(run: moot.Run) -> dict[str, Any]:
    """The facts about a run. If it cannot be read, the row says why, and other runs are still listed."""
    stored, why = None, run.unreadable
    try:
        busy = why is None and run.busy
        stored = stored_result(run) if why is None else None
    except (moot.MootError, OSError) as error:
        busy, why = False, str(error)
    protocol, topic = (stored.protocol, stored.topic) if stored else (None, None)
    if stored is None or topic is None:
        with suppress(moot.MootError):
            protocol, topic = protocol or run.config.protocol.name, run.config.topic
    status = "running" if busy else "unreadable" if why is not None else stored.status if stored else "interrupted"
    moment = began(run.place.name)
    return {
        "run": run.address,
        "name": run.name,
        "began": moment.isoformat() if moment else None,
        "status": status,
        "reason": why or (stored.reason if stored else None),
        "protocol": protocol,
        "topic": topic,
        "outcome": stored.summary.headline if stored else None,
        "tags": list(tags_of(run)),
        "flags": [flag.code for flag in stored.flags] if stored else [],
        "warned": any(flag.severity == "warning" for flag in stored.flags) if stored else False,
        "cost": stored.spent.cost if stored else None,
        "calls": stored.spent.calls if stored else None,
    }


def _study_row(found: "Overview") -> dict[str, Any]:
    """The facts about a batch or an evaluation."""
    return {
        "run": str(found.study.path),
        "name": found.name,
        "began": found.made.isoformat(),
        "status": found.status,
        "reason": f"{found.name}: {found.fault}" if found.fault else None,
        "protocol": found.study.kind,
        "topic": found.title,
        "outcome": f"{found.progress}{f': {found.headline}' if found.headline else ''}",
        "tags": [],
        "flags": [],
        "warned": False,
        "cost": None,
        "calls": None,
    }


def fields_of(row: Mapping[str, Any], name: str) -> list[str]:
    """The complete fields of a run in a list."""
    spent = ("", "") if row["calls"] is None else (row["calls"], dollars(row["cost"]))
    topic = row["topic"] or Path(row["run"]).name.partition("-")[2].replace("-", " ")
    values = (name, row["protocol"], row["status"], row["outcome"], ",".join(row["flags"]), *spent, topic)
    return [one_line("" if value is None else value) for value in values]
