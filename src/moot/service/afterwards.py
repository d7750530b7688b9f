"""What people do with a debate that they have read: ask about it, debate further, fork it, have it judged again, put it
into the bin.

Everything that is started here stays within the limits of the server, and uses models that guests can use.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from moot.engine.define.config import RunConfig
from moot.engine.outcome.questions import Answer
from moot.engine.sources.toolbox import check_tools
from moot.engine.staging.run import fork as fork_run
from moot.engine.staging.runs import Run
from moot.errors import ConfigError, MootError, RunBusy
from moot.plugins.features import needed
from moot.runs.bin import binned, discard, restore
from moot.runs.follow_up import follow_up
from moot.runs.questions import LONGEST_QUESTION, ask, judge_of
from moot.service.guests import limits_within, within_limits
from moot.service.host import Host, NoSuchRun, note


async def ask_about(
    host: Host,
    name: str,
    question: str,
    models: Sequence[str],
    **limits: Any,
) -> Answer:
    """Ask about a finished debate; `limits` override those of the run."""
    found = await host.found(name)
    chosen = list(models or await asyncio.to_thread(judge_of, found))
    for one in chosen:
        host.check_model(one)
    given = {key: value for key, value in limits.items() if value is not None}
    options = found.config.options.model_copy(update=given)
    capped: dict[str, Any] = limits_within(options)
    return await ask(found, question, chosen, models=host.models or {}, **capped)


async def debate_further(host: Host, name: str, question: str, models: list[str]) -> str:
    """Start a debate on a further question, with the outcome of this one as context. Returns its name."""
    if not question.strip() or len(question) > LONGEST_QUESTION:
        raise ConfigError(f"a question has 1 to {LONGEST_QUESTION:,} characters", "question")
    found = await host.found(name)
    config = await asyncio.to_thread(lambda: follow_up(found, question.strip(), model=models or None))
    return await host.start(_for_guests(host, config))


async def fork_at(host: Host, name: str, at: int, models: list[str], seed: int | None) -> str:
    """Start another course of a debate from this entry on. Returns its name."""
    found = await host.found(name)
    config = _for_guests(host, found.config, *models)
    changes: dict[str, Any] = {**limits_within(config.options), "model": models or None, "seed": seed, "out": host.out}
    twin = await asyncio.to_thread(lambda: fork_run(found, at, **changes))
    try:
        return await host.resume(twin.name)
    except MootError:
        # No reply and no cost yet: leave no empty run behind.
        with suppress(MootError):
            if not await asyncio.to_thread(twin.entries):
                await asyncio.to_thread(twin.place.remove)
        raise


async def judge_again(host: Host, name: str, judges: list[str]) -> str:
    """Have a debate judged again, by these models or by the model of its own judge. Returns the name of the new run."""
    found = await host.found(name)
    config_of = needed("judging", "judging again", "rejudge")
    config = await asyncio.to_thread(lambda: config_of(found, judges=judges))
    return await host.start(_for_guests(host, config))


async def discard_run(host: Host, name: str) -> str:
    """Move a run to the bin, and return its name there; RunBusy if it is running, here or elsewhere."""
    found = await host.found(name)
    if await asyncio.to_thread(host.running, found):
        raise RunBusy(f"{name} is running; stop it first")
    gone = await asyncio.to_thread(discard, found)
    note("deleted", name)
    return gone.name


async def restore_run(host: Host, name: str) -> Run:
    """Take a run of exactly that name out of the bin."""
    known = await asyncio.to_thread(binned, host.out)
    if not any(run.name == name for run in known):
        raise NoSuchRun(f"there is no run {name[:200]!r} in the bin")
    found = await asyncio.to_thread(restore, name, host.out)
    note("restored", name)
    return found


def _for_guests(host: Host, config: RunConfig, *models: str) -> RunConfig:
    """The config with the limits of a guest; an error if a guest could not have started a debate with its models and
    tools."""
    check_tools(config.options.tools, for_guests=True)
    for model in dict.fromkeys((*_models(config.content()), *models)):
        host.check_model(model)
    return within_limits(config)


def _models(content: Any, *, named: bool = False) -> Iterator[str]:
    """The names of models in a config, wherever they are; `named` means that a text here is one."""
    match content:
        case dict():
            for key, inner in content.items():
                yield from _models(inner, named=named or key in ("model", "roles"))
        case list():
            for inner in content:
                yield from _models(inner, named=named)
        case str() if named and "/" in content:
            yield content
