"""Writing finished debates to the memory, and recalling earlier ones for a new debate.

The memory is an SQLite file or a PostgreSQL database. Its address may contain a password, so it is passed in each
time and is stored in no file of a run.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from moot.engine.define.capabilities import Remembers
from moot.engine.define.remembered import Remembered
from moot.engine.outcome.material import Material, gather
from moot.engine.outcome.result import Result
from moot.engine.staging.runs import Run
from moot.errors import ConfigError
from moot.memory.database import NoMemoryYet, no_store_at
from moot.memory.ratings import games_of
from moot.memory.store import BETWEEN, Meaning, Memory, Outcome, open_store
from moot.memory.tiers import FAINT, VIVID
from moot.plugins.extras import require
from moot.record.entry import Entry
from moot.record.log import line_hash
from moot.record.payloads import FROM_MEMORY
from moot.record.stores.base import LOG
from moot.report.receipts import receipt_of
from moot.stats.similarity import embed_here, shipped_backend, threshold_of

MOST_RECALLED = 3
CAME_TO = {"rejected": "rejected this", "needs_review": "left this to a person"}
LONGEST_REMINDER = 2000
"""Characters, about five hundred tokens, for each earlier decision."""


def check_memory(memory: str) -> None:
    """Raise ConfigError if the place holds something that is not a memory, or if the extra is missing."""
    require("studies")
    if not no_store_at(memory):
        with open_store(memory):
            pass


async def remember(run: Run, result: Result, memory: str) -> bool:
    """Write the ratings, calibration, outcome and decision of a finished debate, all or nothing.

    Returns False if the memory already has this debate, by its `debate_id`.
    """
    remembers = run.config.protocol.get(Remembers)
    if remembers is None:
        raise ConfigError(f"{run.name} is a {result.protocol}, of which a memory keeps nothing")
    if result.status != "done":
        raise ConfigError(f"{run.name} is not finished, so there is nothing to remember yet")
    return await asyncio.to_thread(_record, run, result, remembers.record, memory)


def debate_id(run: Run) -> str:
    """The id of a debate in a memory: the hash of its log up to its own end. Entries added from outside later do not
    change it."""
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
        unrated=found.unrated,
        winner=found.winner,
        proposals=dict(found.proposals),
    )
    with open_store(memory) as store:
        meaning = _meaning(f"{known.question}\n{known.decision}")
        ranking = [[rated_as(name, found.models) for name in level] for level in found.ranking]
        votes = {rated_as(name, found.models): cast for name, cast in found.votes.items()}
        return store.record(known, games_of(ranking), votes, meaning)


def rated_as(persona: str, models: Mapping[str, str]) -> str:
    """What is rated: a persona and the model it spoke through."""
    return f"{persona}{BETWEEN}{models[persona]}" if persona in models else persona


def settle(run: Run, right: str, memory: str) -> tuple[str | None, int]:
    """Record whose proposal in a remembered debate turned out right, or “none”, unless an agent has that name. Returns
    the author, if there is one, and for how many agents it is now known whether they were right."""
    debate = debate_id(run)
    with open_store(memory, create=False) as store:
        try:
            author = right if right in store.get(debate).proposals or right.casefold() != "none" else None
            return author, store.settle(debate, author)
        except KeyError:
            told = f"{run.name} is not in the memory: add it first, with `moot memory add {run.name}`"
            raise ConfigError(told) from None
        except ValueError as error:
            raise ConfigError(f"{run.name} has no proposal of {right}: {error}", "right") from None


async def recall(
    question: str, memory: str, limit: int = MOST_RECALLED, *, of_use: bool = True
) -> list[dict[str, Any]]:
    """Earlier debates about a question, as documents for a debate; empty if there is no memory yet.

    Recalling a debate strengthens its memory, unless `of_use` is false, as when a debate is only planned.
    """
    now = datetime.now(UTC)
    found = await asyncio.to_thread(_recalled, question, memory, min(limit, MOST_RECALLED), now, of_use=of_use)
    return [
        # The question may come from a stranger, so it goes into the text, which is fenced, not the title.
        {
            "title": f"Earlier {'decision' if one.outcome.decision else 'debate'} of {one.outcome.finished:%Y-%m-%d}",
            "text": _reminder(one.outcome, one.trace.strength(now)),
            "source": FROM_MEMORY,
        }
        for one in found
    ]


def search_memory(query: str, memory: str, limit: int = 10) -> list[Memory]:
    """The earlier debates that match a query best, by words and by meaning."""
    if not query.strip():
        raise ConfigError("there is nothing to look for: the query is empty")
    with open_store(memory, create=False) as store:
        return store.search(query, _meaning_sought(query), limit)


def _recalled(question: str, memory: str, limit: int, now: datetime, *, of_use: bool) -> list[Memory]:
    try:
        with open_store(memory, create=False) as store:
            found = store.recall(question, _meaning_sought(question), limit, now)
            if of_use:
                store.mark_used(found, now)
            return found
    except NoMemoryYet:
        return []


def _reminder(one: Outcome, strength: float) -> str:
    """The text about an earlier debate: what became of it comes first and stays; everything while the memory is vivid,
    later without the evidence, in the end only the decision."""
    why = "; ".join(one.reasons)
    came_to = CAME_TO.get(one.verdict, "decided this") if one.decision else "left this undecided"
    lines = [one.turned_out] if one.turned_out else []
    lines += [
        f"An earlier debate, of {one.finished:%Y-%m-%d}, {came_to}. It is what was thought then, not a fact.",
        f"Question: {one.question}",
    ]
    if one.decision:
        lines.append(f"Decision, by {one.decided_by}: {one.decision}")
    if strength >= FAINT and one.decision:
        lines.append(f"Verdict on it: {one.verdict_in_words}{f' ({why})' if why else ''}")
    elif strength >= FAINT and why:
        lines.append(f"Why nothing was decided: {why}")
    if strength >= FAINT:
        lines += [f"Dissent of {dissent['agent']}: {dissent['reason']}" for dissent in one.dissent]
    if strength >= VIVID:
        lines += [f"Evidence: {text}" for text in one.evidence]
    return "\n".join(lines)[:LONGEST_REMINDER]


def _meaning(text: str) -> Meaning:
    backend = shipped_backend()
    return Meaning(backend, embed_here([text], backend)[0])


def _meaning_sought(text: str) -> Meaning:
    """The same for a query, with the least similarity that counts as a match."""
    meaning = _meaning(text)
    return replace(meaning, least=threshold_of(meaning.backend))
