"""What publishing brings to moot."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="publish",
    extra="publish",
    commands={
        "runs bundle": Command("moot.publish.command:bundle", "Look", "Publish selected debates as a static site."),
    },
)
