"""The names of the protocols that are part of moot, without loading them."""

from importlib import import_module

DEFAULT = "duel"
"""The protocol of a debate file without one."""
FOLDERS = ("duel", "chaired", "panel", "persuasion", "arena")
"""The protocols with a folder each."""
SHELF = {
    "council": "Members answer and rank blind; a chairman writes the result.",
    "multiagent": "Agents answer, read each other, revise; the majority wins.",
    "delphi": "Experts estimate a number, see all reasons, and estimate again.",
    "oxford": "An audience votes before and after two speeches; the swing wins.",
    "socratic": "A questioner tests a thesis and records every admission.",
    "hats": "Six hats: facts, feelings, benefits, risks, ideas, conclusion.",
    "redteam": "Red attacks a plan, blue fixes it, and red attacks once more.",
    "oversight": "Debaters who can read a text argue before a judge who cannot.",
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
