"""What the tools and resources say about stored debates. Reads files: call these functions in a thread."""

import asyncio
from collections.abc import Iterator
from typing import Any

import moot
from moot.engine.define.capabilities import GateTool
from moot.engine.define.registry import Found, find_offered
from moot.engine.outcome.material import gather, transcript
from moot.engine.staging.stored import readable_result
from moot.mcp.shapes import Gated, Links, Listed, Listing, Offered, Outcome, gated
from moot.present import Brief
from moot.record.entry import first_data
from moot.record.payloads import Header
from moot.runs.schemas import options_schema
from moot.service.guests import requested
from moot.service.host import Host, how_it_ended
from moot.text import clip, one_line

LONGEST_TOPIC = 200


def read_gate(host: Host, run: moot.Run, links: Links) -> Gated:
    protocol, entries = run.config.protocol, run.entries()
    gate = protocol.get(GateTool)
    assert gate is not None  # noqa: S101 (else there would be no such tool)
    status = _status(host, run)
    ended = status != "running" and first_data(entries, Header) is not None
    outcome = protocol.outcome(entries) if ended else None
    stored = readable_result(run) if ended else None
    return gated(run.name, status, gate.decide(outcome, entries), stored, links)


def read_outcome(host: Host, run: moot.Run, links: Links) -> Outcome:
    """The outcome of a debate, or that it is running."""
    status = _status(host, run)
    stored = None if status == "running" else readable_result(run)
    document = (run.result() if status != "running" else None) or {}
    return Outcome(
        run=run.name,
        protocol=run.config.protocol.name,
        status=status,
        reason=stored.reason if stored else None,
        headline=stored.summary.headline if stored else None,
        reached=stored.summary.reached if stored else "",
        change=stored.summary.change if stored else None,
        brief=stored.summary.brief if stored else Brief(),
        flags=stored.flags if stored else [],
        document={key: value for key, value in document.items() if key != "run"},
        **links.model_dump(),
    )


def describe(found: Found) -> Offered:
    protocol, origin = found.protocol, found.origin
    return Offered(
        protocol=protocol.name,
        about=protocol.about,
        gives=protocol.gives,
        topic=protocol.subject.label,
        origin=" ".join(filter(None, (origin.source, origin.version))) if origin else None,
        options=options_schema(protocol),
    )


def config_of(
    protocol: str, topic: str, model: str | None, settings: dict[str, Any], *, gate: bool = False
) -> moot.RunConfig:
    keys = {find_offered(protocol).protocol.subject.key: topic, **settings}
    return requested(protocol, keys if model is None else {**keys, "model": model}, gate=gate)


def listing(host: Host, query: str, limit: int) -> Listing:
    words = query.casefold().split()
    unreadable: list[str] = []
    fitting = [
        (run, topic) for run, topic in topics(host, unreadable) if all(word in topic.casefold() for word in words)
    ]
    shown = [_list_item(host, run, clip(one_line(topic), LONGEST_TOPIC)) for run, topic in fitting[:limit]]
    return Listing(runs=shown, more=max(0, len(fitting) - limit), unreadable=unreadable[:limit])


def topics(host: Host, unreadable: list[str] | None = None) -> Iterator[tuple[moot.Run, str]]:
    """The stored debates with their topics, newest first. Why one cannot be read is added to `unreadable`."""
    for listed in reversed(host.listed_runs()):
        run = listed.run
        if run.unreadable is not None:
            if unreadable is not None:
                unreadable.append(run.unreadable)
            continue
        try:
            yield run, run.config.topic
        except moot.MootError:
            continue  # a folder whose config was edited


def read_report(host: Host, run: moot.Run) -> str:
    """The report of a debate that has ended, in Markdown, without what no other agent saw."""
    from moot.report import page

    if host.running(run):
        raise moot.RunBusy(f"{run.name} is under way; its report is there once it has ended")
    material = gather(run, asyncio.run(moot.result_of(run)))
    contents = page.contents(material)
    spoken = [one for one in transcript(material) if one.entry.to == "all" or one.entry.outside]
    return page.render("md", material, {**contents, "transcript": spoken})


def _list_item(host: Host, run: moot.Run, topic: str) -> Listed:
    status = _status(host, run)
    stored = None if status == "running" else readable_result(run)
    return Listed(
        run=run.name,
        protocol=run.config.protocol.name,
        topic=topic,
        status=status,
        headline=clip(one_line(stored.summary.headline), LONGEST_TOPIC) if stored else None,
        flags=[flag.code for flag in stored.flags] if stored else [],
    )


def _status(host: Host, run: moot.Run) -> str:
    return "running" if host.running(run) else how_it_ended(run).status
