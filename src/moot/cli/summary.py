"""The summary at the end of a debate.

Its texts are untrusted and are never read as markup.
"""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.text import Text

from moot.cli.blocks import rendered
from moot.cli.hints import called, command, resuming
from moot.cli.wording import WIDEST, colour, duration, hanging, show, spending, total
from moot.engine.define.shipped import DEFAULT
from moot.engine.outcome.brief import BRIEF, brief_section
from moot.engine.outcome.material import gather
from moot.engine.outcome.result import Result, Shortfall
from moot.models.catalogue import QWEN
from moot.models.registry import keys_in_environment
from moot.models.scripted import demo_names
from moot.plugins.guard import Broken, guarded
from moot.present import Section, Summary
from moot.record.payloads import REHEARSAL
from moot.runs.demos import summary_of
from moot.text import one_line, printable

MOST_FAILURES_SHOWN = 3


def print_summary(result: Result, console: Console, raised: Sequence[str] = ()) -> None:
    """Print the outcome of a run. `raised` are the options that it needs to continue."""
    if console.is_terminal:
        console.print()  # a blank line after the debate
    sections, colours = _shown(result)
    parts = _answer(result.summary)
    for section in sections:
        parts += [Text(), *rendered(section.blocks, colours)]
    for part in (*parts, *_rest(result.summary), *_failures(result.failures), Text()):
        show(console, part)
    spent, run = result.spent, Path(result.run)
    tokens = total(spent.input, spent.output)
    show(console, Text(f"{spending(spent.calls, tokens, spent.cost)} · {duration(result.seconds)}", "dim"))
    kept = result.stored.place.names()
    if report := next((name for name in ("report.html", "report.md") if name in kept), None):
        show(console, Text(f"Report: {printable(str(run / report))}"), soft_wrap=True)
    if any(flag.code == REHEARSAL for flag in result.flags):
        _show_real(result.protocol, console)
    if result.status != "done":
        # `moot resume` finds a run by its name only in the default folder.
        name = run.name if run.parent == Path("debates") else str(run)
        words = printable(resuming(result.protocol, name, *raised))
        show(console, Text("To continue: ").append(words, "bold"), soft_wrap=True)


def _show_real(protocol: str, console: Console) -> None:
    """What a debate comes to with a model that can judge, by the hand-written example, and how to have one."""
    name = protocol if protocol in demo_names() else DEFAULT
    show(console, Text(f"\nWith a model that can judge, {command('demo', name)} ends like this:"), soft_wrap=True)
    for part in _answer(summary_of(name)):
        show(console, Padding(part, (0, 0, 0, 4)))
    keys = keys_in_environment()
    fetch = "" if keys else f"{command('models', 'fetch', QWEN.short_name)} && "
    model = keys[0][1] if keys else QWEN.name
    yours = f'{fetch}{called()} {protocol} "…" -m {model}'
    show(console, Text(f"\nTo have yours debated: {yours}   (others: {command('models')})"), soft_wrap=True)


def print_verdict(summary: Summary, console: Console) -> None:
    """Print the essentials of a debate: the answer with its reasons, the effect of debating, and flags."""
    for part in (*_answer(summary), *_rest(summary), Text()):
        show(console, part)


def _answer(summary: Summary) -> list[RenderableType]:
    """The headline, the reasons, and how it was reached."""
    parts: list[RenderableType] = [Text(one_line(summary.headline), "bold" if summary.decided else "bold yellow")]
    for section in brief_section(summary.brief):
        parts += [Text(), *rendered(section.blocks, {}), Text()]
    parts += [Text(one_line(summary.reached))] if summary.reached else []
    return [Constrain(part, WIDEST) for part in parts]


def _shown(result: Result) -> tuple[list[Section], dict[str, str]]:
    """The protocol's brief sections and the colours of the agents. Empty if a plug-in's code fails, because the
    failed reports already said so."""
    material = guarded(lambda: gather(result.stored, result))
    if isinstance(material, Broken):
        return [], {}
    colours = {name: colour(own, place).name for place, (name, own) in enumerate(material.colours.items())}
    return [section for section in material.sections() if section.brief and section.id != BRIEF], colours


def _rest(summary: Summary) -> list[RenderableType]:
    """The effect of debating, and the warnings."""
    parts: list[RenderableType] = [Text(), Constrain(Text(one_line(summary.change)), WIDEST)] if summary.change else []
    return [*parts, *([Text()] if summary.flags else [])] + [
        hanging("! ", Text(one_line(flag.text), "yellow"))
        if flag.severity == "warning"
        else hanging("· ", Text(one_line(flag.text), "dim"))
        for flag in summary.flags
    ]


def _failures(failures: Sequence[Shortfall]) -> list[RenderableType]:
    if not failures:
        return []
    head = "1 error along the way:" if len(failures) == 1 else f"{len(failures)} errors along the way:"
    parts: list[RenderableType] = [Text(head, "yellow")]
    for failure in failures[:MOST_FAILURES_SHOWN]:
        where = f"{one_line(failure.agent)} at {one_line(failure.key)}: "
        parts.append(hanging("  ", Text(where).append(one_line(failure.reason), "dim")))
    if (more := len(failures) - MOST_FAILURES_SHOWN) > 0:
        parts.append(Text(f"  and {more} more, in result.json"))
    return parts
