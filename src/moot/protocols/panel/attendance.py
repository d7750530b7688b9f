"""The quorum of a panel: too few answers decide nothing."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import count

from moot.api import Draft, is_reply
from moot.protocols.panel.cast import Panellist
from moot.protocols.panel.sitting import Sitting
from moot.protocols.quorum import stop_once


async def until_enough(
    sitting: Sitting,
    asked: Sequence[Panellist],
    given: Mapping[str, Draft],
    ask: Callable[[Sequence[Panellist], str], Awaitable[None]],
    at: str,
    place: str,
) -> None:
    """Ask these panellists; if too few answer, stop, and ask the missing ones again when the debate resumes. `ask`
    fills `given` by name, and gets a suffix for the call's key."""
    missing = list(asked)
    for attempt in count(1):
        await ask(missing, "" if attempt == 1 else f"/again/{attempt}")
        missing = [seat for seat in asked if seat.name not in given or not is_reply(given[seat.name])]
        lack = sitting.lack(given)
        if lack is None:
            return
        answered = sum(is_reply(draft) for draft in given.values())
        names = [seat.name for seat in missing]
        stop_once(sitting.panel.room, f"{sitting.version}/{at}/{attempt}", place, names, answered, lack)
