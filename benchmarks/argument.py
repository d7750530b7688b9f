"""moot.argument against its Python peers: the same graphs and questions, in the same run, as ratios.

    python benchmarks/argument.py [--no-peers | --peers DIR] [--limit SECONDS] [--only abstract|gradual] [--json]

Every contestant answers in a process of its own, which is ended at the limit; what is timed is solving alone. Exit
code 1 when a bar is missed or a peer answers otherwise than moot does.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import argument_dung
import argument_gradual
from environments import default_folder
from tables import markdown

MOOT = "moot"
# What takes a peer less than this says more about the clock than about the peer.
WORTH_TIMING = 0.010
LEAST_SPEED_UP = {("SE-GR", "uniform, 10,000"): 20.0, ("dfquad", "100,000 arguments, cyclic"): 20.0}

Row = dict[str, Any]


def main() -> int:
    options = parse()
    folder = None if options.no_peers else options.peers
    rows: list[Row] = []
    if options.only != "gradual":
        rows += argument_dung.rows(folder, options.limit)
    if options.only != "abstract" and folder is not None:
        rows += argument_gradual.rows(folder, options.limit)
    missed = [*missed_bars(rows, options.limit)]
    if options.json:
        print(json.dumps({"rows": rows, "missed": missed}, indent=2))
    else:
        print(markdown(table(rows)))
        print("\n" + ("\n".join(f"missed: {one}" for one in missed) or "all bars met"))
    return 1 if missed else 0


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="moot's argumentation against its peers.")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--peers", type=Path, default=default_folder(), help="where their environments are, or will be")
    which.add_argument("--no-peers", action="store_true", help="moot alone; installs nothing")
    parser.add_argument("--limit", type=float, default=30.0, help="seconds, for each contestant and question")
    parser.add_argument("--only", choices=["abstract", "gradual"], help="one half of it")
    parser.add_argument("--json", action="store_true", help="print all figures as one JSON document")
    return parser.parse_args()


def grouped(rows: list[Row]) -> dict[tuple[str, str], dict[str, Row]]:
    """The rows of each question, by contestant."""
    questions: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        questions.setdefault((row["task"], row["instance"]), {})[row["contestant"]] = row
    return questions


def missed_bars(rows: list[Row], limit: float) -> list[str]:
    missed = [f"{row['task']} on {row['instance']}: {row['contestant']} {row['note']}" for row in rows if wrong(row)]
    for question, answers in grouped(rows).items():
        mine = answers[MOOT]["seconds"]
        if mine is None:
            missed.append(f"{question[0]} on {question[1]}: moot has no answer, {answers[MOOT]['note']}")
            continue
        least = LEAST_SPEED_UP.get(question, 1.0)
        for name, row in answers.items():
            # A peer that was ended at the limit took at least so long.
            theirs = row["seconds"] or (limit if "over" in row["note"] else None)
            if name != MOOT and theirs is not None and theirs > WORTH_TIMING and theirs < least * mine:
                missed.append(f"{question[0]} on {question[1]}: {theirs / mine:.1f} × {name}, not {least:g}")
    return missed


def wrong(row: Row) -> bool:
    return "OTHERWISE" in row["note"]


def table(rows: list[Row]) -> list[list[str]]:
    """A row for each question: moot's seconds, each peer's, and how many times moot's that is."""
    names = list(dict.fromkeys(row["contestant"] for row in rows if row["contestant"] != MOOT))
    lines = [["question", "framework", "moot, s", *(f"{name}, s (÷ moot)" for name in names)]]
    for (task, instance), answers in grouped(rows).items():
        mine = answers[MOOT]["seconds"]
        cells = [cell(answers.get(name), mine) for name in names]
        lines.append([task, instance, "–" if mine is None else f"{mine:.4f}", *cells])
    return lines


def cell(row: Row | None, mine: float | None) -> str:
    if row is None:
        return "–"
    if row["seconds"] is None:
        return str(row["note"])
    ratio = f" ({row['seconds'] / mine:,.1f} ×)" if mine else ""
    return f"{row['seconds']:.4f}{ratio}{' ' + row['note'] if wrong(row) else ''}"


if __name__ == "__main__":
    sys.exit(main())
