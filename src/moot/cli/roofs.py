"""Roofs: commands that only hold others, each loaded when it is asked for."""

import click

from moot.plugins.features import features, find_command, load

UNDER = {
    "runs": {
        "tag": "moot.cli.keeping:tag",
        "bin": "moot.cli.keeping:bin_",
        "report": "moot.cli.keeping:report",
    },
    "models": {"default": "moot.cli.models:default"},
    "setup": {
        "doctor": "moot.cli.info:doctor",
        "trust": "moot.cli.trust:trust_",
        "key": "moot.cli.info:key",
        "schema": "moot.cli.info:schema",
        "completion": "moot.cli.info:completion",
    },
}


class Roof(click.Group):
    """The commands from the table above, and those that features call `ROOF NAME`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        added = [name.split() for feature in features() for name in feature.commands]
        return [*UNDER[str(self.name)], *(words[1] for words in added if words[0] == self.name and len(words) > 1)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if (at := UNDER[str(self.name)].get(cmd_name)) is None:
            of_feature = find_command(f"{self.name} {cmd_name}")
            at = of_feature.at if of_feature else None
        found: click.Command | None = load(at)
        return found


@click.group(cls=Roof)
def runs() -> None:
    """Tag, bin, report, publish and deliver runs."""


@click.group(cls=Roof)
def setup() -> None:
    """Check this computer, trust settings, make keys."""
