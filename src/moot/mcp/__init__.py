"""moot for assistants: debates as tools of the Model Context Protocol."""

from moot.plugins.extras import require

require("mcp")
