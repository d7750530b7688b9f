"""Who has to be there: nothing is decided by a panel of which too few could be asked."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import count

from moot.protocols.panel.cast import Panellist
from moot.protocols.panel.sitting import Sitting
from moot.protocols.quorum import stop_once
from moot.record.entry import Draft


async def until_enough(
    sitting: Sitting,
    asked: Sequence[Panellist],
    given: Mapping[str, Draft],
    ask: Callable[[Sequence[Panellist], str], Awaitable[None]],
    at: str,
    place: str,
) -> None:
    """Have them asked; where too few of the panel could be, stop, and ask those who are missing when the debate goes
    on. `ask` fills `given`, by name, and gets what to add to the key of a call."""
    missing = list(asked)
    for attempt in count(1):
        await ask(missing, "" if attempt == 1 else f"/again/{attempt}")
        missing = [seat for seat in asked if seat.name not in given or not sitting.usable(given[seat.name])]
        lack = sitting.lack(given)
        if lack is None:
            return
        answered = sum(sitting.usable(draft) for draft in given.values())
        names = [seat.name for seat in missing]
        stop_once(sitting.panel.room, f"{sitting.version}/{at}/{attempt}", place, names, answered, lack)
