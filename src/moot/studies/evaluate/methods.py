"""The methods of an evaluation as a paragraph for a paper."""

from collections.abc import Mapping
from typing import Any

from moot.stats import Rate
from moot.studies.evaluate.questions import SAMPLED
from moot.studies.evaluate.summary import Evaluation
from moot.studies.evaluate.verdict import percent
from moot.studies.looks import LOOK
from moot.studies.supplement import sampling_words, versions
from moot.text.prose import listed

INDEPENDENT = "Differences of shares are paired: the interval is Tango’s, and the test McNemar’s exact one."
RELATED = (
    "Differences of shares are paired. Questions that were asked several times or belong to groups are clusters: the "
    "interval is that of Student’s t over the clusters (Tango’s with their variance if a method is nearly always right "
    "or wrong, that of a Dirichlet model if the methods differ in few clusters), and the test is the exact one of the "
    "signs of their sums."
)


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
    times = "once" if found.epochs == 1 else f"{found.epochs} times"
    said = [
        f"{found.done} questions of {found.dataset} (SHA-256 {found.sha256}), drawn with seed {found.seed} and each",
        f"asked {times}, were put to {debates} and to {others}. Answers were compared {kinds}{_graded(found)}.",
        f"The models were {', '.join(_models(found, setup))}{_answered(found)}; sampling:",
        f"{sampling_words(setup['sampling'])}.",
        f"Questions were put with {asked_how(setup)}.",
        *_budgets(found),
        RELATED if _are_related(found) else INDEPENDENT,
        f"The level was {level_words(found)}, adjusted after Holm where any of several baselines decides. Answers that",
        "could not be read count as neither right nor wrong.",
    ]
    if any(one.grades["failed"] for one in found.methods):
        told = ", ".join(f"{one.method} on {one.grades['failed']}" for one in found.methods if one.grades["failed"])
        said.append(
            f"Methods failed on questions ({told}): these are in no share, and a verdict had to hold with each of them "
            "counted against it."
        )
    if len(found.looks) > 1:
        looks = listed([str(one) for one in found.looks])
        said.append(f"Tests were made after {looks} questions, those before a last look at a level of {LOOK:g}.")
    if found.earlier_looks:
        said.append(f"By no plan, results were also seen after {', '.join(map(str, found.earlier_looks))} questions.")
    if found.registered:
        when = "after" if found.registered_late else "before"
        said.append(f"The design was registered {when} the first call (SHA-256 {found.registered}).")
    if found.departures:
        said.append(f"Departures from it: {'; '.join(found.departures)}.")
    said.append(f"moot {versions()['moot']} computed all figures from the rows; recompute.py does so again.")
    return " ".join(said)


def _are_related(found: Evaluation) -> bool:
    return any(one.over_all.clusters < one.over_all.questions for one in found.comparisons)


def _answered(found: Evaluation) -> str:
    """The models that answered according to the providers."""
    return f", which answered as {', '.join(found.answered_by)}" if found.answered_by else ""


def _graded(found: Evaluation) -> str:
    """Who graded the answers, if they were not compared with the key."""
    return "" if found.scorer is None else f", and graded by {scorer_words(found.scorer)}"


def scorer_words(scorer: Mapping[str, Any]) -> str:
    """A scorer with its agreement with people."""
    told = str(scorer["scorer"])
    if "checked" not in scorer:
        return f"{told}; not checked against people, so that nothing is known of its errors (--checked)"
    one = Rate.model_validate(scorer["agreement"])
    return (
        f"{told}; agrees with people on {percent(one.rate)} of {one.n} checked answers ({percent(one.low)} to "
        f"{percent(one.high)}), accepted {scorer['accepted_wrong']} wrong ones and refused "
        f"{scorer['refused_right']} right ones"
    )


def _budgets(found: Evaluation) -> list[str]:
    """What the methods of this evaluation were given."""
    names = [one.method for one in found.methods]
    said = [f"A debate had at most {found.budget} tokens for a question."] if found.budget else []
    if "vote" in names:
        said.append(f"A vote is the most frequent of {found.voters} answers.")
    if any(name.startswith(SAMPLED) for name in names):
        cost = ", or, with (cost), as many dollars" if any(name.endswith(" (cost)") for name in names) else ""
        said.append(
            f"Self-consistency had as many tokens in all as the debate it is compared with{cost}, spread evenly over "
            "the questions."
        )
    voted = any(name == "vote" or name.startswith(SAMPLED) or name.endswith("/first") for name in names)
    return [*said, "Tied votes went to the answer given first."] if voted else said


def _models(found: Evaluation, setup: Mapping[str, Any]) -> list[str]:
    """The models of the speakers and of other roles."""
    named = [model for voices in found.voices.values() for models in voices for model in models]
    roles = [
        f"{model} as {role}"
        for role, given in setup["roles"].items()
        for model in _several(given)
        if model not in named
    ]
    return list(dict.fromkeys([*named, *roles])) or ["none"]


def _several(given: Any) -> list[str]:
    return [given] if isinstance(given, str) else list(given)
