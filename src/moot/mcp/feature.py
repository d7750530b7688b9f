"""What serving assistants brings to moot."""

from moot.plugins.features import Command, Feature

FEATURE = Feature(
    name="mcp",
    extra="mcp",
    commands={
        "mcp": Command("moot.mcp.command:mcp", "Serve", "Start an MCP server for AI assistants."),
    },
    offers={"endpoint": "moot.mcp.endpoint:Assistants"},
    needs=["service"],
)
