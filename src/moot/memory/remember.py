"""Remembering: what a finished debate leaves in the memory, and what a new one is reminded of.

The memory is an SQLite file or a PostgreSQL database. Its address may hold a password, so it is given anew each time
and stands in no file of a run.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from moot.engine.material import Material, gather
from moot.engine.remembered import Remembered
from moot.engine.result import Result
from moot.engine.runs import Run
from moot.errors import ConfigError
from moot.memory.database import NoMemoryYet, no_store_at
from moot.memory.ratings import games_of
from moot.memory.store import Meaning, Memory, Outcome, open_store
from moot.models.embeddings import embed_here, shipped_backend, threshold_of
from moot.plugins.extras import require
from moot.record.entry import Entry
from moot.record.log import line_hash
from moot.record.stores.base import LOG
from moot.report.receipts import receipt_of

MOST_RECALLED = 3
LONGEST_REMINDER = 2000
"""Characters, about five hundred tokens, for each earlier decision."""


def check_memory(memory: str) -> None:
    """ConfigError when there is something at that place, and it can be no memory, or the extra is missing."""
    require("studies")
    if not no_store_at(memory):
        with open_store(memory):
            pass


async def remember(run: Run, result: Result, memory: str) -> bool:
    """Write ratings, calibration, outcome and decision of a finished debate into the memory, all or nothing.

    False when the memory has this debate already, by its `debate_id`.
    """
    if run.config.protocol.remember is None:
        raise ConfigError(f"{run.name} is a {result.protocol}, of which a memory keeps nothing")
    if result.status != "done":
        raise ConfigError(f"{run.name} is not finished, so there is nothing to remember yet")
    return await asyncio.to_thread(_record, run, result, run.config.protocol.remember, memory)


def debate_id(run: Run) -> str:
    """What a memory calls this debate: the hash of its log, up to its own end. Entries from outside that were added
    since make no other debate of it."""
    return line_hash(run.place.read_lines(LOG)[_last_of_its_own(run.entries())])


def _last_of_its_own(entries: Sequence[Entry]) -> int:
    return max(number for number, entry in enumerate(entries) if not entry.outside)


def _record(run: Run, result: Result, kept: Callable[[Material], Remembered], memory: str) -> bool:
    entries, material = run.entries(), gather(run, result)
    found = kept(material)
    known = Outcome(
        id=debate_id(run),
        run=run.address,
        question=found.question,
        decision=found.decision,
        verdict=found.verdict,
        decided_by=found.decided_by,
        confidence=found.confidence,
        finished=datetime.fromisoformat(entries[_last_of_its_own(entries)].timestamp),
        evidence=list(found.evidence),
        dissent=[dict(one) for one in found.dissent],
        receipt=receipt_of(material) or {},
    )
    with open_store(memory) as store:
        meaning = _meaning(f"{known.question}\n{known.decision}")
        return store.record(known, games_of(found.scores), found.votes, meaning)


async def recall(
    question: str, memory: str, limit: int = MOST_RECALLED, *, of_use: bool = True
) -> list[dict[str, Any]]:
    """Earlier debates that bear on a question, as texts for an arena's `context`; none where there is no memory yet.

    Being recalled makes them last, unless they are not `of_use`, as when a debate is only planned.
    """
    found = await asyncio.to_thread(_recalled, question, memory, min(limit, MOST_RECALLED), of_use=of_use)
    return [
        # The question may be a stranger's, so it stands in the text, which is fenced, and not in the title.
        {
            "title": f"of {one.finished:%Y-%m-%d}",
            "text": _reminder(one),
            "kind": "earlier decision" if one.decision else "earlier debate",
        }
        for one in (each.outcome for each in found)
    ]


def search_memory(query: str, memory: str, limit: int = 10) -> list[Memory]:
    """Earlier debates that fit a query best, by its words and its meaning; none where nothing has to do with it."""
    if not query.strip():
        raise ConfigError("there is nothing to look for: the query is empty")
    with open_store(memory, create=False) as store:
        return store.search(query, _meaning_sought(query), limit)


def _recalled(question: str, memory: str, limit: int, *, of_use: bool) -> list[Memory]:
    now = datetime.now(UTC)
    try:
        with open_store(memory, create=False) as store:
            found = store.recall(question, _meaning_sought(question), limit, now)
            if of_use:
                store.mark_used(found, now)
            return found
    except NoMemoryYet:
        return []


def _reminder(one: Outcome) -> str:
    why = "; ".join(one.reasons)
    if one.decision:
        came_to = "decided this"
        result = [
            f"Decision, by {one.decided_by}: {one.decision}",
            f"Verdict on it: {one.verdict_in_words}{f' ({why})' if why else ''}",
        ]
    else:
        came_to = "left this undecided"
        result = [f"Why nothing was decided: {why}"] if why else []
    lines = [
        f"An earlier debate, of {one.finished:%Y-%m-%d}, {came_to}. It is what was thought then, not a fact.",
        f"Question: {one.question}",
        *result,
        *(f"Dissent of {dissent['agent']}: {dissent['reason']}" for dissent in one.dissent),
    ]
    return "\n".join(lines)[:LONGEST_REMINDER]


def _meaning(text: str) -> Meaning:
    backend = shipped_backend()
    return Meaning(backend, embed_here([text], backend)[0])


def _meaning_sought(text: str) -> Meaning:
    """The same, to look for what is alike enough to have to do with it."""
    meaning = _meaning(text)
    return replace(meaning, least=threshold_of(meaning.backend))
