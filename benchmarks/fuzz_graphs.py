"""Mutated graph files in every format that is read: each is read or refused with one line, and never a crash.

    python benchmarks/fuzz_graphs.py [--files N] [--seed N]

What is read is written again in its format and drawn as text. Exit code 1 and the file itself on the first fault.
"""

import argparse
import random
import sys
import time
import warnings

from moot.argument import ArgumentError, Graph, formats, text_map

PIECES = (
    "\n", "\r\n", "\t", " ", "\0", "\ufeff", "\u2028", "🙂", "\ud7ff", '"', "'", "\\", "\\UFFFFFFFF", "\\u0000", "{",
    "}", "[", "]", "<", ">", "(", ")", "---", "--", "->", "_", "+", "*", "#", "//", "/*", "<!--", "&", "===", "%%", "%",
    "1e999",
    "-1", "99999999999999999999", "0.5", "NaN", "null", "true",
    "p af 3", "p af 99999999", "arg(a).", "att(a,a).", "a" * 300,
)  # fmt: skip


def seeds() -> list[tuple[str, str]]:
    """Every format that is read, with everything it can hold."""
    graph = Graph.of(
        ["a", "b c", "p", "q", "[x]"],
        [("b c", "a"), ("a", "b c")],
        [("p", "a"), ("a", "q")],
        undercuts=[("[x]", "a")],
        weights={"a": 0.25, "p": 1e-5},
        texts={"a": "Let us.", "b c": 'It costs "too much": 5 > 3 & more', "p": "Two\nlines"},
    )
    return [(name, formats.write(graph, name)) for name in formats.READABLE]


def mutated(text: str, draw: random.Random) -> str:
    for _ in range(draw.randint(1, 3)):
        place, other = draw.randint(0, len(text)), draw.randint(0, len(text))
        match draw.randrange(5):
            case 0:
                text = text[:place] + draw.choice(PIECES) + text[place:]
            case 1:
                text = text[:place] + text[place + draw.randint(1, 12) :]
            case 2:
                text = text[:place] + text[other : other + draw.randint(1, 60)] + text[place:]
            case 3:
                text = (
                    text[:place] + chr(draw.choice((draw.randrange(128), draw.randrange(0xD800)))) + text[place + 1 :]
                )
            case 4:
                text = text[:place] if draw.random() < 0.2 else text[:place] + text[place:].replace("\n", " ", 1)
    return text


def faults(files: int, seed: int) -> tuple[int, list[tuple[str, str, str]]]:
    """How many files were read, and the format, the text and the error of each crash."""
    draw, known, read, found = random.Random(seed), seeds(), 0, []
    for _ in range(files):
        name, text = draw.choice(known)
        text = mutated(text, draw)
        try:
            graph = formats.read(text, None if draw.random() < 0.1 else name)
            read += 1
            if len(graph) < 1_000:
                text_map(graph)
                formats.write(graph, name)
        except ArgumentError as error:
            if not str(error) or "\n" in str(error):
                found.append((name, text, f"refused in other than one line: {error!r}"))
        except Exception as error:
            found.append((name, text, repr(error)))
    return read, found


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutated graph files.")
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    start = time.perf_counter()
    read, found = faults(options.files, options.seed)
    print(f"{options.files:,} files, {read:,} read, {len(found)} faults, {time.perf_counter() - start:.0f} s")
    for name, text, error in found[:10]:
        print(f"{name}: {error}\n{text!r}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
