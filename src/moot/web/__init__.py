"""moot over HTTP: pages, a JSON API, and a chat-completions endpoint. `moot serve` starts it."""
