"""What pipelines add to the commands that debate: files for CI, flags that a gate lets pass, and repeated gates."""

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import moot
from moot.cli.additions import Addition, Additions, Decorator
from moot.cli.hints import resuming
from moot.cli.notes import tell
from moot.cli.options import Output, planning, print_json, put_text
from moot.cli.ranges import Whole
from moot.cli.sections import gate_option
from moot.cli.stage import EXIT_CODES, REQUIREMENT_MISSED, check_gate, print_costs, watch
from moot.engine.define.gate import Decides, gate_of, requirement, revised_text
from moot.engine.define.protocol import Protocol
from moot.engine.staging.finding import GATE, KINDS, LATEST, list_studies
from moot.engine.staging.runs import list_runs
from moot.models.registry import check_usable
from moot.record.stores.base import CONFIG
from moot.system.project import check_no_link

if TYPE_CHECKING:
    from moot.pipelines.documents import Review
    from moot.pipelines.repeated import RepeatedGate, Ruling

_MOST = 99
FORMS = ("comment", "junit", "sarif", "annotations", "findings")
WRITE = gate_option(
    "--write",
    "files",
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
GATE_OPTIONS = [
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


def _files(given: Sequence[str]) -> dict[str, Path]:
    """The files for a pipeline by what is in them, from FORM=FILE."""
    files = {}
    for pair in given:
        form, _, path = pair.partition("=")
        if form not in FORMS or not path:
            raise moot.ConfigError(f"--write needs FORM=FILE with a form of {', '.join(FORMS)}. Got “{pair}”.")
        files[form] = Path(path)
    return files


class Gating(Addition):
    """How often a debate is held, how many of them must pass, and the files that a pipeline is shown."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.files = _files(settings.pop("files", ()))
        self.repeat: int | None = settings.pop("repeat", None)
        self.needed: int | None = settings.pop("needed", None)
        self.revised: Path | None = settings.pop("revised", None)
        if self.needed is not None and self.repeat is None:
            raise moot.ConfigError("--pass needs --repeat.", "pass")
        if self.repeat is not None and (self.needed or 1) > self.repeat:
            raise moot.ConfigError(f"--pass {self.needed} is more than --repeat {self.repeat}.", "pass")
        if self.repeat is not None and self.revised is not None:
            raise moot.ConfigError(
                "--accept-revised does not go with --repeat: each debate revises the text differently."
            )

    @classmethod
    def options(cls, command: str, protocol: Protocol | None) -> Sequence[Decorator]:
        if command == "again":
            return []
        if command == "resume":
            return [WRITE, REVISED_OPTION]
        can_decide = protocol is None or protocol.get(Decides) is not None
        return [*(GATE_OPTIONS if can_decide else []), WRITE]

    def settings(self, protocol: Protocol | None, given: dict[str, Any]) -> dict[str, Any]:
        del protocol, given
        return {"accept_revised": True} if self.revised is not None else {}

    def fit(self, config: moot.RunConfig) -> moot.RunConfig:
        """ConfigError if nothing is required of a debate that is repeated, or if the file for a revised text is
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
        return config

    def prepare(self) -> None:
        """Make the folders of the files; ConfigError if one cannot be written."""
        for path in filter(None, (*self.files.values(), self.revised)):
            check_no_link(path)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise moot.ConfigError(f"{path} cannot be written: {error.strerror}") from error
            if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
                raise moot.ConfigError(f"{path} cannot be written: it is a folder, or writing there is not allowed")

    def stage(self, config: moot.RunConfig, output: Output, additions: Additions) -> int | None:
        """Hold a repeated gate, or print what all of its debates cost together."""
        if self.repeat is None:
            return None
        from moot.pipelines.repeated import open_gate, total_plan

        if planning():
            options = config.options
            seeds = [config.seed + number for number in range(self.repeat)]
            several = [replace(config, options=options.model_copy(update={"seed": seed})) for seed in seeds]
            plans = [asyncio.run(moot.plan(debate, check=check_usable)) for debate in several]
            return print_costs(total_plan(plans), output, f"{self.repeat} debates, one after the other:")
        return self._hold(open_gate(config, self.repeat, self.needed), output, additions, {})

    def resume(
        self, name: str, folder: str, output: Output, changes: dict[str, Any], additions: Additions
    ) -> int | None:
        """Finish a repeated gate."""
        if (gate := gate_named(name, folder)) is None:
            return None
        additions.fit(gate.config)
        check_gate(gate.config)
        return self._hold(gate, output, additions, changes)

    def _hold(self, gate: "RepeatedGate", output: Output, additions: Additions, limits: dict[str, Any]) -> int:
        """Hold the debates of a repeated gate, print what all of them came to, and return the exit code."""
        from moot.pipelines.documents import Review
        from moot.pipelines.repeated import hold

        ruling = watch(
            lambda follow: hold(gate, follow=follow, limits=limits),
            output,
            gate.config.protocol.name,
            str(gate.folder),
        )
        if isinstance(ruling, int):
            return ruling
        with suppress(BrokenPipeError, SystemExit):  # the reader has left; rich makes SystemExit of that
            if output.as_json:
                print_json(ruling.document())
            else:
                print_ruling(ruling)
        self._write(Review.of_ruling(ruling))
        self.files = {}  # they are about all debates, and written
        for result in ruling.results:
            if result is not None:
                additions.after(result)
        if ruling.passed:
            return 0
        stopped = next((one.status for one in ruling.results if one is not None and one.status != "done"), "limit")
        return EXIT_CODES[stopped] if ruling.open else REQUIREMENT_MISSED

    async def after(self, result: moot.Result) -> None:
        """Write the files for a pipeline, whatever the debate came to."""
        from moot.pipelines.documents import Review

        if self.files:
            self._write(Review.of(result))
        gate = gate_of(result)
        if self.revised is not None and gate and gate.passed and gate.accepted_sha256 != gate.submitted_sha256:
            put_text(revised_text(result) or "", self.revised)
            tell(f"The revised text passes. It is in {self.revised}.")

    def _write(self, review: "Review") -> None:
        from moot.pipelines.documents import DOCUMENTS

        for form, path in self.files.items():
            put_text(DOCUMENTS[form][2](review), path)


def gate_named(name: str, folder: str) -> "RepeatedGate | None":
    """The repeated gate in the folder `name`; or of this name or a unique part of it, if no run fits; or the newest as
    `latest`, if no run is newer."""
    from moot.pipelines.repeated import find_gate

    if (itself := find_gate(Path(name))) is not None:
        return itself
    gates = [study for study in list_studies(folder) if study.kind == KINDS[GATE]]
    if not gates:
        return None
    runs = list_runs(folder)
    if name == LATEST:
        # Names have whole seconds, and may be changed.
        made = {gate: (gate.path / GATE).stat().st_mtime_ns for gate in gates}
        newest = max(gates, key=lambda gate: made[gate])
        fits = [newest] if not runs or made[newest] > (runs[-1].path / CONFIG).stat().st_mtime_ns else []
    else:
        fits = [gate for gate in gates if gate.name == name]
        fits = fits or [gate for gate in gates if name in gate.name and not any(name in run.name for run in runs)]
    return find_gate(fits[0].path) if len(fits) == 1 else None


def print_ruling(ruling: "Ruling") -> None:
    """Print what a repeated gate came to, a line for each debate."""
    from rich.console import Console
    from rich.constrain import Constrain
    from rich.text import Text

    from moot.cli.wording import WIDEST, hanging, show, spending, total
    from moot.text import one_line, printable

    console = Console()
    for number, (result, gate) in enumerate(zip(ruling.results, ruling.gates, strict=True), 1):
        mark = "passes" if gate.passed else "does not pass"
        headline = one_line(result.summary.headline) if result else "not held"
        show(console, hanging(f"{number}. ", Text(f"{mark}: {headline}", "" if gate.passed else "yellow")))
        if result is not None:
            show(console, hanging("   ", Text(one_line(gate.why), "dim")))
    show(console, Text())
    show(console, Constrain(Text(ruling.words, "bold" if ruling.passed else "bold yellow"), WIDEST))
    spent = [result.spent for result in ruling.results if result is not None]
    tokens = total(0, *(figure for each in spent for figure in (each.input, each.output)))
    calls, cost = sum(each.calls for each in spent), total(0.0, *(each.cost for each in spent))
    show(console, Text(spending(calls, tokens, cost), "dim"))
    show(console, Text(f"Runs: {printable(str(ruling.gate.folder))}"), soft_wrap=True)
    if ruling.open:
        words = printable(resuming(ruling.gate.config.protocol.name, str(ruling.gate.folder)))
        show(console, Text("To continue: ").append(words, "bold"), soft_wrap=True)
