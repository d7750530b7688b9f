"""One question about one abstract framework, to one library, in a process of its own: prints seconds and the answer.

    python dung.py LIBRARY TASK FILE LIMIT

TASK is in the words of the ICCMA contests: SE-GR one extension, EE-PR all of them, DS-PR:7 sceptical acceptance. The
file holds {"size": 3, "attacks": [[from, to], ...]}. What is timed is solving alone: loading the library and building
its own kind of framework are not. CPU time counts, for it does not depend on who else is using the machine. A quick
answer is asked for several times, and the median counts.
"""
# mypy: disable-error-code="import-not-found"

import json
import signal
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

Solve = Callable[[], Any]
LONG = {"GR": "grounded", "PR": "preferred", "ST": "stable", "CO": "complete", "SST": "semi-stable", "ID": "ideal"}


def with_moot(kind: str, semantics: str, argument: str, document: dict[str, Any]) -> Solve:
    # They are loaded when they are first needed, which would be while the clock runs.
    import pysat.solvers  # noqa: F401

    from moot.argument import Graph, credulous, extension, extensions, sceptical

    graph = Graph.numbered(named(document), document["attacks"])
    if kind == "SE":
        return lambda: extension(graph, semantics)
    if kind == "EE":
        return lambda: list(extensions(graph, semantics))
    ask = credulous if kind == "DC" else sceptical
    return lambda: ask(graph, semantics, argument).accepted


def with_pygarg(kind: str, semantics: str, argument: str, document: dict[str, Any]) -> Solve:
    from pygarg.dung import solver

    names = named(document)
    attacks = [[names[one], names[other]] for one, other in document["attacks"]]
    if kind == "SE":
        return lambda: solver.compute_some_extension(names, attacks, semantics)
    if kind == "EE":
        return lambda: solver.extension_enumeration(names, attacks, semantics)
    ask = solver.credulous_acceptability if kind == "DC" else solver.skeptical_acceptability
    # It answers with a pair: whether, and an extension that shows it.
    return lambda: ask(names, attacks, argument, semantics)[0]


def with_py_arg(kind: str, semantics: str, argument: str, document: dict[str, Any]) -> Solve:
    from importlib import import_module

    from py_arg.abstract_argumentation_classes.abstract_argumentation_framework import AbstractArgumentationFramework
    from py_arg.abstract_argumentation_classes.argument import Argument
    from py_arg.abstract_argumentation_classes.defeat import Defeat

    arguments = [Argument(name) for name in named(document)]
    defeats = [Defeat(arguments[one], arguments[other]) for one, other in document["attacks"]]
    framework = AbstractArgumentationFramework("", arguments, defeats)
    name = LONG[semantics].replace("-", "") + ("_extension" if semantics in ("GR", "ID") else "_extensions")
    solve = getattr(import_module(f"py_arg.algorithms.semantics.get_{name}"), f"get_{name}")

    def every() -> list[set[str]]:
        found = solve(framework)
        return [{one.name for one in each} for each in ([found] if semantics in ("GR", "ID") else found)]

    return answered_by_all(every, kind, argument)


def with_formal_argumentation(kind: str, semantics: str, argument: str, document: dict[str, Any]) -> Solve:
    from argumentation.core.dung import ArgumentationFramework
    from argumentation.solving import solver

    names = named(document)
    attacks = frozenset((names[one], names[other]) for one, other in document["attacks"])
    framework = ArgumentationFramework(frozenset(names), attacks)
    long = LONG[semantics]
    if kind == "SE":
        return lambda: solver.solve_dung_single_extension(framework, semantics=long).extension
    if kind == "EE":
        return lambda: solver.solve_dung_extensions(framework, semantics=long).extensions
    task = "credulous" if kind == "DC" else "skeptical"
    return lambda: solver.solve_dung_acceptance(framework, semantics=long, task=task, query=argument).answer


def answered_by_all(every: Callable[[], list[set[str]]], kind: str, argument: str) -> Solve:
    """For a library that only lists all extensions."""
    if kind == "EE":
        return every
    if kind == "SE":
        return lambda: next(iter(every()), None)
    judge = any if kind == "DC" else all
    return lambda: judge(argument in each for each in every())


def named(document: dict[str, Any]) -> list[str]:
    return [str(number) for number in range(document["size"])]


def digest(kind: str, semantics: str, answer: Any) -> str:
    """What answers are compared by; of several extensions any one will do, so one alone cannot be compared."""
    if kind in ("DC", "DS"):
        return "yes" if answer else "no"
    if kind == "SE" and semantics not in ("GR", "ID"):
        return "none" if answer is None or answer == "NO" else "one"
    several: Iterable[Any] = [answer] if kind == "SE" else answer
    lines = sorted(" ".join(sorted(map(str, each))) for each in several)
    return f"{len(lines)}:{sha256(chr(10).join(lines).encode()).hexdigest()[:16]}"


LIBRARIES = {
    "moot": with_moot,
    "pygarg": with_pygarg,
    "py-arg": with_py_arg,
    "formal-argumentation-z3": with_formal_argumentation,
}


def main() -> None:
    library, task, file, limit = sys.argv[1:]
    task, _, argument = task.partition(":")
    kind, semantics = task.split("-")
    sys.setrecursionlimit(100_000)
    solve = LIBRARIES[library](kind, semantics, argument, json.loads(Path(file).read_text("utf-8")))
    # Unhandled, the alarm ends the process: in C code no Python handler would ever run.
    signal.alarm(int(float(limit)) + 1)
    taken: list[float] = []
    while len(taken) < 25 and sum(taken) < 1:
        begun = time.process_time()
        answer = solve()
        taken.append(time.process_time() - begun)
    signal.alarm(0)
    print(json.dumps({"seconds": statistics.median(taken), "answer": digest(kind, semantics, answer)}))


if __name__ == "__main__":
    main()
