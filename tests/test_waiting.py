"""Tests wait for things, never for time: no sleep, clock or time limit outside `tests/kit/waiting.py`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.kit.sources import nodes_in

TESTS = Path(__file__).parent
FILES = [path for path in sorted(TESTS.rglob("*.py")) if path not in (TESTS / "kit" / "waiting.py", Path(__file__))]
CLOCKS = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "thread_time"}
LIMITS = {"wait_for", "wait", "join", "result", "settimeout", "timeout_at", "wait_for_timeout", "set_default_timeout"}
LATER = {"call_later", "call_at", "Timer"}
KEYWORDS = {"timeout", "shutdown_timeout", "latency", "pause"}
SLEEP = re.compile(r"\bsleep\(")


def found_in(code: str) -> Iterator[tuple[int, str]]:
    """The lines that deal with time, and how."""
    for node in nodes_in(code):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SLEEP.search(node.value):
            yield node.lineno, "a program that sleeps: end it with `FOREVER`, or let it wait for something"
        if isinstance(node, ast.keyword) and node.arg in KEYWORDS and is_number(node.value):
            yield node.value.lineno, "a time limit or delay: PATIENCE, AT_ONCE for what never comes, or an event"
        if not isinstance(node, ast.Call):
            continue
        name, owner = name_of(node.func)
        if name == "sleep":
            yield node.lineno, "a sleep: `until`, `wait_until` or `turns`"
        elif name in CLOCKS or (owner == "time" and name in ("time", "time_ns")):
            yield node.lineno, "a clock: put it forward (tests/kit/clock.py), or count instead"
        elif name in LATER and node.args and is_number(node.args[0]):
            yield node.lineno, "a timer: let what it waits for set it off"
        elif (name in LIMITS or (owner == "asyncio" and name == "timeout")) and any(map(is_number, node.args)):
            yield node.lineno, "a time limit: `patience`, `run` or `ended`"


def name_of(function: ast.expr) -> tuple[str, str]:
    """The name of a function that is called, and of what it belongs to."""
    if isinstance(function, ast.Attribute):
        return function.attr, function.value.id if isinstance(function.value, ast.Name) else ""
    return (function.id, "") if isinstance(function, ast.Name) else ("", "")


def is_number(value: ast.expr) -> bool:
    """Whether it is a number, or computed from numbers."""
    nodes = list(ast.walk(value))
    numbers = [one.value for one in nodes if isinstance(one, ast.Constant)]
    parts = (ast.Constant, ast.BinOp, ast.operator, ast.Name, ast.Attribute, ast.expr_context)
    return (
        all(isinstance(node, parts) for node in nodes)
        and any(numbers)
        and all(type(number) in (int, float) for number in numbers)
    )


def test_no_test_waits_for_time() -> None:
    found = [
        f"{path.relative_to(TESTS)}:{line}: {what}"
        for path in FILES
        for line, what in sorted(found_in(path.read_text("utf-8")))
    ]
    assert found == []
