"""What formal argumentation brings to moot."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="argument",
    extra="argument",
    offers={
        "exporters": "moot.argument.exporters:EXPORTERS",
        "has_graph": "moot.argument.exporters:has_graph",
        "map": "moot.argument.extracted:extracted_map",
    },
    commands={
        "contest": Command(
            "moot.argument.commands.contest:contest",
            "Read",
            "Remove or add arguments and see whether the verdict changes.",
        ),
        "argue": Command(
            "moot.argument.commands.argue:argue",
            "Read",
            "Solve, score, explain and draw argument graphs.",
        ),
    },
)
