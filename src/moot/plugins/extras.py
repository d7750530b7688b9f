"""What moot needs beyond what it is installed with, by extra; and how people are told that an extra is missing."""

from functools import cache
from importlib.util import find_spec

from moot.errors import MissingExtra

EXTRAS = {
    "argument": ("clingo", "numpy", "pysat", "scipy"),
    "embedded": ("pip", "xllamacpp"),
    "evidence": ("lxml", "pypdf", "trafilatura"),
    "inspect": ("inspect_ai",),
    "mcp": ("mcp",),
    "notify": ("apprise",),
    "postgresql": ("psycopg",),
    "sign": ("cryptography",),
    "studies": ("krippendorff", "numpy", "scipy"),
    "telemetry": ("opentelemetry.exporter.otlp.proto.http", "opentelemetry.sdk"),
    "web": ("fastapi", "uvicorn"),
}
"""The packages that an extra brings, as they are imported. What can be done without is not here: `pyarrow`, and
`wordllama` of `embedded`."""

MISSED: set[str] = set()
"""The extras that this process looked for in vain."""


@cache  # a missing one is looked for again
def require(extra: str) -> None:
    """MissingExtra unless all packages of the extra are installed. None of them is loaded."""
    for package in EXTRAS[extra]:
        if not _is_installed(package):
            MISSED.add(extra)
            raise MissingExtra(extra, package)


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # the package that it is a part of
        return False
