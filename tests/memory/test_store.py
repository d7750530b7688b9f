"""The store, over SQLite and over a real PostgreSQL alike."""

import math
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from moot.engine.define.remembered import Cast, Proposed
from moot.errors import ConfigError
from moot.memory import database as databases
from moot.memory.database import NoMemoryYet, open_database
from moot.memory.ratings import Game
from moot.memory.store import Meaning, Outcome, Standing, Store, open_store
from tests.kit.databases import others_database
from tests.kit.processes import in_process
from tests.kit.waiting import PATIENCE

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
GAMES = [Game("ada", "bo", 1.0), Game("ada", "cy", 1.0), Game("bo", "cy", 0.5)]


def outcome(number: int, question: str = "Should we cache?", decision: str = "Cache it.") -> Outcome:
    return Outcome(
        id=f"{number:064x}",
        run=f"debates/{number}",
        question=question,
        decision=decision,
        verdict="approved",
        decided_by="vote and judge",
        confidence=0.9,
        finished=NOW + timedelta(minutes=number),
        evidence=["Latency fell by 40 %."],
        dissent=[{"agent": "cy", "reason": "“It’s stale.”"}],
        receipt={"log_sha256": "abc"},
        winner="Ada",
        proposals={
            "Ada": Proposed("Cache it.", "Ada"),
            "Bo": Proposed("Buy.", "Bo"),
            "Cy": Proposed("Wait.", "Cy"),
            "Di": Proposed("Do cache it.", "Ada"),
        },
    )


def test_what_is_recorded_is_found_again_whole(where: str) -> None:
    with open_store(where) as store:
        assert store.record(outcome(1), GAMES, {"ada": Cast(0.8, "ada", True)}, Meaning("test", [1.0, 0.0]))
    with open_store(where) as store:
        assert store.get(outcome(1).id) == outcome(1)
        assert [one.outcome for one in store.search("caching")] == [outcome(1)], "words are stemmed"
        with pytest.raises(KeyError):
            store.get("none")


def test_a_debate_counts_once(where: str) -> None:
    with open_store(where) as store:
        store.record(outcome(1), GAMES)
        before = store.leaderboard()
        assert not store.record(outcome(1), GAMES)
        assert store.leaderboard() == before
    assert [(one.agent, one.games) for one in before] == [("ada", 2), ("bo", 2), ("cy", 2)]
    assert before[0].elo == pytest.approx(1500 + 32 / 3)
    assert before[0].fit is not None and before[0].fit.low < before[0].fit.rating < before[0].fit.high


def test_calibration_shows_after_ten_votes(where: str) -> None:
    with open_store(where) as store:
        for number in range(10):
            assert all(one.brier is None for one in store.leaderboard())
            store.record(outcome(number), [Game("ada", "bo", 0.5)], {"ada": Cast(0.8, "ada", number < 8)})
        assert {one.agent: one.brier for one in store.leaderboard()} == {"ada": pytest.approx(0.16), "bo": None}


def test_words_and_meaning_find_together_what_either_misses(where: str) -> None:
    with open_store(where) as store:
        store.record(outcome(1, "Should we use a queue?", "Use one."), meaning=Meaning("test", [0.0, 1.0]))
        store.record(outcome(2, "Is a cache worth it?", "No."), meaning=Meaning("test", [1.0, 0.1]))
        store.record(outcome(3, "Tabs or spaces?", "Spaces."), meaning=Meaning("other", [1.0, 0.0]))
        store.record(outcome(4, "Where do we log?", "To a file."))
        found = store.search("queue", Meaning("test", [1.0, 0.0]))
        assert [one.outcome.id for one in found] == [outcome(1).id, outcome(2).id]
        assert all(0 < one.fits <= 1 for one in found)
        assert store.search("zebra") == []


def test_words_that_very_many_debates_have_are_left_out_where_there_are_others(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("moot.memory.store.FEW", 3)
    with open_store(where) as store:
        store.record(outcome(0, "Could it be sharded?", "Shard."))
        for number in range(1, 6):
            store.record(outcome(number, "Could it be replicated?", "Replicate."))
        assert [one.outcome.id for one in store.search("replicate or shard")] == [outcome(0).id]
        assert len(store.search("replicate")) == 5, "there is nothing rarer to look for"
        assert [one.outcome.id for one in store.search("shard zebra")] == [outcome(0).id]
        assert len(store.search("the replicate zebra")) == 5, "nor is a word that no debate has"


@pytest.mark.parametrize(
    "query", ['"', "a AND (b", "cache'; DROP TABLE debates; --", "* NEAR/3 ^", "", "%s ?", "x:y & !z"]
)
def test_a_query_is_words_and_nothing_else(where: str, query: str) -> None:
    with open_store(where) as store:
        store.record(outcome(1, query or "?", query or "?"))
        store.search(query)
        assert store.get(outcome(1).id).question == (query or "?")


def test_what_is_recalled_lasts_and_what_is_not_fades(where: str) -> None:
    with open_store(where) as store:
        store.record(outcome(0))
        store.mark_used(store.recall("cache", None, 3, NOW + timedelta(hours=2)), NOW + timedelta(hours=2))
        (again,) = store.recall("cache", None, 3, NOW + timedelta(hours=50))
        assert again.trace.tier == "medium"
        assert again.trace.strength(NOW + timedelta(hours=26)) == pytest.approx(0.5)
        store.record(outcome(1, "Should we shard?", "Shard."))
        (faded,) = store.recall("shard", None, 3, NOW + timedelta(days=2))
        assert faded.trace.strength(NOW + timedelta(days=2)) < 0.05, "faded, and there all the same"


def test_only_what_has_to_do_with_it_is_recalled(where: str) -> None:
    with open_store(where) as store:
        store.record(outcome(0, "Should we cache?"), meaning=Meaning("test", [1.0, 0.0]))
        store.record(outcome(1, "Should we dance?"), meaning=Meaning("test", [0.0, 1.0]))
        query = Meaning("test", [0.0, 1.0], least=0.3)
        assert [one.outcome.id for one in store.recall("Should we cache?", query, 3, NOW)] == [outcome(1).id]
        assert len(store.search("Should we cache?", query)) == 2, "by their words"


def test_what_has_nothing_to_do_with_a_query_is_not_found(where: str) -> None:
    with open_store(where) as store:
        store.record(outcome(0, "Should we cache?"), meaning=Meaning("test", [1.0, 0.0]))
        store.record(outcome(1, "Should we dance?"), meaning=Meaning("test", [0.6, 0.8]))
        store.record(outcome(2, "Is it a zebra?"), meaning=Meaning("other", [1.0, 0.0]))
        (found,) = store.search("memoise", Meaning("test", [1.0, 0.0], least=0.7))
        assert found.outcome.id == outcome(0).id
        assert found.likeness == pytest.approx(1, abs=1e-3)
        assert store.search("茶", Meaning("test", [-1.0, 0.0], least=0.7)) == []
        by_word = store.search("zebra dance", Meaning("test", [0.0, 1.0], least=0.9))
        assert {one.outcome.id: one.likeness for one in by_word} == {
            outcome(1).id: pytest.approx(0.8, abs=1e-3),
            outcome(2).id: None,
        }


def test_a_text_may_have_any_character(where: str) -> None:
    with open_store(where) as store:
        store.record(outcome(0, "Is it \x00 so? 🦉 \u202e", "Yes\x00."))
        assert store.get(outcome(0).id).question == "Is it \ufffd so? 🦉 \u202e"


def test_forgetting_leaves_ratings(where: str) -> None:
    with open_store(where) as store:
        for number in range(2, 12):
            store.record(outcome(number, "Tabs?", "No."), GAMES[:1], {"ada": Cast(0.5, "ada", True)})
        store.record(outcome(1), GAMES, {"ada": Cast(0.5, "ada", True)}, Meaning("test", [1.0]))
        before = store.leaderboard()
        assert store.forget(outcome(1).id)
        assert store.leaderboard() == before
        assert store.record(outcome(1), GAMES, {"ada": Cast(0.5, "ada", True)}, Meaning("test", [1.0]))
        assert store.leaderboard() == before, "remembered again, it does not count again"
        assert store.forget(outcome(1).id)
        assert not store.forget(outcome(1).id)
        assert store.search("cache", Meaning("test", [1.0])) == []
        assert {one.agent for one in store.leaderboard()} == {"ada", "bo", "cy"}


def _write_and_die(where: str, number: int, statements: int) -> None:
    """Record a debate, and be killed after that many statements."""
    database = open_database(where)
    store, left = Store(database), [statements]
    execute = database.execute

    def counted(*args: object) -> object:
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        return execute(*args)  # type: ignore[arg-type]

    database.execute = counted  # type: ignore[assignment]
    store.record(outcome(number), GAMES, {"ada": Cast(0.8, "ada", True)}, Meaning("test", [1.0]))


def test_killed_at_any_statement_nothing_is_half_written(where: str) -> None:
    _apart(_die_at_every_statement, where)


def _apart(work: Callable[[str], None], where: str) -> None:
    """Do it in a process with one thread, since it forks."""
    in_process(where, code=f"import sys; from {__name__} import {work.__name__} as work; work(sys.argv[1])")


def _die_at_every_statement(where: str) -> None:
    with open_store(where) as store:
        store.record(outcome(0), GAMES)
    survived = 0
    for number in range(1, 40):
        child = os.fork()
        if child == 0:
            _write_and_die(where, number, number - 1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        with open_store(where) as store:
            database = store._database
            debates = database.execute("SELECT count(*) FROM debates")[0][0]
            assert database.execute("SELECT count(*) FROM games")[0][0] == 3 * debates
            assert database.execute("SELECT count(*) FROM memories")[0][0] == debates
            assert database.execute("SELECT count(*) FROM words")[0][0] == debates
            assert database.execute("SELECT DISTINCT games FROM ratings") == [(2 * debates,)]
        assert status in (0, signal.SIGKILL)
        if status == 0:
            survived += 1
            if survived == 2:
                return
    raise AssertionError("no write was let through")


def test_writers_at_the_same_time_lose_nothing(where: str) -> None:
    with open_store(where):
        pass
    _apart(_write_at_the_same_time, where)
    with open_store(where) as store:
        assert {one.games for one in store.leaderboard()} == {2 * 60}
        assert math.isclose(sum(one.elo for one in store.leaderboard()), 4500)


def _write_at_the_same_time(where: str) -> None:
    databases.SECONDS_TO_WAIT = int(PATIENCE)
    writers = []
    for first in (100, 200, 300):
        writers.append(os.fork())
        if writers[-1] == 0:
            with open_store(where) as store:
                for number in range(first, first + 20):
                    store.record(outcome(number), GAMES)
            os._exit(0)
    assert [os.waitpid(writer, 0)[1] for writer in writers] == [0, 0, 0]


def test_a_store_of_another_version_is_refused(where: str) -> None:
    with open_store(where) as store:
        store._database.execute("UPDATE moot_memory SET version = 99")
    with pytest.raises(ConfigError, match="version 99"), open_store(where):
        pass


def test_reading_makes_no_memory(where: str) -> None:
    if "://" not in where:
        Path(where).touch()
    for _ in range(2):
        with pytest.raises(NoMemoryYet, match="no memory"), open_store(where, create=False):
            pass
    with open_store(where) as store:
        store.record(outcome(1))
    with open_store(where, create=False) as store:
        assert store.get(outcome(1).id) == outcome(1)


@pytest.mark.parametrize("create", [True, False])
def test_a_database_of_something_else_is_left_as_it_is(tmp_path: Path, create: bool) -> None:
    path = tmp_path / "theirs.db"
    before = others_database(str(path))
    with pytest.raises(ConfigError, match="no memory of moot"), open_store(str(path), create=create):
        pass
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_server_may_hold_other_tables(database: str) -> None:
    others = open_database(database)
    others.execute("CREATE TABLE invoices (id INTEGER PRIMARY KEY)")
    with pytest.raises(NoMemoryYet), open_store(database, create=False):
        pass
    with open_store(database) as store:
        assert store.record(outcome(1))
    others.close()


def test_a_store_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no database")
    for bad in (tmp_path / "file", tmp_path / "file" / "below", tmp_path):
        with pytest.raises(ConfigError, match="memory at"), open_store(str(bad)):
            pass
    for password in ("secret", "a@secret", "secret%zz", "a/secret", "a?secret"):
        with pytest.raises(ConfigError, match="cannot be reached") as refused:
            open_database(f"postgresql://user:{password}@127.0.0.1:1/none")
        assert "secret" not in str(refused.value)
    with pytest.raises(ConfigError, match="Connection refused"):
        open_database("postgresql://user:secret@127.0.0.1:1/none")
    with pytest.raises(ConfigError, match="SQLite file, or postgresql"):
        open_database("mysql://user:secret@localhost/none")


def test_what_turned_out_right_takes_the_place_of_the_judges_word_for_all_who_took_a_side(tmp_path: Path) -> None:
    """The judges put something else first; who dissented and was right gains, however often the others won."""
    votes = {"ada": Cast(0.9, "Ada", False), "bo": Cast(0.9, "Bo", True), "cy": Cast(0.8, "Cy", False)}
    with open_store(str(tmp_path / "memory.db")) as store:
        for number in range(10):
            store.record(outcome(number), [Game("ada", "bo", 0.5)], votes)
        before = {one.agent: one.brier for one in store.leaderboard()}
        assert before == {"ada": pytest.approx(0.81), "bo": pytest.approx(0.01), "cy": pytest.approx(0.64)}
        for number in range(10):
            assert store.settle(outcome(number).id, "Cy") == 3
        after = {one.agent: one.brier for one in store.leaderboard()}
        assert after == {"ada": pytest.approx(0.81), "bo": pytest.approx(0.81), "cy": pytest.approx(0.04)}
        known = {one.agent: (one.right, one.known) for one in store.leaderboard()}
        assert known == {"ada": (0, 10), "bo": (0, 10), "cy": (10, 10)}
        store.settle(outcome(0).id, "Di")  # which decides the same as Ada's
        store.settle(outcome(1).id, None)
        assert {one.agent: one.right for one in store.leaderboard()} == {"ada": 1, "bo": 0, "cy": 8}
        with pytest.raises(KeyError):
            store.settle("unknown", None)
        with pytest.raises(ValueError, match="a proposal of Ada, Bo, Cy, Di"):
            store.settle(outcome(0).id, "Eve")


def test_who_could_not_vote_for_its_own_was_right_if_that_was(tmp_path: Path) -> None:
    """Its confidence in another says nothing then."""
    votes = {"ada": Cast(0.9, "Bo", True, "Ada"), "bo": Cast(0.9, "Ada", None, "Bo"), "cy": Cast(0.9, "Bo", True, "Cy")}
    with open_store(str(tmp_path / "memory.db")) as store:
        for number in range(10):
            store.record(outcome(number), [], votes)
            store.settle(outcome(number).id, "Ada")
        known = {rated.agent: (rated.right, rated.brier) for rated in store.leaderboard()}
    assert known == {"ada": (10, None), "bo": (10, pytest.approx(0.01)), "cy": (0, pytest.approx(0.81))}


def test_who_was_right_is_known_of_those_whom_nobody_rated(tmp_path: Path) -> None:
    """No stable judge, or an early consensus without any: there are no games, and the world answers all the same."""
    votes = {"ada": Cast(None, "Ada"), "bo": Cast(0.9, "Bo"), "cy": Cast(0.9, None)}
    with open_store(str(tmp_path / "memory.db")) as store:
        store.record(outcome(0), [], votes)
        assert store.leaderboard() == []
        assert store.settle(outcome(0).id, "Ada") == 2
        known = [(one.agent, one.elo, one.games, one.right, one.known) for one in store.leaderboard()]
        assert known == [("ada", 1500.0, 0, 1, 1), ("bo", 1500.0, 0, 0, 1)]
        store.forget(outcome(0).id)
        store.record(outcome(0), [], votes)
        assert [(one.agent, one.right, one.known) for one in store.leaderboard()] == [("ada", 1, 1), ("bo", 0, 1)]


@pytest.mark.parametrize(
    ("winner", "right", "words"),
    [
        ("Ada", "Di", "Turned out right."),
        ("Ada", "Bo", "Turned out wrong: right was Bo’s: Buy."),
        ("Ada", None, "Turned out wrong: none of the proposals was right."),
        ("", "Bo", "Right was Bo’s: Buy."),
        ("", None, "None of the proposals was right."),
    ],
)
def test_what_became_of_a_decision(where: str, winner: str, right: str | None, words: str) -> None:
    with open_store(where) as store:
        store.record(replace(outcome(0), winner=winner, decision="Cache it." if winner else ""))
        assert store.get(outcome(0).id).turned_out == ""
        store.settle(outcome(0).id, right)
        (found,) = store.search("cache")
        assert [store.get(outcome(0).id).turned_out, found.outcome.turned_out] == [words, words]


def test_what_is_rated_is_a_persona_through_a_model() -> None:
    one = Standing("Ada · openai/gpt-5", 1500.0, None, 0, None)
    assert (one.persona, one.model) == ("Ada", "openai/gpt-5")
