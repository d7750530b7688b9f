"""What evaluations bring to moot."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="evaluate",
    extra="studies",
    commands={
        "eval": Command(
            "moot.studies.evaluate.command:evaluate", "Studies", "Measure whether debating beats single answers."
        ),
    },
    offers={"study": "moot.studies.evaluate.overview:READER"},
)
