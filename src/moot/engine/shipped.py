"""The protocols that come with moot, by name; none is loaded here."""

DEFAULT = "duel"
"""The protocol of a debate that names none."""
OFFERED = ("duel", "chaired", "panel", "persuasion", "arena")
"""Those that people choose; the others are made by commands of their own."""
BUILT_IN = {
    **{name: f"moot.protocols.{name}.protocol" for name in (*OFFERED, "rejudging")},
    "answers": "moot.protocols.answers",
}
"""The modules of all of them, each of which has a PROTOCOL."""
GROUP = "moot.protocols"
"""The entry points of packages that bring protocols."""
COMMANDS = frozenset(
    {"run", "demo", "plan", "resume", "fork", "list", "show", "report", "export", "verify", "replay", "log", "contest"}
    | {"rejudge", "argue", "batch", "eval", "worker", "serve", "mcp", "deliver", "pulse", "rank", "knowledge", "memory"}
    | {"protocols", "new-protocol", "models", "doctor", "schema"}
)
"""What `moot` has commands for, so that no protocol can be called so."""
COMMON_OPTIONS = frozenset(
    {"model", "role", "roles", "seed", "out", "max_calls", "max_tokens", "max_cost", "max_minutes", "max_reply_tokens"}
    | {"config", "file", "json", "as_json", "quiet", "display", "origin", "origins", "workflow", "workflows", "memory"}
    | {"context", "context_files", "pulse", "feeds", "recall", "pool", "team", "subject", "rest", "help"}
)
"""What the command of every protocol, or of many, calls its options, so that no option of a protocol can be."""
