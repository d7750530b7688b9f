"""The store: the outcomes of debates in one database, one transaction per debate."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from heapq import nlargest
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from moot.engine.define.remembered import Cast, Proposed
from moot.errors import ConfigError
from moot.memory.database import Database, open_database
from moot.memory.ratings import START, Game, Interval, bradley_terry, brier, brier_error, elo_changes
from moot.memory.schema import make_tables
from moot.memory.tiers import Trace
from moot.plugins.extras import require
from moot.text.json import parse_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CANDIDATES = 50
"""How many of the best matches by words and by meaning are combined."""
FEW = 1000
"""The number of debates that are always ranked by words; a fifth of all if that is more."""
MOST_AT_ONCE = 1000
"""The most values in one SQL statement."""
COLUMNS = (
    "id, run, question, decision, verdict, decided_by, confidence, finished, evidence, dissent, receipt, unrated, "
    "winner, proposals"
)
JSON = ("evidence", "dissent", "receipt", "proposals")
BETWEEN = " · "
"""Separates persona and model in the name of what is rated."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a debate. `id` is the hash of its log, so a debate is never counted twice; `decision` and
    `winner`, its author, are empty if nothing was decided, and `unrated` is the reason why nobody was rated. `right` is
    the author of what turned out right, empty if none of the `proposals` did, and None if that is not known."""

    id: str
    run: str
    question: str
    decision: str
    verdict: str
    decided_by: str
    confidence: float | None
    finished: datetime
    evidence: list[str] = field(default_factory=list)
    dissent: list[dict[str, str]] = field(default_factory=list)
    receipt: Mapping[str, Any] = field(default_factory=dict)
    unrated: str | None = None
    winner: str = ""
    proposals: Mapping[str, Proposed] = field(default_factory=dict)
    right: str | None = None

    @property
    def turned_out(self) -> str:
        """What became of it, in words; empty if that is not known."""
        if self.right is None:
            return ""
        if not self.right:
            return f"{'Turned out wrong: n' if self.decision else 'N'}one of the proposals was right."
        right = self.proposals[self.right]
        if self.winner and self.proposals[self.winner].side == right.side:
            return "Turned out right."
        return f"{'Turned out wrong: r' if self.decision else 'R'}ight was {self.right}’s: {right.decision}"

    @property
    def verdict_in_words(self) -> str:
        return self.verdict.replace("_", " ")

    @property
    def reasons(self) -> list[str]:
        """What settled the verdict, and the doubts that were left, from the receipt."""
        doubts = [one["text"] for one in self.receipt.get("doubts") or []]
        return [*(self.receipt.get("reasons") or []), *doubts]


@dataclass(frozen=True, slots=True)
class Meaning:
    """The embedding of a text. Only vectors of the same backend can be compared; a similarity below `least` is no
    match."""

    backend: str
    vector: Sequence[float]
    least: float = -1.0


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the leaderboard, for a persona and a model; `brier` is None before ten votes. `right` counts votes
    that turned out right, out of those where this is `known`."""

    agent: str
    elo: float
    fit: Interval | None
    games: int
    brier: float | None
    brier_error: float | None = None
    right: int = 0
    known: int = 0

    @property
    def persona(self) -> str:
        return self.agent.rpartition(BETWEEN)[0] or self.agent

    @property
    def model(self) -> str:
        return self.agent.rpartition(BETWEEN)[2] if BETWEEN in self.agent else ""

    @property
    def cells(self) -> list[str]:
        """Elo, strength, its interval, games and Brier score, as they are shown."""
        fit = ["", ""] if self.fit is None else [f"{self.fit.rating:.0f}", f"{self.fit.low:.0f} to {self.fit.high:.0f}"]
        return [f"{self.elo:.0f}", *fit, str(self.games), "" if self.brier is None else f"{self.brier:.3f}"]


@dataclass(frozen=True, slots=True)
class Memory:
    """A search result: `fits` is its rank among the results, from 0 to 1, and `trace` the strength of the memory.
    `likeness` is the cosine similarity to the query; None if they cannot be compared."""

    outcome: Outcome
    fits: float
    trace: Trace
    likeness: float | None = None


@contextmanager
def open_store(where: str, *, create: bool = True) -> Iterator["Store"]:
    """Open the store at `postgresql://…` or in a file. Without `create`, NoMemoryYet if it does not exist.

    ConfigError also for a file of another program, and if the database fails during use.
    """
    require("studies")
    database = open_database(where, create=create)
    try:
        make_tables(database)
        yield Store(database)
    except database.error as error:
        raise ConfigError(f"the memory failed: {' '.join(str(error).split())}") from error
    finally:
        database.close()


class Store:
    def __init__(self, database: Database) -> None:
        self._database = database

    def record(
        self,
        outcome: Outcome,
        games: Sequence[Game] = (),
        votes: Mapping[str, Cast] | None = None,
        meaning: Meaning | None = None,
    ) -> bool:
        """Write the rating, calibration, memory and knowledge of one debate, all or nothing; False if it is already
        stored."""
        run = self._database.execute
        with self._database.transaction():
            if run("SELECT 1 FROM debates WHERE id = ?", [outcome.id]):
                return False
            run(f"INSERT INTO debates ({COLUMNS}) VALUES ({', '.join('?' * 14)})", _row(outcome))  # noqa: S608
            counted = "SELECT debate FROM games WHERE debate = ? UNION SELECT debate FROM votes WHERE debate = ?"
            if not run(counted, [outcome.id, outcome.id]):  # otherwise it was forgotten, and has already counted
                self._play(outcome.id, games)
                for agent, cast in (votes or {}).items():
                    right = None if cast.right is None else int(cast.right)
                    run("INSERT INTO votes VALUES (?, ?, ?, ?, ?, ?)", [outcome.id, agent, *cast[:2], right, cast.own])
            run("INSERT INTO memories VALUES (?, 'fast', ?, 0)", [outcome.id, outcome.finished.isoformat()])
            said = _storable("\n".join([outcome.question, outcome.decision, *outcome.evidence]))
            run("INSERT INTO words (debate, said) VALUES (?, ?)", [outcome.id, said])
            if meaning is not None:
                run("INSERT INTO vectors VALUES (?, ?, ?)", [outcome.id, meaning.backend, _packed(meaning.vector)])
        return True

    def _play(self, debate: str, games: Sequence[Game]) -> None:
        run = self._database.execute
        rows = run("SELECT agent, elo, games FROM ratings")
        ratings, played = {agent: elo for agent, elo, _ in rows}, {agent: count for agent, _, count in rows}
        for agent, change in elo_changes(ratings, games).items():
            count = played.get(agent, 0) + sum(agent in (game.one, game.other) for game in games)
            run(
                "INSERT INTO ratings VALUES (?, ?, ?) "
                "ON CONFLICT (agent) DO UPDATE SET elo = excluded.elo, games = excluded.games",
                [agent, ratings.get(agent, START) + change, count],
            )
        for game in games:
            run("INSERT INTO games VALUES (?, ?, ?, ?)", [debate, game.one, game.other, game.score])

    def leaderboard(self) -> list[Standing]:
        """All rated agents, best first, and those known only by their votes, at the starting rating."""
        run = self._database.execute
        fits = bradley_terry(run("SELECT debate, one, other, score FROM games"))
        votes: dict[str, list[tuple[float, float]]] = {}
        turned_out: dict[str, list[bool]] = {}
        for agent, confidence, side, right, own, truth in run(
            "SELECT agent, confidence, side, was_right, own, right_side FROM votes "
            "LEFT JOIN truths ON truths.debate = votes.debate"
        ):
            known = right
            if truth is not None and side is not None:
                turned_out.setdefault(agent, []).append(truth in (side, own))
                known = None if truth == own else side == truth
            if known is not None and confidence is not None:
                votes.setdefault(agent, []).append((confidence, float(known)))
        rows = run("SELECT agent, elo, games FROM ratings")
        rated = {agent for agent, _, _ in rows}
        rows += [(agent, START, 0) for agent in (*votes, *turned_out) if agent not in rated]
        rows = sorted(dict.fromkeys(rows), key=lambda row: (-row[1], row[0]))
        standings = []
        for agent, elo, games in rows:
            said, known = votes.get(agent, []), turned_out.get(agent, [])
            measured = games, brier(said), brier_error(said), sum(known), len(known)
            standings.append(Standing(agent, elo, fits.get(agent), *measured))
        return standings

    def settle(self, debate: str, right: str | None) -> int:
        """Record whose proposal turned out right, None for none of them; a later record replaces an earlier one.
        Returns for how many agents it is now known whether they were right: all that took a side. KeyError for an
        unknown debate, ValueError for an author of no proposal."""
        run = self._database.execute
        with self._database.transaction():
            proposals = self.get(debate).proposals
            if right is not None and right not in proposals:
                raise ValueError(f"there is a proposal of {', '.join(proposals) or 'nobody'}")
            run(
                "INSERT INTO truths VALUES (?, ?) ON CONFLICT (debate) DO UPDATE SET right_side = excluded.right_side",
                [debate, proposals[right].side if right else ""],
            )
            return len(run("SELECT agent FROM votes WHERE debate = ? AND side IS NOT NULL", [debate]))

    def search(self, query: str, meaning: Meaning | None = None, limit: int = 10) -> list[Memory]:
        """The debates that match the query best: those that share a distinctive word with it and, if its meaning is
        given, those that are similar enough."""
        ranks: dict[str, float] = {}
        found, likeness = [self._by_words(query)], self._by_likeness(meaning) if meaning else {}
        if meaning:
            near = [debate for debate, how in likeness.items() if how >= meaning.least]
            found.append(nlargest(CANDIDATES, near, key=likeness.__getitem__))
        for listed in found:
            # Reciprocal rank fusion: ranks can be added, text scores and cosines cannot.
            for rank, debate in enumerate(listed):
                ranks[debate] = ranks.get(debate, 0.0) + 1 / (60 + rank)
        best = sorted(ranks, key=lambda debate: (-ranks[debate], debate))[:limit]
        highest = len(found) / 60
        return [
            Memory(outcome, ranks[outcome.id] / highest, trace, likeness.get(outcome.id))
            for outcome, trace in self._remembered(best)
        ]

    def recall(self, query: str, meaning: Meaning | None, limit: int, now: datetime) -> list[Memory]:
        """The debates to recall for a new one, best match first, then by strength. A faded memory is shortened,
        never left out."""
        found = self.search(query, meaning, CANDIDATES)
        if meaning is not None:
            # A shared word alone, such as “should”, is no match.
            found = [one for one in found if one.likeness is not None and one.likeness >= meaning.least]
        return sorted(found, key=lambda one: (-one.fits, -one.trace.strength(now)))[:limit]

    def mark_used(self, memories: Sequence[Memory], now: datetime) -> None:
        """Strengthen these memories, because they were used again."""
        with self._database.transaction():
            for one in memories:
                after = one.trace.used(now)
                self._database.execute(
                    "UPDATE memories SET tier = ?, last_used = ?, uses = uses + 1 WHERE debate = ?",
                    [after.tier, now.isoformat(), one.outcome.id],
                )

    def strongest(self, limit: int, now: datetime) -> list[Memory]:
        """The strongest memories. All have `fits` 1, because there is no query."""
        rows = self._database.execute("SELECT debate, tier, last_used FROM memories")
        traces = {debate: Trace(tier, datetime.fromisoformat(last_used)) for debate, tier, last_used in rows}
        best = sorted(traces, key=lambda debate: (-traces[debate].strength(now), debate))[:limit]
        return [Memory(outcome, 1.0, trace) for outcome, trace in self._remembered(best)]

    def get(self, debate: str) -> Outcome:
        """The outcome with this id; KeyError if there is none."""
        statement = f"SELECT {COLUMNS}, right_side FROM debates LEFT JOIN truths ON truths.debate = id WHERE id = ?"  # noqa: S608
        rows = self._database.execute(statement, [debate])
        if not rows:
            raise KeyError(debate)
        return _outcome(rows[0])

    def ids(self, start: str) -> list[str]:
        """The ids of debates that start with this prefix."""
        rows = self._database.execute("SELECT id FROM debates WHERE substr(id, 1, ?) = ?", [len(start), start])
        return [row[0] for row in rows]

    def forget(self, debate: str) -> bool:
        """Remove a debate from the memory; earned ratings stay. False if there is none."""
        with self._database.transaction():
            known = bool(self._database.execute("SELECT 1 FROM debates WHERE id = ?", [debate]))
            self._database.execute("DELETE FROM words WHERE debate = ?", [debate])
            self._database.execute("DELETE FROM debates WHERE id = ?", [debate])
        return known

    def _remembered(self, debates: Sequence[str]) -> list[tuple[Outcome, Trace]]:
        """These debates in this order, with the strength of their memories."""
        known: dict[str, tuple[Outcome, Trace]] = {}
        for start in range(0, len(debates), MOST_AT_ONCE):
            some = debates[start : start + MOST_AT_ONCE]
            statement = (
                f"SELECT {COLUMNS}, right_side, tier, last_used FROM debates "  # noqa: S608
                "JOIN memories ON memories.debate = id LEFT JOIN truths ON truths.debate = id "
                f"WHERE id IN ({', '.join('?' * len(some))})"
            )
            for *row, tier, last_used in self._database.execute(statement, some):
                known[row[0]] = _outcome(row), Trace(tier, datetime.fromisoformat(last_used))
        return [known[debate] for debate in debates]

    def _by_words(self, query: str) -> list[str]:
        """Ids by text match; every word of the query is optional, and none is an operator."""
        words = self._telling(list(dict.fromkeys(re.findall(r"\w+", query.casefold())))[:32])
        if not words:
            return []
        if self._database.is_sqlite:
            either = " OR ".join(f'"{word}"' for word in words)
            # Ordering by anything besides the rank would read the text of every match.
            statement = f"SELECT debate FROM words WHERE said MATCH ? ORDER BY rank LIMIT {CANDIDATES}"  # noqa: S608
            return [row[0] for row in self._database.execute(statement, [either])]
        statement = (
            "SELECT debate FROM words, to_tsquery('english', ?) AS query WHERE found_by @@ query "  # noqa: S608
            f"ORDER BY ts_rank(found_by, query) DESC, debate LIMIT {CANDIDATES}"
        )
        return [row[0] for row in self._database.execute(statement, [" | ".join(words)])]

    def _telling(self, words: Sequence[str]) -> Sequence[str]:
        """The words to search for. In a large store these are the rarest, and only as many as can be ranked quickly:
        common words say little about a debate."""
        ((debates,),) = self._database.execute("SELECT count(*) FROM debates")
        if debates <= FEW:
            return words
        has, quote = ("said MATCH ?", '"') if self._database.is_sqlite else ("found_by @@ to_tsquery('english', ?)", "")
        statement = f"SELECT count(*) FROM words WHERE {has}"  # noqa: S608
        having = {word: self._database.execute(statement, [f"{quote}{word}{quote}"])[0][0] for word in words}
        rarest = sorted((word for word in having if having[word]), key=having.__getitem__)
        together = accumulate(having[word] for word in rarest)
        most = max(FEW, debates // 5)
        return [word for word, total in zip(rarest, together, strict=True) if total <= most] or rarest[:1]

    def _by_likeness(self, meaning: Meaning) -> dict[str, float]:
        """The similarity of every comparable debate, by id."""
        import numpy as np

        rows = self._database.execute("SELECT debate, vector FROM vectors WHERE backend = ?", [meaning.backend])
        if not rows:
            return {}
        vectors = np.frombuffer(b"".join([row[1] for row in rows]), np.float16).reshape(len(rows), -1)
        likeness = vectors.astype(np.float32) @ _unit(meaning.vector)
        return dict(zip([row[0] for row in rows], likeness.tolist(), strict=True))


def _row(outcome: Outcome) -> list[Any]:
    """The values of the columns."""
    known: dict[str, Any] = {name: getattr(outcome, name) for name in COLUMNS.split(", ")}
    known |= {name: _storable(known[name]) for name in ("question", "decision")}
    known["finished"] = outcome.finished.isoformat()
    return list((known | {name: json.dumps(known[name], ensure_ascii=False) for name in JSON}).values())


def _outcome(row: Sequence[Any]) -> Outcome:
    known = dict(zip([*COLUMNS.split(", "), "right"], row, strict=True))
    known["finished"] = datetime.fromisoformat(known["finished"])
    known |= {name: parse_json(known[name]) for name in JSON}
    known["proposals"] = {name: Proposed(*one) for name, one in known["proposals"].items()}
    return Outcome(**known)


def _storable(text: str) -> str:
    """The text without NUL, the one character that PostgreSQL rejects."""
    return text.replace("\x00", "\N{REPLACEMENT CHARACTER}")


def _packed(vector: Sequence[float]) -> bytes:
    """The unit vector in half precision: every search reads thousands of them, and only their order matters."""
    import numpy as np

    return _unit(vector).astype(np.float16).tobytes()


def _unit(vector: Sequence[float]) -> "NDArray[np.float32]":
    import numpy as np

    given = np.asarray(vector, np.float32)
    length = float(np.linalg.norm(given))
    return given / np.float32(length) if length else given
