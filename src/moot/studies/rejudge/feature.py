"""What judging again brings to moot."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="rejudge",
    extra="studies",
    commands={
        "rejudge": Command(
            "moot.studies.rejudge.command:rejudge",
            "Check",
            "Have finished debates judged again, by other judges or rules.",
        ),
    },
    offers={"judging": "moot.studies.rejudge:rejudging_of"},
)
