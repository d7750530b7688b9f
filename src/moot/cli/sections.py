"""Options in sections, so that the help of a command with many of them can be read."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
SECTIONS = ("Options", "Models", "Limits", "Documents and tools", "Memory", "Output", "Gates and CI")
"""In the order in which help lists them."""


class SectionedOption(click.Option):
    """An option with the title of the section that lists it."""

    def __init__(self, *names: Any, section: str, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.section = section


class SectionedCommand(click.Command):
    """A command whose help lists its own options first, and those that it shares with others in their sections."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {title: [] for title in SECTIONS}
        for option in self.get_params(ctx):
            if isinstance(option, click.Option) and (record := option.get_help_record(ctx)) is not None:
                sections[getattr(option, "section", SECTIONS[0])].append(record)
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def _section(title: str) -> Callable[..., Callable[[F], F]]:
    return partial(click.option, cls=SectionedOption, section=title)


document_option = _section("Documents and tools")
model_option = _section("Models")
limit_option = _section("Limits")
gate_option = _section("Gates and CI")
memory_option = _section("Memory")
output_option = _section("Output")

sectioned_command = partial(click.command, cls=SectionedCommand)
