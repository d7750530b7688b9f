"""What the queue of debates brings to moot."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="queue",
    extra="postgresql",
    commands={
        "worker": Command("moot.queue.command:worker", "Studies", "Run queued debates on this computer."),
    },
    offers={"workers": "moot.queue.serving:Workers"},
    needs=("database",),
)
