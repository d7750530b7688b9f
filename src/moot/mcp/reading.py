"""What the tools and resources say about stored debates. Reads files: call these functions in a thread."""

import asyncio
from typing import Any

import moot
from moot.engine.define.capabilities import GateTool
from moot.engine.define.registry import Found, find_offered
from moot.engine.outcome.material import gather
from moot.engine.outcome.stored import readable_result
from moot.mcp.shapes import Gated, Links, Listing, Offered, Outcome
from moot.record.entry import first_data
from moot.record.payloads import Header
from moot.runs.schemas import options_schema
from moot.service.detail import read_detail
from moot.service.guests import requested
from moot.service.host import Host
from moot.service.live import how_it_ended


def read_gate(host: Host, run: moot.Run, links: Links) -> Gated:
    """The decision of a gate. What it refuses does not pass, and nothing does before it has decided."""
    protocol, entries = run.config.protocol, run.entries()
    gate = protocol.get(GateTool)
    assert gate is not None  # noqa: S101 (else there would be no such tool)
    status = "running" if host.running(run) else how_it_ended(run).status
    ended = status != "running" and first_data(entries, Header) is not None
    outcome = protocol.outcome(entries) if ended else None
    stored = readable_result(run) if ended else None
    decided, found = gate.decide(outcome, entries), stored.gate if stored and stored.status == "done" else None
    passed = found.passed if found else None
    return Gated(
        run=run.name,
        status=status,
        headline=stored.summary.headline if stored else None,
        passed=decided.passed and not (found and found.refused) if passed is None else passed,
        decision=decided.decision,
        agreement=decided.agreement,
        threshold=decided.threshold,
        passing_decision=decided.passing,
        conditions=list(decided.conditions),
        flags=stored.flags if stored else [],
        **links.model_dump(),
    )


def read_outcome(host: Host, run: moot.Run, links: Links) -> Outcome:
    """The outcome of a debate, or that it is running."""
    return Outcome(**dict(read_detail(host, run)), **dict(links))


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
    found = host.shelf.search(query)
    return Listing(runs=list(map(host.shelf.with_progress, found[:limit])), more=max(0, len(found) - limit))


def read_report(host: Host, run: moot.Run) -> str:
    """The report of a debate that has ended, in Markdown, without what no other agent saw."""
    from moot.report import page
    from moot.report.public import public_contents

    if host.running(run):
        raise moot.RunBusy(f"{run.name} is under way; its report is there once it has ended")
    material = gather(run, asyncio.run(moot.result_of(run)))
    return page.render("md", material, public_contents(material))
