"""The command line, a thin layer over the public API."""

from moot.cli.main import main

__all__ = ["main"]
