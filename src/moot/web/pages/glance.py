"""What a reader wants to know of a decision before anything else: how it was reached, who was against it, what it cost,
what failed, and whether debating made a difference."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import moot
from moot.report.page import dollars, minutes


@dataclass(frozen=True, slots=True)
class Fact:
    """A name, what there is to say, and where on the page there is more of it."""

    key: str
    name: str
    text: str
    link: str | None = None


def beside_the_verdict(result: moot.Result, sections: Mapping[str, Any]) -> list[Fact]:
    """The facts, but for those that the verdict of this report tells already."""
    ruling = sections.get("ruling")
    told = {"reached": getattr(ruling, "detail", None), "changed": getattr(ruling, "change", None)}
    return [fact for fact in facts(result, sections) if not told.get(fact.key)]


def facts(result: moot.Result, sections: Mapping[str, Any]) -> list[Fact]:
    """The facts of a result; `sections` are those of its report."""
    document = result.document()
    failed = len(result.failures)
    return [
        Fact("reached", "How it was reached", _reached(document, sections)),
        Fact("votes", "Votes", _votes(document)),
        Fact("dissent", "Dissent", _dissent(document)),
        Fact("cost", "Cost", _cost(result), "#cost"),
        Fact("failed", "What failed", f"{failed} thing{'s' * (failed != 1)}" if failed else "Nothing", "#failed"),
        Fact("changed", "Did debating change anything?", _changed(document, sections)),
    ]


def _reached(document: Mapping[str, Any], sections: Mapping[str, Any]) -> str:
    match document["protocol"]:
        case "duel" if document.get("winner"):
            return "The judge named the winner" if document.get("confirmed") else "By the judge’s figures alone"
        case "arena" if document.get("decided_by"):
            verdict = str(document.get("verdict")).replace("_", " ").capitalize()
            by = "nothing was decided" if document["decided_by"] == "none" else f"by {document['decided_by']}"
            return f"{verdict}, {by}, in round {document.get('round')}"
        case "panel" if document.get("decision"):
            took = f"after {document.get('rounds_taken')} rounds; {document['threshold']:.0%} of the weight was needed"
            return f"By weighted vote, {took}"
        case "chaired" if document.get("decided_by"):
            by = "By the chair" if document["decided_by"] == "chair" else "By the rules alone"
            return f"{by}, after {document.get('rounds')} round{'s' * (document.get('rounds') != 1)}"
        case "persuasion" if document.get("decided_by"):
            decided, scores = str(sections.get("decided") or ""), str(sections.get("scores") or "")
            return f"{decided[:1].upper()}{decided[1:]}" + (f": {scores}" if scores else "")
        case "rejudging" if judges := document.get("judges"):
            return f"By {len(judges)} judge{'s' * (len(judges) != 1)}, who read it again"
        case "rejudging" if document.get("recounts"):
            return "By counting the same votes under other rules"
    return "It was not"


def _votes(document: Mapping[str, Any]) -> str:
    match document["protocol"]:
        case "arena" if document.get("tally"):
            tally = document["tally"]
            counted = ", ".join(f"{name} {float(Fraction(score)):g}" for name, score in tally["scores"].items())
            return f"{counted} ({tally['rule']})"
        case "panel" if document.get("changes"):
            return f"On each of {len(document['changes'])} changes by itself"
        case "panel" if document.get("votes"):
            labels = Counter(vote["label"] or "abstained" for vote in document["votes"])
            return ", ".join(f"{label} {count}" for label, count in labels.most_common())
        case "duel" if any(score is not None for score in (document.get("scores") or {}).values()):
            return "One judge, no vote: " + ", ".join(f"{name} {score}" for name, score in document["scores"].items())
    return "Nobody voted"


def _dissent(document: Mapping[str, Any]) -> str:
    if document["protocol"] == "persuasion":
        return _by_semantics(document)
    names = [one["agent"] for one in document.get("dissent") or []]
    names += [one["persona"] for one in document.get("dissenting_opinions") or []]
    return ", ".join(dict.fromkeys(names)) or "None on record"


def _by_semantics(document: Mapping[str, Any]) -> str:
    """Nobody votes on a framework, but it can be read in several ways."""
    ways, side = document.get("by_semantics") or {}, document.get("winning_side")
    if not ways or side is None:
        return "None on record"
    other = [name for name, winner in ways.items() if winner not in (side, None)]
    undecided = [name for name, winner in ways.items() if winner is None]
    told = [f"{', '.join(other)} would decide otherwise"] * bool(other)
    told += [f"{', '.join(undecided)} would leave it open"] * bool(undecided)
    return f"Of the semantics, {'; '.join(told)}" if told else "None: every semantics agrees"


def _cost(result: moot.Result) -> str:
    spent = result.spent
    told = spent.input is not None and spent.output is not None
    tokens = f"{(spent.input or 0) + (spent.output or 0):,} tokens" if told else "tokens unknown"
    cost = "cost unknown" if spent.cost is None else dollars(spent.cost)
    return f"{cost} · {spent.calls} calls · {tokens} · {minutes(result.seconds)}"


def _changed(document: Mapping[str, Any], sections: Mapping[str, Any]) -> str:
    change = getattr(sections.get("ruling"), "change", None)
    if change:
        return str(change)
    if document["protocol"] == "persuasion":
        given = [len(document.get(kind) or []) for kind in ("concessions", "retractions")]
        return f"{given[0]} concession{'s' * (given[0] != 1)}, {given[1]} retraction{'s' * (given[1] != 1)}"
    return "Not measured here"
