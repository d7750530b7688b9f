"""Running debates: run, resume, fork and replay play the same script with different journals.

A run pays for replies. A resumed run uses its recorded replies and pays for the rest. A replay only compares. A fork is
a resumed run that starts with part of another run's journal.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cache, partial, wraps
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import to_json

from moot.engine.define.config import Options, RunConfig, checked
from moot.engine.define.registry import adopt, load_named_plugins
from moot.engine.define.shipped import BUILT_IN
from moot.engine.outcome.documents import Finisher, finished, note_unmade
from moot.engine.outcome.result import NOT_COMPARED, Files, Result, differing_keys, fold, vouched_for
from moot.engine.outcome.stored import Status
from moot.engine.play.casting import Casting
from moot.engine.play.limits import Budget, Spending, spent, token_bound
from moot.engine.play.room import Room
from moot.engine.sources.toolbox import check_search, check_tools
from moot.engine.staging.inheritance import inherited
from moot.engine.staging.opened import Opened, finished_first, open_new_run, open_run, uninterrupted
from moot.engine.staging.opening import Opener, paying_caller, setup_of
from moot.engine.staging.plan import TOOLS, plan
from moot.engine.staging.replay import drop_unjournaled_entries, mend, replay
from moot.engine.staging.runs import Run, create_run
from moot.errors import (
    CallFailed,
    ConfigError,
    LimitReached,
    ModelError,
    NotIntroduced,
    ReportFailed,
    RuleFailed,
    RunDamaged,
    Undeclared,
)
from moot.models.base import Model, Usage
from moot.models.human import PersonPrompter
from moot.models.pool import pool
from moot.models.prices import worst_cost
from moot.models.scripted import UnusedReplies
from moot.plugins.features import offered
from moot.plugins.guard import Broken, guarded_wait
from moot.present.data import first_fault
from moot.record.events import Follower, Started
from moot.record.journal import Record, conversations
from moot.record.ledger import Ledger
from moot.record.stores.base import RESULT
from moot.system import allow_many_files

T = TypeVar("T")

Stage = Callable[..., Coroutine[Any, Any, Result]]


async def run(
    config: RunConfig,
    *,
    follow: Follower | None = None,
    models: Mapping[str, Model] | None = None,
    finish: Finisher | None = None,
    prompter: PersonPrompter | None = None,
    within: Budget | None = None,
) -> Result:
    """Stage a new debate in a new folder. A debate that stops early also has a result: see its status.

    `models` are your models, by the names in the config. `finish` makes the reports after the result is written; leave
    it out if you run thousands, and use `rebuild` later. People are asked by the `prompter`, or at the terminal. If the
    debate is part of something larger, `within` is the budget that it also charges. If it is cancelled, it waits up to
    five seconds for replies in progress, so that resuming does not pay for them again; a second time, it does not.
    """
    allow_many_files()  # each debate has three, and many run at once
    check_tools(config.options.tools)
    check_search(config.options.tools, config.options.documents)
    load_named_plugins()  # they may define models
    adopt(config.protocol)
    await _rehearsed(config)
    with ExitStack() as files:
        opened, interrupted = await finished_first(open_new_run(config, files))
        try:
            opener = Opener.of(config.options, models, opened.folder, prompter)
            return await _stage(opened, config, opener, follow, finish=finish, within=within, interrupted=interrupted)
        except (ConfigError, ModelError):
            # No reply and no cost yet: leave no empty run behind.
            if not opened.log.entries:
                opened.folder.place.remove()
            raise


async def _rehearsed(config: RunConfig) -> None:
    """Play the script with invented replies before anything is paid, if it is a plug-in's or roles are named for tools:
    Undeclared or NotIntroduced if its log could not be read back, ConfigError if a role could not use its tool. Other
    errors are ignored, because the replies could have caused them."""
    if config.protocol.name in BUILT_IN and not any(config.options.tools.values()):
        return
    planned = await guarded_wait(plan(config))
    if isinstance(planned, Broken):
        error = planned.error
        if isinstance(error, Undeclared | NotIntroduced) or (isinstance(error, ConfigError) and error.key == TOOLS):
            raise error


async def resume(
    folder: Run,
    *,
    follow: Follower | None = None,
    models: Mapping[str, Model] | None = None,
    prompter: PersonPrompter | None = None,
    finish: Finisher | None = None,
    within: Budget | None = None,
    **changes: Any,
) -> Result:
    """Continue a run where it stopped. Replies on record are not requested again.

    `changes` are new limits, or other models for the remaining replies.
    """
    load_named_plugins()
    config = await asyncio.to_thread(lambda: folder.config)
    config.check_plugins()
    overrides = {key: value for key, value in changes.items() if value is not None}
    options = checked(Options, config.options.model_dump() | overrides, "options")
    opener = Opener.of(options, models, folder, prompter)
    instead = None
    if "model" in overrides or "roles" in overrides:
        instead = Casting(opener, overrides.get("model"), overrides.get("roles", {}))
        options = options.model_copy(update={"model": config.options.model, "roles": config.options.roles})
    with ExitStack() as files:
        opened, interrupted = await finished_first(_reopened(folder, files))
        config = replace(config, options=options)
        return await _stage(
            opened, config, opener, follow, instead, finish=finish, within=within, interrupted=interrupted
        )


async def _reopened(folder: Run, files: ExitStack) -> Opened:
    """The run, locked and opened, without what its log has beyond its journal."""
    await asyncio.to_thread(lambda: files.enter_context(folder.hold()))
    await asyncio.to_thread(mend, folder)
    await drop_unjournaled_entries(folder)
    return await asyncio.to_thread(lambda: open_run(folder, files, held=True))


def fork(folder: Run, at: int, **changes: Any) -> Run:
    """A new run that shares the debate up to entry `at` with this one. Resume it to continue from there.

    Outside entries are not copied.
    """
    entries, overrides = folder.entries(), {key: value for key, value in changes.items() if value is not None}
    if not 0 <= at < len(entries):
        raise ConfigError(f"{folder.name} cannot be forked at {at}: it has {len(entries)} entries, counted from 0")
    # The stored address of a database has no password, so take it from where the run was found.
    out = {} if folder.folder else {"out": folder.place.out}
    options = checked(Options, folder.config.options.model_dump() | out | overrides, "options")
    records = inherited(folder.records(), entries, at)
    origin = {"run": folder.name, "at": at, "records": len(records)}
    return create_run(replace(folder.config, options=options, origin=origin), records)


async def result_of(folder: Run, files: Files | None = None) -> Result:
    """The result of a run, computed from its files without writing anything; `files` are their entries and records if
    they have already been read.

    The reason for stopping and the dependencies of calls are not in the files: they come from the stored result if its
    receipt matches, otherwise from a replay. If the protocol is not installed, the stored result is used. RunDamaged if
    the log does not follow from the journal; ConfigError if the plug-in has changed since the run started and gives a
    different result.
    """
    known = vouched_for(folder)
    if folder.config.protocol.missing:
        return _as_stored(folder, known)
    if known is not None:
        how = known["status"], known["reason"], known["longest_chain"]
        result = fold(folder, *how, files, limit=known.get("limit"))
    else:
        result = await _replayed(folder)
    if (differs := folder.config.plugin_differs) is not None:
        _keep_from(differs, folder, result, known)
    return result


def _keep_from(differs: str, folder: Run, result: Result, known: dict[str, Any] | None) -> None:
    """ConfigError if a changed plug-in would replace the stored result with a different one."""
    stored = known or folder.result() or {}
    # If the run has continued since then, the result is different for a good reason.
    if known is None and stored.get("status") != "done":
        return
    if others := differing_keys(result.document(), stored, but=NOT_COMPARED):
        listed = ", ".join(others)
        raise ConfigError(f"the result of {folder.name} stays as it is: {differs}, which makes another {listed}")


async def _replayed(folder: Run) -> Result:
    replayed = await replay(folder)
    if replayed.differences:
        raise RunDamaged(f"the log of {folder.name} is not what its journal makes: {replayed.differences[0]}")
    if replayed.waiting_for is None:
        return fold(folder, "done", None, replayed.longest_chain)
    return fold(folder, "interrupted", f"stopped before {replayed.waiting_for}", replayed.longest_chain)


def _as_stored(folder: Run, document: dict[str, Any] | None) -> Result:
    """The stored result of a run whose protocol is not installed; nothing can be recomputed."""
    if document is None:
        why = folder.config.protocol.missing
        raise ConfigError(f"{folder.name} has no result that fits its files, and {why}", "protocol")
    try:
        return Result.from_document(document, folder)
    except ValidationError as error:
        raise RunDamaged(f"the result of {folder.name} cannot be read: {first_fault(error)}") from error


async def rebuild(folder: Run, finish: Finisher) -> tuple[Result, ReportFailed | None]:
    """Write the result and the reports again from config, log and journal, and return an error for documents that
    failed. If the protocol is not installed, the existing files stay, because new ones would contain less."""
    with folder.hold():
        result = await result_of(folder)
        if folder.config.protocol.missing:
            documents, failed = finished(folder, result, finish)
            new = {name: text for name, text in documents.items() if folder.place.read(name) is None}
            await folder.keep(new)
            return result, failed
        return result, await _keep(folder, result, finish)


@cache
def _observers() -> tuple[Callable[[Stage], Stage], ...]:
    """What installed features do around the staging of every debate, such as telemetry."""
    return tuple(offered("observing"))


def _observed(stage: Stage) -> Stage:
    @wraps(stage)
    async def staged(*args: Any, **more: Any) -> Result:
        around = stage
        for observe in _observers():
            around = observe(around)
        return await around(*args, **more)

    return staged


@_observed
async def _stage(
    opened: Opened,
    config: RunConfig,
    opener: "Opener",
    follow: Follower | None,
    instead: Casting | None = None,
    *,
    finish: Finisher | None = None,
    within: Budget | None = None,
    interrupted: asyncio.CancelledError | None = None,
) -> Result:
    """Play the script in this folder, and write result and reports whether it succeeds or not, or was `interrupted`
    before it began."""
    folder, journal, log, options = opened.folder, opened.journal, opened.log, config.options
    journal.inherited = config.inherited
    status: Status = "done"
    reason, limit = None, None
    budget = Budget(options.limits, already_spent(journal.records, options, config.inherited), within)
    ledger = Ledger(log, follow)
    caller = paying_caller(config, journal, budget, follow)
    casting = Casting(opener, options.model, options.roles, instead)
    room = Room(setup_of(config, journal), write=ledger.write, journal=journal, caller=caller, casting=casting)
    if follow:
        follow(Started(folder.address))
    async with pool():
        try:
            if interrupted is not None:
                raise interrupted
            await config.play(room)
            if within is None:  # a script for something larger also has replies for its other parts
                opener.check_scripts(journal.records)
        except LimitReached as error:
            status, reason, limit = "limit", str(error), error.limit
        except (CallFailed, RuleFailed, UnusedReplies) as error:
            status, reason = "failed", str(error)
        except asyncio.CancelledError as error:
            status, reason, interrupted = "interrupted", "stopped from outside", error
        log.catch_up()
        files = log.entries, journal.records
        outcome = partial(fold, folder, status, reason, room.longest_chain, files, limit=limit)
        if interrupted is None:
            return await uninterrupted(_end(opened, outcome, finish))
        journal.sync()
        log.sync()
        result = outcome()
        _write(folder, {RESULT: document_of(result)})
        documents, failed = finished(folder, result, finish, files)
        _write(folder, documents)
        note_unmade(folder, failed)
        raise interrupted


async def _end(opened: Opened, outcome: Callable[[], Result], finish: Finisher | None) -> Result:
    """Write result and reports of a debate that has ended."""
    folder, journal, log = opened.folder, opened.journal, opened.log
    synced = asyncio.gather(journal.synced(), log.synced())
    await asyncio.sleep(0)  # start it: the disk works while the result is computed
    result = outcome()
    await synced
    note_unmade(folder, await _keep(folder, result, finish, (log.entries, journal.records)))
    return result


async def _keep(
    folder: Run, result: Result, finish: Finisher | None, files: Files | None = None
) -> ReportFailed | None:
    """Write the result, then the reports, so that a failing renderer cannot lose the decision."""
    await uninterrupted(folder.keep({RESULT: document_of(result)}))
    if finish is None:
        return None
    documents, failed = finished(folder, result, finish, files)
    await uninterrupted(folder.keep(documents))
    return failed


def document_of(result: Result) -> str:
    """The result as in its file."""
    return to_json(result.document(), indent=2).decode() + "\n"


def _write(folder: Run, documents: Mapping[str, str]) -> None:
    for name, text in documents.items():
        folder.write(name, text)


def already_spent(records: Sequence[Record], options: Options, inherited: int = 0) -> Spending:
    """The amount that a run has paid itself; the maximal cost of a call if the model did not report it."""
    total = Spending()
    requests = {id(record): request for record, request in conversations(records)}
    for record in records[inherited:]:
        if record.kind == "reply":
            tokens = token_bound(requests[id(record)], record.shape)
            cost = worst_cost(record.model or "", tokens, options.max_reply_tokens, options.prices) or 0.0
            total.add(spent(record.usage or Usage(), Spending(1, tokens + options.max_reply_tokens, cost)))
        elif record.usage is not None:
            total.add(replace(spent(record.usage, Spending()), calls=0))
    return total
