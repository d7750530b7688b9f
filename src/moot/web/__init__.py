"""moot over HTTP: pages, a JSON API, and a chat-completions endpoint. `moot serve` starts it."""

from moot.plugins.extras import require

require("web")
