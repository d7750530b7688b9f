"""Script order for work that runs side by side.

The log is a tree of branches while it is being made: each branch holds drafts and inner branches in the order
of the script. What comes out is a walk over that tree, as far as everything before it is done.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from moot.entry import Draft


@dataclass(slots=True, eq=False)
class Branch:
    """A stretch of the script. While it is `open`, what stands after it has to wait."""

    items: "deque[Draft | Branch]" = field(default_factory=deque)
    open: bool = True

    def fork(self) -> "Branch":
        """A new branch at this point of this one."""
        branch = Branch()
        self.items.append(branch)
        return branch

    def release(self, write: Callable[[Draft], None]) -> bool:
        """Write all that is next in script order; True when nothing more can come from this branch."""
        while self.items:
            head = self.items[0]
            if isinstance(head, Branch):
                if not head.release(write):
                    return False
            else:
                write(head)
            self.items.popleft()
        return not self.open
