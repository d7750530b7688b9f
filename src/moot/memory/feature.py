"""What the memory of debates brings to moot."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="memory",
    extra="memory",
    commands={
        "memory": Command(
            "moot.memory.commands:memory", "Read", "Search, add to and delete from the memory of decisions."
        ),
    },
    offers={
        "debating": "moot.memory.debating:Remembering",
        "remember": "moot.memory.remember:remember",
        "check": "moot.memory.remember:check_memory",
    },
    routers=["moot.memory.page:router"],
)
