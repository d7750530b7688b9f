"""What serving assistants brings to moot."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="mcp",
    extra="mcp",
    commands={
        "mcp": Command("moot.mcp.command:mcp", "Serve", "Serve assistants by the Model Context Protocol."),
    },
    offers={"endpoint": "moot.mcp.endpoint:Assistants"},
    needs=["service"],
)
