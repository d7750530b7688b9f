"""What batches bring to moot."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="batch",
    extra="studies",
    commands={
        "batch": Command(
            "moot.studies.batch.command:batch", "Studies", "Run many debates from one file and analyse them together."
        ),
    },
    offers={"study": "moot.studies.batch.overview:READER"},
)
