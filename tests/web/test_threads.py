"""What takes long is done beside the loop, and once for all who ask: whoever follows a debate does not wait for it."""

import threading
from functools import wraps
from typing import Any

import pytest

import moot
from tests.kit.library import Runs
from tests.kit.servers import serving

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
