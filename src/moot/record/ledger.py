"""Ledgers receive the entries of a script: one writes them to a log, the other compares them with an existing log."""

from collections import deque
from collections.abc import Sequence

from moot.errors import ReplayDivergence
from moot.record.entry import Draft, Entry
from moot.record.events import Follower, Wrote
from moot.record.log import Log


class Ledger:
    """Writes the script's entries to the log. A resumed script must produce the existing entries again."""

    def __init__(self, log: Log, follow: Follower | None) -> None:
        self._log = log
        self._follow = follow
        self._standing = deque(entry for entry in log.entries if not entry.outside)

    def write(self, draft: Draft) -> None:
        """Write a draft. If that failed before, a retry does not add a second entry."""
        if draft.number is not None:
            return
        again = bool(self._standing)
        entry = _matched(draft, self._standing[0]) if again else self._log.append(draft)
        if again:
            self._standing.popleft()
        if self._follow:
            self._follow(Wrote(entry, again=again))


def _matched(draft: Draft, standing: Entry) -> Entry:
    if not draft.at(standing.seq, standing.prev).same_as(standing):
        raise ReplayDivergence(
            draft.call or f"seq {standing.seq}",
            f"entry {standing.seq} of the log is a {standing.type} of {standing.speaker} that the script would not "
            "write again",
            "The log or the config was edited, or the run was made by another version of moot.",
        )
    draft.number = standing.seq
    return standing


class MemoryLedger:
    """Compares the script's entries with a log."""

    def __init__(self, standing: Sequence[Entry]) -> None:
        self.entries: list[Entry] = []
        self._standing = [entry for entry in standing if not entry.outside]

    def write(self, draft: Draft) -> None:
        place = len(self.entries)
        last = self._standing[-1].seq if self._standing else -1
        beyond = place - len(self._standing)
        draft.number = self._standing[place].seq if beyond < 0 else last + beyond + 1
        self.entries.append(draft.at(draft.number, ""))

    def first_unjournaled(self) -> int | None:
        """The seq of the first entry after those that the script produces, if all before it are the same."""
        place = len(self.entries)
        same = all(new.same_as(old) for old, new in zip(self._standing, self.entries, strict=False))
        return self._standing[place].seq if same and place < len(self._standing) else None

    def differences(self, waiting_for: str | None) -> list[str]:
        found = [
            f"entry {old.seq}: the log has a {old.type} of {old.speaker} that does not match the journal"
            for old, new in zip(self._standing, self.entries, strict=False)
            if not new.same_as(old)
        ]
        if len(self.entries) < len(self._standing):
            found.append(f"the log has {len(self._standing)} entries, the journal makes {len(self.entries)}")
        elif len(self.entries) > len(self._standing) and waiting_for is None:
            found.append(f"the log stops at {len(self._standing)} of {len(self.entries)} entries")
        return found
