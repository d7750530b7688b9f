"""The source of the program as syntax trees. Each file is parsed once, for all tests that look at it."""

import ast
import gc
from functools import cache
from pathlib import Path

import moot

SOURCE = Path(moot.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    return nodes_in(path.read_text("utf-8"))


def nodes_in(code: str) -> list[ast.AST]:
    gc.disable()  # which would go through all of them, again and again
    try:
        return list(ast.walk(ast.parse(code)))
    finally:
        gc.enable()
