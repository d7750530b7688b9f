"""The one boundary to code of protocols and plug-ins, which can fail in any way."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from moot.errors import MootError
from moot.text.prose import what_failed

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Broken:
    """A call that failed."""

    error: Exception

    @property
    def why(self) -> str:
        """Type, message, file and line number, in one line."""
        return what_failed(self.error)


def guarded(call: Callable[[], T]) -> T | Broken:
    """What a plug-in's function returns, or its error."""
    try:
        return call()
    except Exception as error:  # the code of a plug-in can fail in any way
        return Broken(error)


async def guarded_wait(work: Awaitable[T]) -> T | Broken:
    """The result of work that runs a plug-in's code, a script, or a tool of others; or its error."""
    try:
        return await work
    except Exception as error:  # the code of a plug-in can fail in any way
        return Broken(error)


@contextmanager
def failing_as(make: Callable[[str], MootError]) -> Iterator[None]:
    """Raises what fails in a plug-in's code as an error of moot, made from what failed in one line. Errors of moot stay
    as they are."""
    try:
        yield
    except MootError:
        raise
    except Exception as error:  # the code of a plug-in can fail in any way
        raise make(what_failed(error)) from error


@contextmanager
def loading(fault: Callable[[BaseException], MootError]) -> Iterator[None]:
    """Raises whatever the code of others ends with while it is imported or called as an error of moot. SystemExit must
    not end the program; an interrupt by the user does."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the code of others can end in any way, also by SystemExit
        raise fault(error) from error
