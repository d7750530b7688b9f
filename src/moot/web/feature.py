"""What the pages and the HTTP API bring to moot."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="web",
    extra="web",
    commands={
        "serve": Command("moot.web.command:serve", "Serve", "Start a web page and an HTTP API for debates."),
    },
    needs=["service"],
)
