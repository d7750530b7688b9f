"""Contesting a run or a graph: its verdict or scores with other arguments. This asks no model and changes nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from moot.argument.contests import (
    Add,
    Contest,
    Edit,
    Reject,
    RejectRelation,
    Relate,
    Reweigh,
    edit_in_words,
    edited,
)
from moot.argument.contests import contest as compare
from moot.argument.exporters import graph_of
from moot.argument.extracted import anchors
from moot.argument.graph import Graph
from moot.engine.define.capabilities import ArgumentMap
from moot.engine.define.contest import Contestable
from moot.engine.staging.runs import Run
from moot.errors import ConfigError

REJECTABLE = {
    "support": ("support",),
    "attack": ("attack", "undercut"),
    "rebut": ("attack",),
    "undercut": ("undercut",),
}
"""The words for a relation to remove, and the kinds that each reaches."""


@dataclass(frozen=True, slots=True)
class Contested:
    """A verdict before and after the edits: the winning side, or None if the rules leave it open; `words` put it as a
    clause, and are empty for a graph that decides nothing.

    `given_up` says why the debate's verdict does not depend on the graph, `consequences` what goes by its rules beside
    what was asked for.
    """

    contest: Contest
    before: str | None
    after: str | None
    words: Mapping[str | None, str]
    given_up: str | None
    consequences: Sequence[str] = ()

    @property
    def moved(self) -> bool:
        return self.before != self.after

    @property
    def summary(self) -> str:
        """The changes in plain words, one sentence per line."""
        return "\n".join(self.sentences())

    def sentences(self) -> list[str]:
        first, *rest = self.contest.sentences()
        if not self.words:
            return [first, *self.consequences, *rest]
        moved = f"By the scores {self.words[self.before]}"
        moved += f"; now {self.words[self.after]}." if self.moved else ", as before."
        lines = [first, *self.consequences, moved, *rest]
        if self.given_up:
            lines.append(f"The debate itself was not decided by scores: {self.given_up}.")
        return lines

    def document(self) -> dict[str, Any]:
        return {
            "edits": [edit_in_words(edit) for edit in self.contest.edits],
            "before": self.before,
            "after": self.after,
            "moved": self.moved,
            "given_up": self.given_up,
            "consequences": list(self.consequences),
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
    subject: Run | Graph,
    *,
    reject: Sequence[str] = (),
    add: Sequence[str] = (),
    attack: Sequence[str] = (),
    undercut: Sequence[str] = (),
    support: Sequence[str] = (),
    weigh: Sequence[str] = (),
) -> Contested:
    """The verdict of a debate with these edits to its argument graph; or the scores of a graph with them.

    A debate that no argument graph decided is contested by the graph that `extract` took from it.

    `reject` are arguments (`A5`) or relations (`A5:A1`, or `A5:A1:undercut` if A5 has several to A1); `add` are
    `NAME=TEXT`; `attack`, `undercut` and `support` are relations to add (`A9:A1`); `weigh` are new base scores
    (`A3=0.9`).
    """
    given = contestable(subject) if isinstance(subject, Run) else undecided(subject)
    named = {part.strip() for one in (*reject, *attack, *undercut, *support) for part in one.split(":")}
    named |= {one.partition("=")[0].strip() for one in weigh}
    for fell in (one for one in given.graph.fallen if one.name in named):
        given.graph.number(fell.name)  # says what became of it
    edits: list[Edit] = [Add(name, text=text) for name, text in (_split(one, "=", "NAME=TEXT") for one in add)]
    edits += [Relate(*_split(one, ":", "A5:A1"), "rebuttal") for one in attack]
    edits += [Relate(*_split(one, ":", "A5:A1"), "undercut") for one in undercut]
    edits += [Relate(*_split(one, ":", "A5:A1"), "support") for one in support]
    edits += [_reweighing(one) for one in weigh]
    edits += _rejections(reject, edited(given.graph, *edits))
    if not edits:
        raise ConfigError("say what to contest: reject, add, attack, undercut, support or weigh")
    result, winner = given.after(edits)
    return Contested(
        contest=compare(given.graph, *edits, result=result),
        before=given.after(())[1],
        after=winner,
        words=given.words,
        given_up=given.given_up,
        consequences=_consequences(edited(given.graph, *edits), result),
    )


def _consequences(asked_for: Graph, result: Graph) -> list[str]:
    """The arguments and relations that go in addition to the rejected ones, by the rules of the debate."""
    gone = [name for name in asked_for.names if name not in result.index]
    told = [f"{name} goes too: nothing that is left backs it." for name in gone]
    left = {(result.names[one], result.names[other], kind) for one, other, kind in result.relations()}
    for one, other, kind in asked_for.relations():
        source, target = asked_for.names[one], asked_for.names[other]
        if (source, target, kind) not in left and source in result.index and target in result.index:
            told.append(
                f"The {kind} of {source} on {target} goes too: the step that it is against has no premise left."
            )
    return told


def contestable(run: Run) -> Contestable:
    """The contestable part of a run: the graph that decided it, else the graph extracted from it; ConfigError if there
    is neither."""
    own = run.config.protocol.get(ArgumentMap)
    if own is None:
        return undecided(graph_of(run), {name: one["speaker"] for name, one in anchors(run).items()})
    subject = own.contest(run.entries())
    if subject is None:
        raise ConfigError(f"{run.name} has no arguments yet that could be contested")
    return subject


def relation_name(graph: Graph, source: str, target: str, kind: str) -> str:
    """How a relation is written: `A5:A1`, and with its kind where the two have more than one relation."""
    several = len(_kinds(graph, source, target)) > 1
    return f"{source}:{target}:{kind}" if several else f"{source}:{target}"


def undecided(graph: Graph, sides: Mapping[str, str] | None = None) -> Contestable:
    """A graph that decides nothing: its scores can be contested."""
    return Contestable(graph, lambda edits: (edited(graph, *edits), None), {}, sides or {})


def _kinds(graph: Graph, source: str, target: str) -> list[str]:
    """The kinds of relation of one argument to another: attack, undercut, support."""

    pair = graph.number(source), graph.number(target)
    return [kind for one, other, kind in graph.relations() if (one, other) == pair]


def _rejections(texts: Sequence[str], graph: Graph) -> list[Edit]:
    """What to remove, each once, and nothing that goes with an argument that is removed."""
    edits = list(dict.fromkeys(_rejection(one, graph) for one in texts))
    gone = {edit.argument for edit in edits if isinstance(edit, Reject)}
    return [edit for edit in edits if isinstance(edit, Reject) or gone.isdisjoint((edit.source, edit.target))]


def _rejection(text: str, graph: Graph) -> Reject | RejectRelation:
    """An argument or a relation to remove. Where two arguments have several relations, the text has to name one."""
    if ":" not in text or text in graph.index:
        return Reject(text)
    ends, _, named = text.rpartition(":") if text.count(":") > 1 else (text, "", "")
    named = named.strip()
    if named and named not in REJECTABLE:
        raise ConfigError(f"{text!r} ends with {named!r}, which is none of {', '.join(REJECTABLE)}")
    source, target = _split(ends, ":", "A5:A1")
    kinds = [kind for kind in _kinds(graph, source, target) if not named or kind in REJECTABLE[named]]
    if not kinds:
        what = f"{named} of {source} on" if named else f"relation of {source} to"
        raise ConfigError(f"there is no {what} {target}")
    if len(kinds) > 1:
        ways = " or ".join(f"{source}:{target}:{kind}" for kind in kinds)
        raise ConfigError(f"{source} is related to {target} in more than one way: say which, {ways}")
    return RejectRelation(source, target, "support" if kinds == ["support"] else "attack")


def _reweighing(text: str) -> Reweigh:
    _split(text, "=", "A3=0.9")
    name, _, value = text.rpartition("=")
    return Reweigh(name.strip(), _weight(value.strip()))


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
