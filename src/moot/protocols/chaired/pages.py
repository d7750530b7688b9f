"""Parts of a chaired debate that pages show in addition to its report."""

from moot.engine.define.capabilities import Ballots
from moot.protocols.chaired.payloads import PAYLOADS

BALLOTS = Ballots("Rulings", types=tuple(name for name, payload in PAYLOADS.items() if payload and name != "setup"))
NO_NOTES = (
    "Questions to the sides are the audience’s: give that role to human/NAME when you start a debate of this kind."
)
