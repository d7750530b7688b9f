"""Gates for pipelines: the options that repeat a debate and write what a pipeline shows of it, and checks for a debate
that others rely on: `--require` is a gate, and a gate needs a real judge."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import moot
from moot.cli.notes import tell
from moot.cli.options import put_text
from moot.cli.ranges import Whole
from moot.engine.define.gate import gate_of, requirement, revised_text
from moot.system.project import check_no_link

if TYPE_CHECKING:
    from moot.engine.staging.plan import Plan
    from moot.runs.ci import Review
    from moot.runs.gates import Ruling

DEMONSTRATION = "embedded/smollm2"
_ALSO_CALLED = ("embedded", "embedded/", DEMONSTRATION)
_UNNAMED = "unnamed/model"
"""A placeholder for agents without a model, to find them."""

_MOST = 99
_FILE = click.Path(path_type=Path, dir_okay=False)
FORMS = ("comment", "junit", "sarif", "annotations")
PAPER_OPTIONS = [
    click.option("--comment", type=_FILE, metavar="FILE", help="Write a comment for a pull request (Markdown)."),
    click.option("--junit", type=_FILE, metavar="FILE", help="Write a test report for CI (JUnit XML)."),
    click.option("--sarif", type=_FILE, metavar="FILE", help="Write the findings as SARIF 2.1.0, for code scanning."),
    click.option(
        "--annotations", type=_FILE, metavar="FILE", help="Write the findings as workflow commands of GitHub Actions."
    ),
]
REVISED_OPTION = click.option(
    "--accept-revised",
    "revised",
    type=_FILE,
    metavar="FILE",
    help="Also pass a text that was accepted only as revised, and write the revised text to this file.",
)
REPEAT_OPTIONS = [
    click.option("--allow", multiple=True, metavar="FLAG", help="Let a flag pass that the gate refuses. Repeatable."),
    REVISED_OPTION,
    click.option(
        "--repeat",
        type=Whole(1, _MOST),
        metavar="N",
        help="Run the debate N times, each with its own seed, within one budget. Needs --require.",
    ),
    click.option(
        "--pass", "needed", type=Whole(1, _MOST), metavar="N", help="How many of them must pass.  [default: all]"
    ),
]


@dataclass(frozen=True, slots=True)
class Gating:
    """How often a debate is held, how many of them must pass, and the files that a pipeline is shown."""

    repeat: int | None = None
    needed: int | None = None
    files: Mapping[str, Path] = field(default_factory=dict)
    """The files by what is in them."""
    revised: Path | None = None

    @classmethod
    def out_of(cls, settings: dict[str, Any]) -> "Gating":
        """Take these settings from a command's settings; ConfigError for those that make no sense."""
        files = {form: path for form in FORMS if (path := settings.pop(form, None)) is not None}
        repeat, needed, revised = (settings.pop(key, None) for key in ("repeat", "needed", "revised"))
        found = cls(repeat, needed, files, revised)
        if found.needed is not None and found.repeat is None:
            raise moot.ConfigError("--pass says how many of several debates must pass: give --repeat too", "pass")
        if found.repeat is not None and (found.needed or 1) > found.repeat:
            raise moot.ConfigError(f"{found.needed} cannot pass of {found.repeat}", "pass")
        if found.repeat is not None and found.revised is not None:
            raise moot.ConfigError("--accept-revised is for one debate: each of several would write another text")
        return found

    def settings(self) -> dict[str, Any]:
        """The settings of a debate that follow from these."""
        return {"accept_revised": True} if self.revised is not None else {}

    def check(self, config: moot.RunConfig) -> None:
        """ConfigError if a debate is to be repeated of which nothing is required, or if the file for a revised text is
        missing."""
        if config.options.accept_revised and self.revised is None:
            raise moot.ConfigError("This gate accepts a revised text: name its file with --accept-revised FILE")
        if self.revised is not None and not config.options.accept_revised:
            raise moot.ConfigError("This debate was started without --accept-revised, so it accepts no revised text")
        if self.revised is not None and not requirement(config.debate):
            raise moot.ConfigError("--accept-revised is for a gate: say what must pass, with --require")
        if self.repeat is not None and not requirement(config.debate):
            raise moot.ConfigError("--repeat holds a gate several times: say what must pass, with --require", "repeat")

    def prepare(self) -> None:
        """Make the folders of the files for a pipeline; ConfigError if one cannot be written, before anything is
        spent."""
        for path in filter(None, (*self.files.values(), self.revised)):
            check_no_link(path)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise moot.ConfigError(f"{path} cannot be written: {error.strerror}") from error
            if not os.access(path if path.exists() else path.parent, os.W_OK):
                raise moot.ConfigError(f"{path} cannot be written: it is not allowed")

    def plan(self, config: moot.RunConfig, **how: Any) -> "Plan":
        """What all debates take together."""
        from moot.runs.gates import total_plan

        seeds = [config.seed + number for number in range(self.repeat or 1)]
        options = config.options
        several = [replace(config, options=options.model_copy(update={"seed": seed})) for seed in seeds]
        return total_plan([asyncio.run(moot.plan(one, **how)) for one in several])

    def write(self, result: moot.Result) -> None:
        """Write the files for a pipeline, whatever the debate came to."""
        from moot.runs.ci import Review

        self._write(Review.of(result))
        gate = gate_of(result)
        if self.revised is not None and gate and gate.passed and gate.accepted_sha256 != gate.submitted_sha256:
            put_text(revised_text(result) or "", self.revised)
            tell(f"The revised text passes. It is in {self.revised}.")

    def write_ruling(self, ruling: "Ruling") -> None:
        """The same for a repeated gate."""
        from moot.runs.ci import Review

        self._write(Review.of_ruling(ruling))

    def _write(self, review: "Review") -> None:
        from moot.runs.ci import PAPERS

        for form, path in self.files.items():
            put_text(PAPERS[form](review), path)


def check_gate(config: moot.RunConfig) -> None:
    """ConfigError if the config has a requirement and no model is named, for example because a variable is missing: the
    demonstration model must not decide by default. If it is named explicitly, print a warning."""
    if not requirement(config.debate):
        return
    options = config.options.model_copy(update={"model": config.options.model or _UNNAMED})
    cast = asyncio.run(moot.plan(replace(config, options=options))).models
    if without := [name for name, models in cast.items() if _UNNAMED in models]:
        raise moot.ConfigError(
            f"--require needs a model that can judge, and no model is named for {', '.join(without)}. Name a model "
            "with -m or MOOT_MODEL and set its key (`moot models` lists them). To try the gate out, use "
            f"-m {DEMONSTRATION}, which cannot judge."
        )
    if any(model in _ALSO_CALLED for models in cast.values() for model in models):
        words = f"{DEMONSTRATION} is for demonstration: a requirement that it meets or misses says nothing"
        tell(words)
