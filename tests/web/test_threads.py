"""What takes long is done beside the loop, and once for all who ask: whoever follows a debate does not wait for it."""

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import Any

import pytest

import moot
from moot.web import following
from moot.web.following import entry_json
from moot.web.pages.progress import progress_of
from tests.kit.library import Runs
from tests.kit.servers import serving
from tests.kit.waiting import PATIENCE

LONG = ("result_of", "export", "plan", "contest", "verify", "seen_by")


def test_nothing_long_is_done_in_the_loop(shelves: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    done: dict[str, set[str]] = {name: set() for name in LONG}

    def watched(name: str) -> Any:
        work = getattr(moot, name)

        @wraps(work)
        def noted(*args: Any, **settings: Any) -> Any:
            done[name].add(threading.current_thread().name)
            return work(*args, **settings)

        return noted

    for name in LONG:
        monkeypatch.setattr(moot, name, watched(name))
    with serving(shelves["duel"].path.parent) as site, site.client() as client:
        duel, fork, talk = (f"/runs/{shelves[name].name}" for name in ("duel", "fork", "persuasion"))
        paths = [f"{duel}?check=1", f"{duel}/read", f"{duel}/as/A?at=5"]
        paths += [f"/compare?a={duel[6:]}&b={fork[6:]}", f"{talk}/contest?strike=A3", f"{talk}/watch"]
        dialogue = f"/api/runs/{shelves['persuasion'].name}"
        for path in [*paths, f"{dialogue}/verify", f"{dialogue}/export/json", f"{dialogue}/seen?agent=proponent"]:
            assert client.get(path).status_code == 200, path
        assert client.post(f"{dialogue}/contest", json={"reject": ["A3"]}).status_code == 200
        assert client.post("/api/plan", json={"topic": "Is it so?"}).status_code == 200
        assert client.post("/start/plan", data={"protocol": "duel", "topic": "Is it so?"}).status_code == 200
    assert all(done.values()), done
    assert "moot-serving" not in set().union(*done.values())


def test_of_many_who_ask_at_once_one_finds_it_out(finished: dict[str, moot.Run]) -> None:
    run = finished["arena"]
    start = threading.Barrier(6)

    def ask() -> object:
        start.wait(PATIENCE)
        return progress_of(moot.Run(run.path))

    with ThreadPoolExecutor(6) as pool:
        found = [one.result() for one in [pool.submit(ask) for _ in range(6)]]
    assert len({id(one) for one in found}) == 1


def test_large_entries_are_not_kept_for_ever(finished: dict[str, moot.Run], monkeypatch: pytest.MonkeyPatch) -> None:
    most, size = 160_000, 10_000
    monkeypatch.setattr(following, "_entries", type(following._entries)(most))
    entry = finished["duel"].entries()[3]
    seen = []
    for number in range(3 * most // size):
        large = entry.model_copy(update={"seq": number, "content": "x" * size})
        assert entry_json(large) == large.model_dump_json().encode()
        seen.append(weakref.ref(large))
        del large
    gc.collect()
    assert sum(one() is not None for one in seen) <= most // size
