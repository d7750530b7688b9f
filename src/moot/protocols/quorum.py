"""Quorum: if too few agents answer, a debate stops, and the missing ones are asked again when it is resumed."""

from collections.abc import Sequence

from moot.api import QuorumLost, Room


def stop_once(room: Room, at: str, place: str, missing: Sequence[str], answered: int, needed: str) -> None:
    """Stop the debate here, unless it already stopped here and was resumed. `at` is a key for this place in the script;
    `place` describes it, and `needed` says what is needed to continue."""
    stopping = False

    def stop() -> list[str]:
        nonlocal stopping
        stopping = True
        return list(missing)

    room.fact(f"quorum/{at}", stop)
    if stopping:
        raise QuorumLost(place, answered, needed, list(missing))
