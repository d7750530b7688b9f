"""Ledgers: where the entries of a script go. One writes them to a log, the other sets them beside one that stands."""

from collections import deque
from collections.abc import Sequence

from moot.entry import Draft, Entry
from moot.errors import ReplayDivergence
from moot.events import Follower, Wrote
from moot.log import Log


class Ledger:
    """Writes the script's entries to the log. A resumed script must say again what stands there already."""

    def __init__(self, log: Log, follow: Follower | None) -> None:
        self._log = log
        self._follow = follow
        self._standing = deque(entry for entry in log.entries if not entry.outside)

    def write(self, draft: Draft) -> None:
        again = bool(self._standing)
        entry = _matched(draft, self._standing.popleft()) if again else self._log.append(draft)
        if self._follow:
            self._follow(Wrote(entry, again))


def _matched(draft: Draft, standing: Entry) -> Entry:
    draft.seq = standing.seq
    if not draft.at(standing.seq, standing.prev).same_as(standing):
        raise ReplayDivergence(
            draft.call or f"seq {standing.seq}",
            f"entry {standing.seq} of the log is a {standing.type} of {standing.speaker} that the script would not "
            "write again. The log or the config was edited, or the run was made by another version of moot.",
        )
    return standing


class MemoryLedger:
    """Takes the script's entries and puts them side by side with a log."""

    def __init__(self, standing: Sequence[Entry]) -> None:
        self.entries: list[Entry] = []
        self._standing = [entry for entry in standing if not entry.outside]

    def write(self, draft: Draft) -> None:
        place = len(self.entries)
        last = self._standing[-1].seq if self._standing else 0
        draft.seq = self._standing[place].seq if place < len(self._standing) else last + place - len(self._standing) + 1
        self.entries.append(draft.at(draft.seq, ""))

    def unborne(self) -> int | None:
        """The seq of the first entry that stands beyond what the script comes to, where all before it are the same."""
        place = len(self.entries)
        same = all(new.same_as(old) for old, new in zip(self._standing, self.entries, strict=False))
        return self._standing[place].seq if same and place < len(self._standing) else None

    def differences(self, waiting_for: str | None) -> list[str]:
        found = [
            f"entry {old.seq}: the log has a {old.type} of {old.speaker} that the journal does not bear out"
            for old, new in zip(self._standing, self.entries, strict=False)
            if not new.same_as(old)
        ]
        if len(self.entries) < len(self._standing):
            found.append(f"the log has {len(self._standing)} entries, the journal makes {len(self.entries)}")
        elif len(self.entries) > len(self._standing) and waiting_for is None:
            found.append(f"the log stops at {len(self._standing)} of {len(self.entries)} entries")
        return found
