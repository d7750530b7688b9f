"""The names of the protocols that are part of moot, without loading them."""

DEFAULT = "duel"
"""The protocol of a debate file without one."""
FOLDERS = ("duel", "chaired", "panel", "persuasion", "arena")
"""The protocols with a folder each."""
SHELF = {
    "council": "Members answer alone, rank the answers blind, and a chairman writes one.",
    "multiagent": "Agents answer alone, revise in view of each other's answers, and the majority counts.",
    "delphi": "Experts estimate a number, see the spread and the reasons, and estimate again.",
    "oxford": "An audience votes, hears a speaker for and one against, and votes again; the swing wins.",
    "socratic": "A questioner examines a thesis by questions alone, and what is admitted is recorded.",
    "hats": "A question is thought through under six hats, one manner of thinking at a time.",
    "redteam": "A red team attacks a plan, a blue team mends it, and red attacks what was mended.",
    "oversight": "Debaters or a consultant with a text argue before a judge who must not see it.",
}
"""The protocols with a file each, and what they are about, for the list of commands, which loads no protocol."""
OFFERED = (*FOLDERS, *SHELF)
"""The protocols that people choose; the others are started by special commands."""
BUILT_IN = {
    **{name: f"moot.protocols.{name}.protocol" for name in (*FOLDERS, "rejudging")},
    **{name: f"moot.protocols.{name}" for name in (*SHELF, "answers")},
}
"""The module of each protocol, with a PROTOCOL in it."""
GROUP = "moot.protocols"
"""The entry point group for packages with protocols."""
COMMANDS = frozenset(
    {"run", "demo", "plan", "resume", "fork", "list", "show", "report", "export", "verify", "replay", "log", "contest"}
    | {
        "rejudge",
        "argue",
        "batch",
        "eval",
        "tournament",
        "bin",
        "tag",
        "bundle",
        "worker",
        "serve",
        "mcp",
        "deliver",
        "pulse",
        "rank",
        "knowledge",
        "memory",
        "again",
    }
    | {"ask", "advise", "protocols", "new-protocol", "models", "completion", "doctor", "schema", "keygen", "trust"}
)
"""The commands of `moot`, which cannot be names of protocols."""
COMMON_OPTIONS = frozenset(
    {
        "model",
        "role",
        "roles",
        "sampling",
        "seed",
        "out",
        "max_calls",
        "max_tokens",
        "max_cost",
        "max_minutes",
        "max_reply_tokens",
    }
    | {"allow", "accept_revised", "revised", "policy"}
    | {"config", "file", "json", "as_json", "quiet", "display", "origin", "origins", "workflow", "workflows", "memory"}
    | {
        "context",
        "documents",
        "tool",
        "tools",
        "max_lookups",
        "repeat",
        "pass",
        "needed",
        "comment",
        "junit",
        "sarif",
        "annotations",
        "diff",
        "pulse",
        "feeds",
        "recall",
        "pool",
        "team",
        "language",
        "subject",
        "rest",
        "help",
    }
)
"""The options of the command of every protocol, or of many, which cannot be options of a protocol."""
