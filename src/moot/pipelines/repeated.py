"""Repeated gates: the same debate several times, in one folder and within one budget. Enough of them must pass.

The debates differ only in their seed. Existing debates are not run again, so a repeated gate can be resumed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from moot.engine.define.config import RunConfig, checked, thawed
from moot.engine.define.gate import Gate, gate_of, requirement
from moot.engine.outcome.result import Result, vouched_for
from moot.engine.play.limits import Budget, Spending
from moot.engine.staging.finding import GATE, RUNS
from moot.engine.staging.plan import Estimate, Plan
from moot.engine.staging.run import already_spent, result_of
from moot.engine.staging.runs import MOMENT, POSTGRESQL, Run, list_runs
from moot.errors import ConfigError, KeyFault
from moot.record.files import locked, make_folder, read_file, write_whole
from moot.runs.debates import resume, run
from moot.text.names import slug
from moot.text.yaml import MAX_RUN_BYTES, parse_yaml

MOST = 99
NOT_HELD = "It was not held."


class _Document(BaseModel):
    """How often a debate is run, how many must pass, and the debate."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    repeat: int = Field(ge=1, le=MOST)
    needed: int = Field(ge=1, le=MOST, alias="pass")
    debate: dict[str, Any]

    @model_validator(mode="after")
    def _possible(self) -> "_Document":
        if self.needed > self.repeat:
            raise KeyFault("pass", f"{self.needed} cannot pass of {self.repeat}")
        return self


@dataclass(frozen=True, slots=True)
class RepeatedGate:
    """A debate that is run `repeat` times; `needed` of them must pass. Its runs are in `folder`."""

    folder: Path
    config: RunConfig
    repeat: int
    needed: int

    def config_of(self, number: int) -> RunConfig:
        """The config of one of the debates, counted from 1."""
        own = {"seed": self.config.seed + number - 1, "out": str(self.folder / RUNS / f"{number:02}")}
        return replace(self.config, options=self.config.options.model_copy(update=own))

    def runs(self) -> dict[int, Run]:
        """The debates that were begun, by number."""
        found = {number: list_runs(self.config_of(number).options.out) for number in range(1, self.repeat + 1)}
        return {number: runs[0] for number, runs in found.items() if runs}


def open_gate(config: RunConfig, repeat: int, needed: int | None) -> RepeatedGate:
    """A new repeated gate in a new folder; without `needed` all must pass."""
    if not requirement(config.debate):
        raise ConfigError("a debate is repeated as a gate, so say what is required of it, with --require", "repeat")
    if config.options.out.startswith(POSTGRESQL):
        raise ConfigError("a repeated gate is kept in a folder: give one with --out", "repeat")
    document = {"repeat": repeat, "pass": repeat if needed is None else needed, "debate": config.content()}
    found = checked(_Document, document, "options")
    name = f"{datetime.now(UTC):{MOMENT}}-{slug(config.topic)}-x{repeat}"
    folder = Path(config.options.out) / name
    make_folder(folder, "the folder", new=True)
    write_whole(folder / GATE, yaml.safe_dump(document, sort_keys=False, allow_unicode=True).encode())
    return RepeatedGate(folder, config, found.repeat, found.needed)


def find_gate(folder: Path) -> RepeatedGate | None:
    """The repeated gate in this folder; None if there is none."""
    path = folder / GATE
    if not path.is_file():
        return None
    content = parse_yaml(read_file(path, MAX_RUN_BYTES + 1) or b"", str(path), most=MAX_RUN_BYTES)
    found = checked(_Document, content, str(path))
    return RepeatedGate(folder, thawed(dict(found.debate), str(path)), found.repeat, found.needed)


async def hold(gate: RepeatedGate, *, limits: dict[str, Any] | None = None, **how: Any) -> "Ruling":
    """Run the missing debates one after the other, and finish those that stopped. A limit ends it, since no other
    debate could begin; `limits` replace those of the gate. `how` is as for `moot.run`. RunBusy if another process is
    running the gate."""
    with locked(gate.folder / GATE, f"another process is holding {gate.folder}; wait for it to end"):
        return await _held(gate, limits or {}, **how)


async def _held(gate: RepeatedGate, limits: dict[str, Any], **how: Any) -> "Ruling":
    given = {key: value for key, value in limits.items() if value is not None}
    config = replace(gate.config, options=gate.config.options.model_copy(update=given))
    begun = gate.runs()
    budget = Budget(config.options.limits, Spending(), scope=f"for all {gate.repeat} debates")
    for known_run in begun.values():
        budget.spent.add(already_spent(known_run.records(), config.options, known_run.config.inherited))
    gate = replace(gate, config=config)
    results: list[Result | None] = [None] * gate.repeat
    for number in range(1, gate.repeat + 1):
        known = begun.get(number)
        if known is None:
            result = await run(gate.config_of(number), within=budget, **how)
        elif (vouched_for(known) or {}).get("status") == "done":
            result = await result_of(known)
        else:
            result = await resume(known, within=budget, **given, **how)
        results[number - 1] = result
        if result.status == "limit":
            break
    return Ruling(gate, results)


async def ruling_of(gate: RepeatedGate) -> "Ruling":
    """The state of a repeated gate, without running anything."""
    runs = gate.runs()
    numbers = range(1, gate.repeat + 1)
    return Ruling(gate, [await result_of(runs[number]) if number in runs else None for number in numbers])


@dataclass(frozen=True, slots=True)
class Ruling:
    """The results of a repeated gate, None for a debate that was not held."""

    gate: RepeatedGate
    results: Sequence[Result | None]

    @property
    def gates(self) -> list[Gate]:
        required = list(requirement(self.gate.config.debate))
        found = [gate_of(result) if result is not None else None for result in self.results]
        return [gate or Gate(required=required, passed=False, why=NOT_HELD) for gate in found]

    @property
    def passes(self) -> int:
        return sum(gate.passed is True for gate in self.gates)

    @property
    def passed(self) -> bool:
        return self.passes >= self.gate.needed

    @property
    def open(self) -> bool:
        """Whether debates that are not finished could still let it pass."""
        unfinished = sum(result is None or result.status != "done" for result in self.results)
        return not self.passed and self.passes + unfinished >= self.gate.needed

    @property
    def words(self) -> str:
        """The ruling in one sentence."""
        state = "passes" if self.passed else "is not decided yet" if self.open else "does not pass"
        return f"The gate {state}: {self.passes} of {self.gate.repeat} debates pass, and {self.gate.needed} must."

    def document(self) -> dict[str, Any]:
        """The ruling with the result of each debate."""
        return {
            "folder": str(self.gate.folder),
            "passed": self.passed,
            "decided": not self.open,
            "passes": self.passes,
            "needed": self.gate.needed,
            "repeat": self.gate.repeat,
            "required": list(requirement(self.gate.config.debate)),
            "runs": [
                {"passed": gate.passed, "why": gate.why, "result": result.document() if result else None}
                for gate, result in zip(self.gates, self.results, strict=True)
            ],
        }


def total_plan(plans: Sequence[Plan]) -> Plan:
    """What several debates take together, one after the other."""
    return plans[0].model_copy(
        update={
            "calls": sum(plan.calls for plan in plans),
            "longest_chain": sum(plan.longest_chain for plan in plans),
            "typical": Estimate.sum([plan.typical for plan in plans]),
            "bound": Estimate.sum([plan.bound for plan in plans]),
            "lookups": sum(plan.lookups for plan in plans),
        }
    )
