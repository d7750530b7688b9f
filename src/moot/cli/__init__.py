"""The command line: one of the faces of the public API, and nothing more."""

from moot.cli.main import main

__all__ = ["main"]
