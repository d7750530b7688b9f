"""One gradual semantics on one graph, by one library, in a process of its own: prints seconds and the first strengths.

    python gradual.py LIBRARY SEMANTICS FILE LIMIT

The file holds {"base": [...], "attacks": [[from, to], ...], "supports": [...]}. What is timed is solving alone: loading
the library and building its own kind of graph are not. What takes little is done a few times, and the shortest counts.
"""
# mypy: disable-error-code="import-not-found"

import json
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

SHOWN = 1000
TIMES, ENOUGH = 5, 2.0
Solve = Callable[[], Iterable[float]]


def with_moot(semantics: str, document: dict[str, Any]) -> Solve:
    from moot.argument.gradual import scores
    from moot.argument.graph import Graph

    names = named(document)
    graph = Graph.numbered(names, document["attacks"], document["supports"], weights=document["base"])

    def solved() -> Iterable[float]:
        return [float("nan") if score is None else score for score in scores(graph, semantics).values]

    return solved


def with_formal_argumentation(semantics: str, document: dict[str, Any]) -> Solve:
    from argumentation.gradual.dfquad import dfquad_strengths
    from argumentation.gradual.gradual import WeightedBipolarGraph, quadratic_energy_strengths

    names = named(document)
    graph = WeightedBipolarGraph(
        frozenset(names),
        dict(zip(names, document["base"], strict=True)),
        frozenset(pairs(document["attacks"])),
        frozenset(pairs(document["supports"])),
    )
    solve = {"dfquad": dfquad_strengths, "energy": quadratic_energy_strengths}[semantics]

    def solved() -> Iterable[float]:
        found = solve(graph).strengths
        return [found[name] for name in names]

    return solved


def with_qbaf(semantics: str, document: dict[str, Any]) -> Solve:
    from qbaf import QBAFramework

    names, model = named(document), {"dfquad": "DFQuAD_model", "energy": "QuadraticEnergy_model"}[semantics]
    relations = pairs(document["attacks"]), pairs(document["supports"])
    framework = QBAFramework(names, document["base"], *relations, semantics=model, allow_cycles=True)

    def solved() -> Iterable[float]:
        found = framework.final_strengths
        return [found[name] for name in names]

    return solved


def with_uncertainpy(semantics: str, document: dict[str, Any]) -> Solve:
    import uncertainpy.gradual as grad

    names = named(document)
    lines = [f"arg({name}, {base})" for name, base in zip(names, document["base"], strict=True)]
    lines += [f"att({one}, {other})" for one, other in pairs(document["attacks"])]
    lines += [f"sup({one}, {other})" for one, other in pairs(document["supports"])]
    with tempfile.NamedTemporaryFile("w", suffix=".bag") as file:
        file.write("\n".join(lines))
        file.flush()
        bag = grad.BAG(file.name)
    model = {"dfquad": grad.semantics.ContinuousDFQuADModel, "energy": grad.semantics.QuadraticEnergyModel}[semantics]()
    model.approximator = grad.algorithms.RK4(model)
    model.BAG = bag
    bag.reset_strength_values()

    def solved() -> Iterable[float]:
        model.solve(delta=0.1, epsilon=1e-6, verbose=False, generate_plot=False)
        return [bag.arguments[name].strength for name in names]

    return solved


def named(document: dict[str, Any]) -> list[str]:
    return [f"a{number}" for number in range(len(document["base"]))]


def pairs(numbers: list[list[int]]) -> list[tuple[str, str]]:
    return [(f"a{one}", f"a{other}") for one, other in numbers]


LIBRARIES = {
    "moot": with_moot,
    "formal-argumentation": with_formal_argumentation,
    "qbaf": with_qbaf,
    "uncertainpy": with_uncertainpy,
}


def main() -> None:
    library, semantics, file, limit = sys.argv[1:]
    document = json.loads(Path(file).read_text("utf-8"))
    taken: list[float] = []
    found: Iterable[float] = ()
    while len(taken) < TIMES and sum(taken) < ENOUGH:
        # Built anew each time, for some keep what they have found.
        solve = LIBRARIES[library](semantics, document)
        # Unhandled, the alarm ends the process: in C code no Python handler would ever run.
        signal.alarm(int(float(limit)) + 1)
        begun = time.perf_counter()
        found = solve()
        taken.append(time.perf_counter() - begun)
        signal.alarm(0)
    print(json.dumps({"seconds": min(taken), "strengths": [*found][:SHOWN]}))


if __name__ == "__main__":
    main()
