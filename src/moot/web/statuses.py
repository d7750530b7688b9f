"""The HTTP statuses of errors."""

import moot
from moot.errors import CallFailed, LimitReached, ModelError, ReplayDivergence
from moot.service.host import NoSuchRun, NotAsked, TooManyDebates

STATUSES: dict[type[moot.MootError], int] = {
    NoSuchRun: 404,
    NotAsked: 409,
    TooManyDebates: 503,
    moot.RunBusy: 409,
    moot.RunDamaged: 409,
    ReplayDivergence: 409,
    moot.ConfigError: 422,
    moot.NotReady: 422,
    ModelError: 502,
    CallFailed: 502,
    LimitReached: 422,
}
"""The HTTP status of each kind of error; 500 for all others."""


def status_of(error: Exception) -> int:
    return next((code for kind, code in STATUSES.items() if isinstance(error, kind)), 500)
