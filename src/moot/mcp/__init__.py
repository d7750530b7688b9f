"""moot for assistants: debates and argument graphs as tools of the Model Context Protocol."""

from moot.plugins.extras import require

require("mcp")
