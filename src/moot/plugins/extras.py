"""What moot needs beyond what it is installed with, by extra; and how people are told that an extra is missing."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.util import find_spec

from moot.errors import MissingExtra

EXTRAS = {
    "argument": ("clingo", "pysat"),
    "embedded": ("pip", "xllamacpp"),
    "evidence": ("lxml", "pypdf", "trafilatura"),
    "inspect": ("inspect_ai",),
    "mcp": ("mcp",),
    "parquet": ("pyarrow",),
    "postgresql": ("psycopg",),
    "sign": ("cryptography",),
    "studies": ("krippendorff", "numpy", "scipy"),
    "telemetry": ("opentelemetry.exporter.otlp.proto.http", "opentelemetry.sdk"),
    "web": ("fastapi", "uvicorn"),
}
"""The packages that an extra brings, as they are imported. What can be done without is not here: `wordllama` of
`embedded`."""

_missed: ContextVar[set[str] | None] = ContextVar("missed", default=None)


@contextmanager
def missed_extras() -> Iterator[set[str]]:
    """Collect the extras that are required in vain inside this block."""
    missed: set[str] = set()
    token = _missed.set(missed)
    try:
        yield missed
    finally:
        _missed.reset(token)


@cache  # a missing one is looked for again
def require(extra: str) -> None:
    """MissingExtra unless all packages of the extra are installed. None of them is loaded."""
    for package in EXTRAS[extra]:
        if not _is_installed(package):
            if (missed := _missed.get()) is not None:
                missed.add(extra)
            raise MissingExtra(extra, package)


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # the package that it is a part of
        return False
