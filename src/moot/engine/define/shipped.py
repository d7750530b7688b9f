"""The names of the protocols that are part of moot, without loading them."""

from importlib import import_module

DEFAULT = "duel"
"""The protocol of a debate file without one."""
FOLDERS = ("duel", "chaired", "panel", "persuasion", "arena")
"""The protocols with a folder each."""
SHELF = {
    "council": "Members answer, rank all answers blind; a chairman writes one.",
    "multiagent": "Agents answer, see the others, revise; the majority counts.",
    "delphi": "Experts estimate a number, see all reasons, and estimate again.",
    "oxford": "An audience votes before and after two speeches; the swing wins.",
    "socratic": "A questioner examines a thesis by questions alone.",
    "hats": "A question is thought through under six hats, one at a time.",
    "redteam": "Red attacks a plan, blue mends it, and red attacks it once more.",
    "oversight": "Those with a text argue before a judge who must not see it.",
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
