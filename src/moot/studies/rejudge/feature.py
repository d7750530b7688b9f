"""What judging again brings to moot."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="rejudge",
    extra="studies",
    commands={
        "rejudge": Command(
            "moot.studies.rejudge.command:rejudge", "Check", "Judge debates again, without debating again."
        ),
    },
    offers={"judging": "moot.studies.rejudge:rejudging_of"},
)
