"""What evaluations bring to moot."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="evaluate",
    extra="studies",
    commands={
        "eval": Command("moot.studies.evaluate.command:evaluate", "Many", "Does debating pay on your questions?"),
    },
    offers={"study": "moot.studies.evaluate.overview:READER"},
)
