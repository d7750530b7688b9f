"""Debates on several machines: submitted to a queue in PostgreSQL, run by workers.

Logs and journals are in the same database, so any worker can continue what another has started.
"""

from moot.queue.jobs import Ended, QueueProgress, Watch, cancel, follow, progress, resubmit, submit
from moot.queue.working import work

__all__ = ["Ended", "QueueProgress", "Watch", "cancel", "follow", "progress", "resubmit", "submit", "work"]
