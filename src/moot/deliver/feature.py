"""What the delivery of results brings to moot."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="deliver",
    extra="deliver",
    commands={
        "runs deliver": Command("moot.deliver.command:deliver", "Read", "Send the result of a finished debate."),
    },
    offers={"debating": "moot.deliver.debating:Delivery"},
)
