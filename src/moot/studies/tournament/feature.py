"""What tournaments brings to moot."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="tournament",
    extra="studies",
    commands={
        "tournament": Command("moot.studies.tournament.command:tournament", "Many", "Which model debates best?"),
    },
    offers={"schemas": "moot.studies.tournament.file:SCHEMAS"},
    needs=["batch"],
)
