"""The names of the protocols that are part of moot, without loading them."""

from importlib import import_module

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


def describe(name: str) -> str:
    """What an offered protocol is about, without loading it."""
    return SHELF.get(name) or str(import_module(f"moot.protocols.{name}").ABOUT)
