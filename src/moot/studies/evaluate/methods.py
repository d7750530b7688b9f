"""The methods of an evaluation as a paragraph for a paper."""

from collections.abc import Mapping
from typing import Any

from moot.studies.evaluate.summary import Evaluation
from moot.studies.supplement import sampling_words, versions


def asked_how(setup: Mapping[str, Any]) -> str:
    """How the questions of an evaluation were put, by its setup."""
    shots = f"{setup['shots']} examples before each" if setup["shots"] else "no examples"
    return f"{shots}; options {'shuffled' if setup['shuffle_options'] else 'in the order of the dataset'}"


def level_words(found: Evaluation) -> str:
    """The level of the tests, which several debates share."""
    several = len(found.verdicts)
    return f"{found.level:g}" + (f", divided by the number of debates ({several})" if several > 1 else "")


def methods_paragraph(found: Evaluation, setup: Mapping[str, Any]) -> str:
    kinds = ", ".join(f"{number} as {kind}" for kind, number in found.kinds.items())
    debates = ", ".join(one.debate for one in found.verdicts) or "none"
    others = ", ".join(one.method for one in found.methods if one.kind != "debate") or "none"
    said = [
        f"{found.done} questions of {found.dataset} (SHA-256 {found.sha256}), drawn with seed {found.seed} and each",
        f"asked {found.epochs} time(s), were put to {debates} and to {others}. Answers were compared {kinds}.",
        f"The models were {', '.join(_models(found))}; sampling: {sampling_words(setup['sampling'])}.",
        f"Questions were put with {asked_how(setup)}.",
        "Self-consistency had as many tokens in all as the debate it is compared with, spread evenly over the",
        "questions; tied votes went to the answer given first. Differences of shares are paired, with Tango’s score",
        f"interval; equality was tested by McNemar’s exact test at a level of {level_words(found)}, adjusted",
        "after Holm where any of several baselines decides. Related questions were treated as clusters, and answers",
        "that could not be read as neither right nor wrong.",
    ]
    if any(one.grades["failed"] for one in found.methods):
        told = ", ".join(f"{one.method} on {one.grades['failed']}" for one in found.methods if one.grades["failed"])
        said.append(
            f"Methods failed on questions ({told}): these are in no share, and a verdict had to hold with each of them "
            "counted against it."
        )
    if len(found.looks) > 1:
        said.append(f"Tests were made after {', '.join(map(str, found.looks))} questions.")
    if found.earlier_looks:
        said.append(f"By no plan, results were also seen after {', '.join(map(str, found.earlier_looks))} questions.")
    if found.registered:
        late = any("after the first call" in one for one in found.departures or [])
        when = "after" if late else "before"
        said.append(f"The design was registered {when} the first call (SHA-256 {found.registered}).")
    if found.departures:
        said.append(f"Departures from it: {'; '.join(found.departures)}.")
    said.append(f"moot {versions()['moot']} computed all figures from the rows; recompute.py does so again.")
    return " ".join(said)


def _models(found: Evaluation) -> list[str]:
    """The models of the speakers, and those that answered according to the providers."""
    named = (model for voices in found.voices.values() for models in voices for model in models)
    return list(dict.fromkeys([*named, *found.answered_by])) or ["none"]
