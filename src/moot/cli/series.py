"""Many subjects from one file, debated one after the other, each in a separate run."""

from pathlib import Path
from typing import Any

import click

import moot
from moot.cli.gate import check_gate
from moot.cli.options import PLANNING, Output, json_line
from moot.cli.stage import EXIT_CODES, exit_code, stage, watch
from moot.cli.subjects import lines_of
from moot.engine.define.capabilities import Series
from moot.engine.define.protocol import Protocol


def debate_all(protocol: Protocol, series: Series, file: Path, output: Output, given: dict[str, Any]) -> int:
    """Debate each line of the file. An interruption ends the series; a failed debate does not."""
    # Find faults before spending anything, starting with the options, which affect all lines.
    moot.configure(protocol.name, **{protocol.subject.key: "any", **given})
    lines = [(place, _settings(series, place, value)) for place, value in lines_of(file)]
    configs = [_configured(protocol, place, {**given, **settings}) for place, settings in lines]
    if click.get_current_context().meta.get(PLANNING):
        click.echo(f"The first of {len(lines)}; each of the others takes about as much.", err=True)
        return stage(configs[0], output)
    check_gate(configs[0])
    results: list[moot.Result] = []
    for place, settings in lines:
        config = _configured(protocol, place, {**given, **series.carry(results), **settings})
        result = watch(lambda follow, config=config: moot.run(config, follow=follow), output, protocol.name)  # type: ignore[misc]
        if isinstance(result, int):
            return result
        results.append(result)
        if output.as_json:
            click.echo(json_line(result.document()))
    _print(series, results, output)
    codes = {exit_code(result) for result in results}
    return next((code for code in (*EXIT_CODES.values(), 100) if code and code in codes), 0)


def _settings(series: Series, place: str, value: Any) -> dict[str, Any]:
    try:
        return series.settings(value)
    except moot.ConfigError as error:
        raise moot.ConfigError(f"{place}: {error}", error.key) from None


def _configured(protocol: Protocol, place: str, settings: dict[str, Any]) -> moot.RunConfig:
    try:
        return moot.configure(protocol.name, **settings)
    except moot.ConfigError as error:
        raise moot.ConfigError(f"{place}: {error}", error.key) from None


def _print(series: Series, results: list[moot.Result], output: Output) -> None:
    total, blocks = series.sum_up(results)
    if output.as_json:
        click.echo(json_line({"summary": total.model_dump(mode="json")}))
        return
    from rich.console import Console

    from moot.cli.blocks import rendered
    from moot.cli.wording import show
    from moot.present import drawable

    console = Console()
    for part in rendered(drawable(blocks), {}):
        show(console, part)
