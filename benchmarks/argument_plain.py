"""moot.argument beside clingo and a plain SAT encoding: the same questions in one run, as ratios to the quicker.

    python benchmarks/argument_plain.py [--rounds N] [--json]

clingo gets the usual encoding and its models are read; the SAT solver gets the usual clauses. The start of Python and
the reading of files are not timed. Exit code 1 when a ratio is above 1.5, when moot is not ahead in most rows, or when
answers differ.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any

from argument_instances import Instance, grid, uniform
from moot.argument import Graph, extensions, sceptical
from moot.argument.parts import Attackers
from tables import markdown

WORST = 1.5
# Below this, a ratio says more about the clock than about a solver.
WORTH_TIMING = 0.001


def main() -> int:
    parser = argparse.ArgumentParser(description="moot beside clingo and plain SAT.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [measured(task, instance, options.rounds) for task, instance in questions()]
    timed = [row for row in rows if row["ratio"] is not None]
    ahead = sum(row["ratio"] < 1 for row in timed)
    missed = [f"{row['task']} on {row['instance']}: {row['ratio']:.2f}" for row in timed if row["ratio"] > WORST]
    missed += [f"{row['task']} on {row['instance']}: answers differ" for row in rows if not row["alike"]]
    if 2 * ahead <= len(timed):
        missed.append(f"ahead in {ahead} of {len(timed)} rows")
    if options.json:
        print(json.dumps({"rows": rows, "missed": missed}, indent=2))
    else:
        heads = ["task", "instance", "moot, ms", "clingo, ms", "SAT, ms", "ratio to the best"]
        print(markdown([heads, *([str(cell) for cell in table_row(row)] for row in rows)]))
        print(
            f"\nahead in {ahead} of {len(timed)}\n" + ("\n".join(f"missed: {one}" for one in missed) or "all bars met")
        )
    return 1 if missed else 0


def table_row(row: dict[str, Any]) -> list[str]:
    times = [f"{1000 * row[who]:.1f}" for who in ("moot", "clingo", "sat")]
    return [row["task"], row["instance"], *times, "-" if row["ratio"] is None else f"{row['ratio']:.2f}"]


def questions() -> list[tuple[str, Instance]]:
    small = [
        (task, uniform(size, 2, seed)) for task in ("EE-CO", "EE-PR", "EE-ST") for size, seed in ((16, 1), (30, 5))
    ]
    sceptic = [(f"DS-PR:{one}", uniform(1_000, 3)) for one in (7, 12, 100)]
    return [*small, *sceptic, ("EE-CO", grid(4)), ("EE-CO", grid(5)), ("EE-PR", grid(5))]


def measured(task: str, instance: Instance, rounds: int) -> dict[str, Any]:
    graph = Graph.numbered(map(str, range(instance.size)), instance.attacks)
    attackers: list[list[int]] = [[] for _ in range(instance.size)]
    for source, target in instance.attacks:
        attackers[target].append(source)
    asked = tuple(map(tuple, attackers))
    ways: dict[str, Callable[[], Any]] = {
        "moot": lambda: by_moot(graph, task),
        "clingo": lambda: by_clingo(asked, task),
        "sat": lambda: by_sat(asked, task),
    }
    times, answers = {}, []
    for who, ask in ways.items():
        spent = []
        for _ in range(rounds):
            start = time.perf_counter()
            answer = ask()
            spent.append(time.perf_counter() - start)
        times[who] = min(spent)
        answers.append(answer)
    best = min(times["clingo"], times["sat"])
    ratio = times["moot"] / best if max(best, times["moot"]) > WORTH_TIMING else None
    alike = all(answer == answers[0] for answer in answers)
    return {"task": task, "instance": instance.name, **times, "ratio": ratio, "alike": alike}


def by_moot(graph: Graph, task: str) -> Any:
    what, _, about = task.partition(":")
    asked, semantics = what.split("-")
    if asked == "EE":
        return len(list(extensions(graph, semantics)))
    return sceptical(graph, semantics, about).accepted


CLINGO = {
    "AD": "{in(X)} :- arg(X). out(X) :- att(Y,X), in(Y). :- in(X), out(X). :- in(X), att(Y,X), not out(Y). #show in/1.",
    "CO": ":- arg(X), not in(X), out(Y) : att(Y,X).",
    "ST": ":- arg(X), not in(X), not out(X).",
    "PR": "#heuristic in(X) : arg(X). [1,true]",
}


def by_clingo(attackers: Attackers, task: str) -> Any:
    from clingo import Control

    what, _, about = task.partition(":")
    semantics = what.split("-")[1]
    facts = [f"arg({one})." for one in range(len(attackers))]
    facts += [f"att({one},{other})." for other, sources in enumerate(attackers) for one in sources]
    maximal = ["--heuristic=Domain", "--enum-mode=domRec"] if semantics == "PR" else []
    control = Control(["0", *maximal], logger=lambda *_: None)
    control.add("base", [], "\n".join([*facts, CLINGO["AD"], CLINGO[semantics]]))
    control.ground([("base", [])])
    found = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            members = frozenset(symbol.arguments[0].number for symbol in model.symbols(shown=True))
            if about and int(about) not in members:
                return False
            found.append(members)
    return True if about else len(found)


def by_sat(attackers: Attackers, task: str) -> Any:
    """The plain way: one model after another, each made maximal where that is asked for, and then excluded."""
    from pysat.solvers import Cadical153

    what, _, about = task.partition(":")
    semantics, size = what.split("-")[1], len(attackers)
    clauses = []
    for one, sources in enumerate(attackers):
        clauses += [[-1 - one, -1 - source] for source in sources]
        clauses.append([-1 - size - one, *(1 + source for source in sources)])
        clauses += [[1 + size + one, -1 - source] for source in sources]
        clauses += [[-1 - one, 1 + size + source] for source in sources]
        if semantics == "CO":
            clauses.append([1 + one, *(-1 - size - source for source in sources)])
        if semantics == "ST":
            clauses.append([1 + one, 1 + size + one])
    number = 0
    with Cadical153(bootstrap_with=clauses) as solver:
        while solver.solve():
            chosen = [one for one in range(size) if solver.get_model()[one] > 0]
            if semantics == "PR":
                chosen = larger(solver, chosen, size, number)
            if about and int(about) not in chosen:
                return False
            number += 1
            if semantics == "PR":
                solver.add_clause([1 + one for one in range(size) if one not in set(chosen)])
            else:
                inside = set(chosen)
                solver.add_clause([-1 - one if one in inside else 1 + one for one in range(size)])
    return True if about else number


def larger(solver: Any, chosen: list[int], size: int, number: int) -> list[int]:
    """A maximal set around this one. The switches are variables of their own."""
    switch = 3 * size + 100 * number
    while True:
        switch += 1
        inside = set(chosen)
        solver.add_clause([-switch, *(1 + one for one in range(size) if one not in inside)])
        if not solver.solve(assumptions=[switch, *(1 + one for one in chosen)]):
            return chosen
        chosen = [one for one in range(size) if solver.get_model()[one] > 0]


if __name__ == "__main__":
    sys.exit(main())
