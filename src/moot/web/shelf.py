"""All debates of a folder at a glance, newest first: what lists of them show, without reading any log.

What a debate came to is taken from its result, and read again only when that file has changed.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import moot

RUNNING = "running"
LONGEST_LINE = 280
"""Characters of a topic or a decision: on a card either is a line or two."""
_BEGAN = re.compile(r"(\d{8}T\d{6}Z)-")


@dataclass(frozen=True, slots=True)
class Card:
    """One debate. `status` is that of its result, `running` while somebody works on it, else `interrupted`; `decision`
    says in one line what it came to or why it did not. `cost` is None where a model did not say. A debate without a
    result has 0 `entries`, since no log is read here: then the other figures say nothing either."""

    name: str
    topic: str
    protocol: str
    status: str
    decision: str
    began: datetime
    cost: float | None
    calls: int
    seconds: float
    entries: int

    @property
    def live(self) -> bool:
        return self.status == RUNNING


@dataclass(frozen=True, slots=True)
class _Known:
    """A card, and the times of the files that it was made from."""

    at: tuple[int, int]
    card: Card


class Shelf:
    """The cards of one folder. It may be asked from several threads: the worst is that a file is read twice."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: dict[str, _Known] = {}

    def cards(self) -> list[Card]:
        """Every debate, those under way first and then the newest first."""
        runs = moot.list_runs(str(self.folder))
        found = [self._card(run) for run in reversed(runs)]
        for gone in self._known.keys() - {card.name for card in found}:
            self._known.pop(gone, None)
        return sorted(found, key=lambda card: not card.live)

    def _card(self, run: moot.Run) -> Card:
        times = _changed(run.path / "config.yaml"), _changed(run.result_path)
        known = self._known.get(run.name)
        if known is None or known.at != times:
            known = _Known(times, _card_of(run))
            self._known[run.name] = known
        # A debate that is done does not go on, so only the others can be under way.
        if known.card.status != "done" and _busy(run):
            return _as_running(known.card)
        return known.card


def matching(cards: Sequence[Card], query: str = "", protocol: str = "", status: str = "") -> list[Card]:
    """The cards whose topic or name has every word of the query in it, of that protocol and that status."""
    words = query.casefold().split()
    return [
        card
        for card in cards
        if (not protocol or card.protocol == protocol)
        and (not status or card.status == status)
        and all(word in f"{card.topic} {card.name}".casefold() for word in words)
    ]


def decision_of(document: Mapping[str, Any]) -> str:
    """What a result document says was decided, in one line; why there is nothing where that is so."""
    winner, told = document.get("winner"), document.get("decision")
    match document.get("protocol"):
        case "duel" if winner:
            scores = document.get("scores") or {}
            line = f"{winner} wins" + (f", {_figures(scores)}" if scores else "")
        case "persuasion" if winner:
            side = {"PRO": "the proponent", "OPP": "the opponent"}.get(document.get("winning_side") or "", "")
            line = f"{winner}, {side}, wins" if side else f"{winner} wins"
        case "chaired" if document.get("outcome"):
            line = str(document["outcome"]).replace("_", " ").capitalize()
        case "panel" if told and document.get("changes") and document.get("carried"):
            made = [change for change in document["changes"] if change["decision"] == "yes"]
            line = f"{len(made)} of {len(document['changes'])} changes to make"
        case "panel" if told:
            share = document.get("agreement")
            carried = f", {share:.0%} of the weight" if isinstance(share, float) and document.get("carried") else ""
            line = str(told).replace("_", " ").capitalize() + carried
        case "arena" if verdict := document.get("verdict"):
            # First of all: a proposal that was rejected is no decision.
            line = f"{str(verdict).replace('_', ' ').capitalize()}: {told or 'nothing was decided'}"
        case "rejudging" if winner:
            upheld = document.get("upheld")
            line = (
                f"Judged again: {winner} wins{'' if upheld is None else ', as before' if upheld else ', not as before'}"
            )
        case "rejudging" if rules := document.get("recounts"):
            other = sum(not one["same"] for one in rules)
            line = f"Counted again: another result under {other} of {len(rules)} rules"
        case _:
            line = str(document.get("reason") or "Nothing was decided")
    return _line(line)


def _figures(scores: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {'none' if score is None else score}" for name, score in scores.items())


def _card_of(run: moot.Run) -> Card:
    document = run.result()
    if document is None:
        return Card(run.name, *_from_config(run), "interrupted", "", _began(run), None, 0, 0.0, 0)
    spent, receipt = _mapping(document.get("spent")), _mapping(document.get("receipt"))
    topic, protocol = document.get("topic"), document.get("protocol")
    if not (isinstance(topic, str) and isinstance(protocol, str)):
        topic, protocol = _from_config(run)
    cost, seconds = spent.get("cost"), document.get("seconds")
    return Card(
        name=run.name,
        topic=_line(topic),
        protocol=protocol,
        status=str(document.get("status")),
        decision=_decision(document),
        began=_began(run),
        cost=float(cost) if isinstance(cost, int | float) else None,
        calls=_count(spent.get("calls")),
        seconds=float(seconds) if isinstance(seconds, int | float) else 0.0,
        entries=_count(receipt.get("entries")),
    )


def _decision(document: Mapping[str, Any]) -> str:
    """A file can be edited: one that makes no sense must not keep the others from being listed."""
    try:
        return decision_of(document)
    except (AttributeError, KeyError, TypeError):
        return "Its result cannot be read"


def _from_config(run: moot.Run) -> tuple[str, str]:
    """Topic and protocol of a run that has no result to say so."""
    with suppress(moot.MootError, OSError):
        protocol = run.config.protocol.name
        return _line(getattr(run.config.debate, "topic", protocol)), protocol
    return run.name, "unknown"


def _as_running(card: Card) -> Card:
    return Card(
        card.name, card.topic, card.protocol, RUNNING, "", card.began, card.cost, card.calls, card.seconds, card.entries
    )


def _began(run: moot.Run) -> datetime:
    """By its name, which has the moment in it, or by the config, which is never written again."""
    if named := _BEGAN.match(run.name):
        with suppress(ValueError):
            return datetime.strptime(named[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    return datetime.fromtimestamp((run.path / "config.yaml").stat().st_mtime, UTC)


def _busy(run: moot.Run) -> bool:
    with suppress(OSError):
        return run.busy
    return False


def _changed(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_mtime_ns
    return 0


def _line(text: object) -> str:
    line = " ".join(moot.printable(str(text)).split())
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1].rstrip()}…"


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0
