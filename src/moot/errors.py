"""Every error moot raises on purpose.

MootError
├── ConfigError         the request itself is wrong; nothing was spent
│   ├── Undeclared      a script emits what its protocol does not declare
│   ├── NotIntroduced   a script writes no header, or one that is not its own
│   └── MissingExtra    a package is not installed; says which extra brings it
├── LimitReached        a budget is used up; the run is kept and can be resumed
├── CallFailed          a model could not be made to answer; the run can be resumed
│   └── QuorumLost      too few agents answered; resumed, the run asks those who failed again
├── RuleFailed          a voting rule did not count the votes; the run can be resumed once it does
├── ReplayDivergence    the script no longer asks what the journal answered
├── RunBusy             another process is working on this run
├── RunDamaged          a file of the run is not what moot wrote
├── ReportFailed        a document of a run could not be made; its result and its other documents were
├── SecrecyBreach       a protocol tried to show an agent what is not its own
└── ModelError          one attempt at one call went wrong
    ├── RateLimited     429; carries the wait the server asked for
    ├── ServerFault     5xx, or the connection broke
    ├── TimedOut        no answer in time
    ├── CutStream       the stream ended before the reply did
    ├── EmptyReply      an answer without text
    ├── NotAReply       something that is no model reply, such as an HTML page
    ├── Refused         the model declined on grounds of policy
    ├── Rejected        4xx: the request will not do, here or on a second try
    ├── Unauthorised    401, 403: the key is missing or wrong
    ├── ContextOverflow the request is longer than the model can read
    ├── ImagesRefused   the model takes no images
    └── NotReady        the model cannot run here: a missing key, package, file or server

ConnectionError
└── DatabaseAway        the database cannot be reached now, or has no room; nothing is wrong with what was asked

ValueError
└── KeyFault            what a config's own validator says is wrong, and with which key; becomes a ConfigError

Errors carry data and never log: who acts on one reads its `key` or `limit`, never its words. `exit_code` is what the
command line returns.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from moot.models.base import Usage


class MootError(Exception):
    exit_code = 1


class ConfigError(MootError):
    """`key` is the key of the config that is at fault, as a dotted path such as `agents.0.model`; None where the error
    is about none. `missing` says that the key is not there and has to be."""

    exit_code = 2

    def __init__(self, message: str, key: str | None = None, *, missing: bool = False) -> None:
        super().__init__(message)
        self.key = key
        self.missing = missing


class Undeclared(ConfigError):
    """A script emits an entry with a payload that its protocol does not declare for that type."""

    def __init__(self, entry_type: str, payload: str) -> None:
        super().__init__(
            f"the script emits a {entry_type!r} with a {payload}, which its protocol does not declare: add "
            f"{entry_type!r}: {payload} to the `payloads` of the Protocol"
        )


class NotIntroduced(ConfigError):
    """A script writes no header, or one that is not its own."""


class DatabaseAway(ConnectionError):
    """The database cannot be reached, or has no room for another connection. It may be back later; `for_now` says that
    its server is there, and starting, stopping or full."""

    def __init__(self, message: str, *, for_now: bool = False) -> None:
        super().__init__(message)
        self.for_now = for_now


class MissingExtra(ConfigError):
    """`package` is not installed, which the `extra` brings."""

    def __init__(self, extra: str, package: str) -> None:
        super().__init__(f"this needs the extra \"{extra}\": pip install 'moot[{extra}]'")
        self.extra = extra
        self.package = package


class KeyFault(ValueError):
    def __init__(self, key: str, message: str, *, missing: bool = False) -> None:
        super().__init__(message)
        self.key = key
        self.missing = missing


class LimitReached(MootError):
    """`limit` is the name of the option, such as `max_calls`."""

    exit_code = 3

    def __init__(self, limit: str, allowed: float, message: str) -> None:
        super().__init__(message)
        self.limit = limit
        self.allowed = allowed


class CallFailed(MootError):
    """All models of an agent failed at one place in the script; the last reason is the cause, and `model` failed last.
    None where no model was at fault. `unanswered` says that the models could be asked and gave no answer: they said
    nothing, or declined."""

    def __init__(
        self, key: str, agent: str, reason: str, model: str | None = None, *, unanswered: bool = False
    ) -> None:
        super().__init__(f"{agent} did not answer at {key}: {reason}")
        self.key = key
        self.agent = agent
        self.reason = reason
        self.model = model
        self.unanswered = unanswered


class QuorumLost(CallFailed):
    """Too few agents answered, or one who has to. A resumed run asks those who failed once more, through other models
    if it is given any. `needed` says what it takes to go on."""

    def __init__(self, place: str, answered: int, needed: str, missing: list[str]) -> None:
        reason = f"{answered} answered in {place}, and {needed}"
        super().__init__(place, ", ".join(missing), reason)
        self.args = (f"only {reason}; resume the run to ask those missing again: {self.agent}",)


class RuleFailed(MootError):
    """`key` is where the script stopped."""

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(f"the voting rule {rule!r} failed: {reason}")
        self.key = f"the count by {rule}"


class ReplayDivergence(MootError):
    """`what` differs, and `why` that may be."""

    def __init__(self, key: str, what: str, why: str = "") -> None:
        super().__init__(f"{what}. {why}" if why else what)
        self.key = key
        self.what = what


class RunBusy(MootError):
    pass


class RunDamaged(MootError):
    pass


class ReportFailed(MootError):
    """`faults` say why, by what could not be made."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        by_reason: dict[str, list[str]] = {}
        for name, why in faults.items():
            by_reason.setdefault(why, []).append(name)
        told = [f"{' and '.join(names)} could not be made: {why}" for why, names in by_reason.items()]
        super().__init__("; ".join(told))
        self.faults = faults


class SecrecyBreach(MootError):
    pass


class ModelError(MootError):
    """`retry` says whether the same request may succeed a moment later; `usage` what the attempt cost all the same, and
    `may_cost` that it may have cost something where that is not known: a model may have been at work.
    `key` is the key of the config that chose the model, where an agent cannot speak through it. `status` is that of the
    server's answer, and `said` what it said, where there was one."""

    status: int | None = None
    said: str = ""
    key: str | None = None
    retry = False
    retry_after: float | None = None
    may_cost = False
    usage: "Usage | None" = None

    def paid(self, usage: "Usage") -> Self:
        """This error, with what was paid for it."""
        self.usage = usage
        return self

    def costing(self, may_cost: bool) -> Self:
        """This error, of an attempt at which a model may have been at work, or not."""
        self.may_cost = may_cost
        return self


class RateLimited(ModelError):
    retry = True

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ServerFault(ModelError):
    retry = True

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class TimedOut(ModelError):
    retry = True
    may_cost = True


class CutStream(ModelError):
    retry = True
    may_cost = True


class EmptyReply(ModelError):
    retry = True
    may_cost = True


class NotAReply(ModelError):
    retry = True
    may_cost = True


class Refused(ModelError):
    may_cost = True


class Rejected(ModelError):
    pass


class Unauthorised(ModelError):
    exit_code = 2


class ContextOverflow(ModelError):
    pass


class ImagesRefused(ModelError):
    pass


class NotReady(ModelError):
    exit_code = 2
