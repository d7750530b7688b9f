"""Contesting a run: what its verdict would be with other arguments. No model is asked, and the run stays as it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from moot.errors import ConfigError
from moot.runs import Run

if TYPE_CHECKING:
    from moot.argument.contest import Contest
    from moot.protocols.persuasion.payloads import Framework

WORDS = {"PRO": "the proponent wins", "OPP": "the opponent wins", None: "the moderator would have to decide"}


@dataclass(frozen=True, slots=True)
class Contested:
    """A verdict before and after the edits. `before` and `after` are PRO, OPP, or None where the rules leave it open.

    `given_up` says why the dialogue's own verdict does not hang on the scores: somebody conceded or retracted a root.
    """

    contest: "Contest"
    before: str | None
    after: str | None
    given_up: str | None

    @property
    def moved(self) -> bool:
        return self.before != self.after

    @property
    def summary(self) -> str:
        """What moved, in plain words, a sentence to a line."""
        first, *rest = self.contest.summary.split("\n")
        moved = f"By the scores {WORDS[self.before]}"
        moved += f"; now {WORDS[self.after]}." if self.moved else ", as before."
        lines = [first, moved, *rest]
        if self.given_up:
            lines.append(f"The dialogue itself was not decided by scores: {self.given_up}.")
        return "\n".join(lines)

    def document(self) -> dict[str, Any]:
        from moot.argument.contest import edit_in_words

        return {
            "edits": [edit_in_words(edit) for edit in self.contest.edits],
            "before": self.before,
            "after": self.after,
            "moved": self.moved,
            "given_up": self.given_up,
            "changes": [
                {
                    "argument": change.argument,
                    "before": change.before.score if change.before else None,
                    "after": change.after.score if change.after else None,
                    "in_words": str(change),
                }
                for change in self.contest.changes
            ],
            "converged": self.contest.after.converged,
        }


def contest(
    run: Run,
    *,
    reject: Sequence[str] = (),
    add: Sequence[str] = (),
    attack: Sequence[str] = (),
    undercut: Sequence[str] = (),
    support: Sequence[str] = (),
    weigh: Sequence[str] = (),
) -> Contested:
    """The verdict of a persuasion dialogue with these edits made to its framework.

    `reject` are arguments (`A5`) or relations (`A5:A1`); `add` are `NAME=TEXT`; `attack`, `undercut` and `support` are
    relations to put in (`A9:A1`); `weigh` are new base scores (`A3=0.9`).
    """
    from moot.argument.contest import Add, Edit, Reject, RejectRelation, Relate, Reweigh, edited
    from moot.argument.contest import contest as compare
    from moot.argument.gradual import scores
    from moot.argument.graph import Graph
    from moot.protocols.persuasion.framework import by_scores, graph_from, surviving_sums

    found = _framework(run)
    supports = {(one.source, one.target) for one in found.relations if one.kind == "support"}
    edits: list[Edit] = [Add(name, text=text) for name, text in (_split(one, "=", "NAME=TEXT") for one in add)]
    edits += [Relate(*_relation(one), "rebuttal") for one in attack]
    edits += [Relate(*_relation(one), "undercut") for one in undercut]
    edits += [Relate(*_relation(one), "support") for one in support]
    edits += [Reweigh(name, _weight(value)) for name, value in (_split(one, "=", "A3=0.9") for one in weigh)]
    for one in reject:
        pair = _relation(one) if ":" in one else None
        edits.append(RejectRelation(*pair, "support" if pair in supports else "attack") if pair else Reject(one))
    if not edits:
        raise ConfigError("say what to contest: reject, add, attack, undercut, support or weigh")
    sides = {one.id: one.side for one in found.arguments}

    def verdict(graph: Graph) -> str | None:
        # A root that is rejected is as good as retracted; one that nobody claimed is not.
        phi_gone = found.root not in graph.index
        denial_gone = found.counter_root is not None and found.counter_root not in graph.index
        if phi_gone or denial_gone:
            return None if phi_gone and denial_gone else "OPP" if phi_gone else "PRO"
        own = scores(graph)
        return by_scores(own, found.counter_root, surviving_sums(own, sides))[0]

    graph = graph_from({one.id: one.content for one in found.arguments}, found.relations)
    given_up = found.ended if found.decided_by in ("concession", "retraction") else None
    return Contested(compare(graph, *edits), verdict(graph), verdict(edited(graph, *edits)), given_up)


def _framework(run: Run) -> "Framework":
    outcome = run.config.protocol.outcome(run.entries()) if run.entries() else None
    found = getattr(outcome, "framework", None)
    if found is None:
        raise ConfigError(f"{run.name} has no argument framework to contest: only a persuasion dialogue has one")
    return found  # type: ignore[no-any-return]


def _relation(text: str) -> tuple[str, str]:
    return _split(text, ":", "A5:A1")


def _split(text: str, sign: str, like: str) -> tuple[str, str]:
    first, found, second = (part.strip() for part in text.partition(sign))
    if not (first and found and second):
        raise ConfigError(f"{text!r} should be written like {like}")
    return first, second


def _weight(text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = -1.0
    if not 0 <= weight <= 1:
        raise ConfigError(f"a base score is a number from 0 to 1, not {text!r}")
    return weight
