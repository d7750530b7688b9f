"""Re-judging finished debates without debating again: other judges, another order, another rule.

Every re-judging is a separate run, which contains everything it needs from the original run. Duels and arenas can be
read by other judges; the votes of an arena can be counted by other rules, which calls no model.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from shlex import quote
from typing import Any, Literal

from moot.engine.define.capabilities import Rejudge
from moot.engine.define.config import RunConfig
from moot.engine.define.layers import configure
from moot.engine.define.protocol import Protocol, why_no_rejudge
from moot.engine.define.registry import voting_rules
from moot.engine.define.sampling import for_everybody
from moot.engine.outcome.result import Result
from moot.engine.staging.run import run as stage
from moot.engine.staging.runs import Run, list_runs
from moot.errors import ConfigError, RunDamaged
from moot.models.base import Model
from moot.models.calling import ready
from moot.models.families import kinship
from moot.models.pool import pool
from moot.models.registry import ModelSettings, open_model
from moot.plugins.extras import require
from moot.present import Flag
from moot.protocols.rejudging.protocol import PROTOCOL as REJUDGING
from moot.record.entry import header_of
from moot.record.events import Follower
from moot.record.payloads import Header
from moot.report import documents
from moot.runs.verify import verify
from moot.studies.runner import LIMITS, read_or_resume, together
from moot.voting.rules import rule_of

Orders = Literal["given", "swapped", "both"]
NOT_ASKED = ("scripted/", "human/", "external/")


async def rejudge(
    runs: Sequence[Run],
    *,
    judges: Sequence[str] = (),
    order: Orders = "both",
    rules: Sequence[str] = (),
    models: Mapping[str, Model] | None = None,
    follow: Follower | None = None,
    done: Callable[[Run, Result], None] | None = None,
    at_once: int = 8,
    again: bool = False,
    **options: Any,
) -> list[Result]:
    """Judge these runs again, each in a new run; results are in the order given. Config errors and models that cannot
    answer are found before anything is spent. An existing re-judging is read and not paid again, unless `again` is set;
    a stopped one is resumed.

    `judges` are models, each used as a judge; without judges and rules, the model of the run's own judge reads again.
    `options` are the options of every run: out, seed, max_calls, … `done` is called when each run ends.
    """
    require("studies")  # for the agreement statistics; checked before anything is paid
    configs = [rejudging_of(run, judges=judges, order=order, rules=rules, **options) for run in runs]

    known = {} if again or not configs else _existing(configs[0].options.out)
    await _check_models(configs, models or {})

    async def judged(source: Run, config: RunConfig) -> Result:
        if (found := known.get(_same_judging(config))) is None:
            result = await stage(config, follow=follow, models=models, finish=documents)
        else:
            limits = {name: limit for name in LIMITS if (limit := options.get(name))}
            result = await read_or_resume(found, limits, follow=follow, models=models, finish=documents)
        if done is not None:
            done(source, result)
        return result

    return await together(*(judged(*pair) for pair in zip(runs, configs, strict=True)), at_most=at_once)


def _existing(out: str) -> dict[str, Run]:
    """The re-judgings in a folder, by what they judge and how."""
    found = ((run, protocol_of(run)) for run in list_runs(out))
    return {_same_judging(run.config): run for run, one in found if one and one.name == REJUDGING.name}


def protocol_of(run: Run) -> Protocol | None:
    """The protocol of a run; None if its config is damaged, or another version wrote it."""
    with suppress(ConfigError, RunDamaged):
        return run.config.protocol
    return None


def _same_judging(config: RunConfig) -> str:
    """Everything that identifies a re-judging."""
    return config.debate.model_dump_json() + config.options.model_dump_json(include={"sampling"})


async def _check_models(configs: Sequence[RunConfig], models: Mapping[str, Model]) -> None:
    """Raise if a judge cannot answer at all: once, instead of in every run."""
    if not configs:
        return
    options = configs[0].options
    settings = ModelSettings(options.timeout, options.concurrency, options.prices, rate=options.rate)
    casts = [judge["model"] for config in configs for judge in config.debate.model_dump()["judges"]]
    # A model with fallbacks may be unavailable; people, scripts and the caller's own models need no check.
    alone = dict.fromkeys(names[0] for names in casts if len(names) == 1)
    async with pool():
        for name in alone:
            if name not in models and not name.startswith(NOT_ASKED):
                await ready(open_model(name, settings))


def rejudging_of(
    run: Run, *, judges: Sequence[str] = (), order: Orders = "both", rules: Sequence[str] = (), **options: Any
) -> RunConfig:
    """The config of a re-judging of this run; ConfigError if there is nothing to judge again."""
    name, document, rejudge = run.name, run.result() or {}, run.config.protocol.get(Rejudge)
    if rejudge is None:
        raise ConfigError(f"{name} cannot be judged again: {why_no_rejudge(run.config.protocol)}")
    if document.get("status") != "done":
        raise ConfigError(f"{name} is not done, so there is nothing to judge again yet: moot resume {quote(name)}")
    if faults := verify(run).faults:
        raise RunDamaged(f"{name} is not judged again, since its files do not hold together: {faults[0]}")
    entries = run.readable()
    header = header_of(entries, Header)
    material = rejudge.material(run, entries)
    readers = [[judge] for judge in judges]
    if not (readers or rules):
        readers = [member.models for member in header.cast if member.role == "judge"]
        if not readers:
            raise ConfigError(f"{name} had no judge: say which model judges it, or by which rule to count")
    judged = [member.models for member in header.cast if member.role not in ("judge", "juror")]
    kin = dict.fromkeys(flag for models in readers for flag in kinship(models, judged))
    receipt = document["receipt"]
    config = configure(
        REJUDGING.name,
        topic=header.topic,
        source={"run": name, "log_sha256": receipt["log_sha256"], "entries": receipt["entries"]},
        material=material,
        judges=_named(readers),
        orders=["given", "swapped"] if order == "both" else [order],
        rules=list(rules),
        documents=run.config.options.model_dump()["documents"] or None,
        flags=[one.model_dump() for one in (*kin, *_short_ballots(material, rules))],
        **options,
    )
    # Only the judges given here are used; models and roles from config files are meant for debates. A judge who reads
    # again is sampled as before; other models may not take the same settings.
    again = not judges and options.get("sampling") is None
    sampling = (run.config if again else config).options.sampling
    own = {"model": None, "roles": {}, "sampling": for_everybody(sampling, "judge")}
    return replace(config, options=config.options.model_copy(update=own))


def _named(readers: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """Each judge, named after its model, with a number if the name is taken."""
    named: dict[str, list[str]] = {}
    for models in readers:
        name = plain = models[0][:50]
        number = 1
        while name in named:
            number += 1
            name = f"{plain} ({number})"
        named[name] = list(models)
    return [{"name": name, "model": models} for name, models in named.items()]


def _short_ballots(material: Mapping[str, Any], rules: Sequence[str]) -> list[Flag]:
    """A warning if ballots with a single choice are counted by a rule that needs rankings."""
    rankings = [vote["ranking"] for vote in material.get("votes", [])]
    known = voting_rules()
    wanting = [rule for rule in rules if rule in known and rule_of(rule).ranked]
    if not wanting or any(len(ranking) > 1 for ranking in rankings):
        return []
    text = f"The votes name one proposal each: under {' and '.join(wanting)} all others come last, alike."
    return [Flag(code="short_ballots", text=text)]
