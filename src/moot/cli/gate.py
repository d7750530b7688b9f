"""Gates for pipelines: options to repeat a debate and to write files for CI, and checks: `--require` makes a debate a
gate, and a gate needs a real judge."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import moot
from moot.cli.notes import tell
from moot.cli.options import put_text
from moot.cli.ranges import Whole
from moot.cli.sections import gate_option
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
FORMS = ("comment", "junit", "sarif", "annotations", "findings")
WRITE = gate_option(
    "--write",
    "papers",
    multiple=True,
    metavar="FORM=FILE",
    help="Write a file for CI, such as junit=report.xml. Forms: comment (Markdown for a pull request), junit, sarif, "
    "annotations (for GitHub Actions), findings (JSON). Repeatable.",
)
REVISED_OPTION = gate_option(
    "--accept-revised",
    "revised",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Pass a text that is accepted only as revised, and write the revised text to FILE.",
)
REPEAT_OPTIONS = [
    gate_option("--allow", multiple=True, metavar="FLAG", help="Accept a flag that the gate would refuse. Repeatable."),
    REVISED_OPTION,
    gate_option(
        "--repeat",
        type=Whole(1, _MOST),
        metavar="N",
        help="Run the debate N times with different seeds, within one budget. Needs --require.",
    ),
    gate_option(
        "--pass", "needed", type=Whole(1, _MOST), metavar="N", help="How many of the repeats must pass.  [default: all]"
    ),
]


def _papers(given: Sequence[str]) -> dict[str, Path]:
    """The files for a pipeline by what is in them, from FORM=FILE."""
    files = {}
    for pair in given:
        form, _, path = pair.partition("=")
        if form not in FORMS or not path:
            raise moot.ConfigError(f"--write needs FORM=FILE with a form of {', '.join(FORMS)}. Got “{pair}”.")
        files[form] = Path(path)
    return files


@dataclass(frozen=True, slots=True)
class Gating:
    """How many times a debate is run, how many of them must pass, and the files for CI."""

    repeat: int | None = None
    needed: int | None = None
    files: Mapping[str, Path] = field(default_factory=dict)
    """The files by what is in them."""
    revised: Path | None = None

    @classmethod
    def out_of(cls, settings: dict[str, Any]) -> "Gating":
        """Take these settings from a command's settings; ConfigError for those that make no sense."""
        files = _papers(settings.pop("papers", ()))
        repeat, needed, revised = (settings.pop(key, None) for key in ("repeat", "needed", "revised"))
        found = cls(repeat, needed, files, revised)
        if found.needed is not None and found.repeat is None:
            raise moot.ConfigError("--pass needs --repeat.", "pass")
        if found.repeat is not None and (found.needed or 1) > found.repeat:
            raise moot.ConfigError(f"--pass {found.needed} is more than --repeat {found.repeat}.", "pass")
        if found.repeat is not None and found.revised is not None:
            raise moot.ConfigError(
                "--accept-revised does not go with --repeat: each debate revises the text differently."
            )
        return found

    def settings(self) -> dict[str, Any]:
        """The settings of a debate that follow from these."""
        return {"accept_revised": True} if self.revised is not None else {}

    def check(self, config: moot.RunConfig) -> None:
        """ConfigError if a debate is to be repeated of which nothing is required, or if the file for a revised text is
        missing."""
        if config.options.accept_revised and self.revised is None:
            raise moot.ConfigError("This gate accepts a revised text. Name a file for it with --accept-revised FILE.")
        if self.revised is not None and not config.options.accept_revised:
            raise moot.ConfigError(
                "This debate was started without --accept-revised, so it cannot accept a revised text."
            )
        if self.revised is not None and not requirement(config.debate):
            raise moot.ConfigError("--accept-revised needs --require.")
        if self.repeat is not None and not requirement(config.debate):
            raise moot.ConfigError("--repeat needs --require.", "repeat")

    def prepare(self) -> None:
        """Make the folders of the files for a pipeline; ConfigError if one cannot be written, before anything is
        spent."""
        for path in filter(None, (*self.files.values(), self.revised)):
            check_no_link(path)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise moot.ConfigError(f"{path} cannot be written: {error.strerror}") from error
            if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
                raise moot.ConfigError(f"{path} cannot be written: it is a folder, or writing there is not allowed")

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
            f"--require needs a model that can judge. Roles without one: {', '.join(without)}. Choose one with -m or "
            "MOOT_MODEL and set its key (`moot models` lists them). To try the gate anyway: "
            f"-m {DEMONSTRATION}, which cannot judge."
        )
    if any(model in _ALSO_CALLED for models in cast.values() for model in models):
        tell(f"{DEMONSTRATION} cannot judge: whether it passes this gate means nothing.")
