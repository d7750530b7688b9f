"""What publishing brings to moot."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="publish",
    extra="publish",
    commands={
        "runs bundle": Command("moot.publish.command:bundle", "Read", "Publish selected debates as a static site."),
        "runs decisions": Command(
            "moot.publish.command:decisions", "Read", "Write decision records (ADRs) to a folder, with an index."
        ),
    },
    offers={"exporters": "moot.publish.decisions:EXPORTERS"},
)
