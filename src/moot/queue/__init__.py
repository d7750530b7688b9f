"""Debates on more than one machine: submitted to a queue in PostgreSQL, run by workers wherever they are.

Logs and journals are in the same database, so any worker can take up what another had begun.
"""

from moot.queue.jobs import Ended, Progress, Watch, cancel, follow, progress, resubmit, submit
from moot.queue.working import work

__all__ = ["Ended", "Progress", "Watch", "cancel", "follow", "progress", "resubmit", "submit", "work"]
