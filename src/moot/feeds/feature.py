"""What reading feeds brings to moot."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="feeds",
    extra="feeds",
    commands={
        "pulse": Command("moot.feeds.command:pulse", "Read", "List the headlines of feeds as topics for debates."),
    },
    offers={"debating": "moot.feeds.debating:Trending"},
)
