"""Reading a run from one agent's point of view."""

from moot.engine.outcome.result import cast_names
from moot.engine.play.agent import part_of
from moot.engine.staging.runs import Run
from moot.errors import ConfigError
from moot.models.base import Message
from moot.record.journal import conversations


def seen_by(run: Run, agent: str, at: int | None = None) -> list[Message]:
    """The messages that this agent, given by name or role, had received and sent when entry `at` was written. For a
    role that was played several times without memory, only the last time counts.

    The messages come from the requests in the journal, and each is checked against its recorded hash.
    """
    entries, records = run.entries(), run.records()
    names = cast_names(entries)
    part = next((part for part, name in names.items() if agent.casefold() in (part.casefold(), name.casefold())), None)
    if part is None:
        cast = ", ".join(f"{part} ({name})" for part, name in names.items()) or "empty so far"
        raise ConfigError(f"unknown agent {agent!r}; the cast is {cast}")
    if at is not None and not 0 <= at < len(entries):
        raise ConfigError(f"there is no entry {at}; the log has {len(entries)}, counted from 0")
    own = [record for record in records if record.kind == "reply" and part_of(record.agent) == part]
    last = own[-1] if own else None
    if at is not None:
        by_key = {record.key: record for record in own}
        # By the order of the log: what was asked side by side was answered in any.
        last = next((by_key[entry.call] for entry in reversed(entries[: at + 1]) if entry.call in by_key), None)
    for record, request in conversations(records):
        if record is last:
            return [*request, Message("assistant", record.reply or "")]
    return []
