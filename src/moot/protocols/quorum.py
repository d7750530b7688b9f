"""A quorum: where too few could be asked, a debate stops, and those who are missing are asked again when it goes on."""

from collections.abc import Sequence

from moot.engine.room import Room
from moot.errors import QuorumLost


def stop_once(room: Room, at: str, place: str, missing: Sequence[str], answered: int, needed: str) -> None:
    """Stop the debate here, unless that was done before: then it has been taken up again since. `at` is a key for this
    place in the script; `place` says where it is, and `needed` what it takes to go on."""
    stopping = False

    def stop() -> list[str]:
        nonlocal stopping
        stopping = True
        return list(missing)

    room.fact(f"quorum/{at}", stop)
    if stopping:
        raise QuorumLost(place, answered, needed, list(missing))
