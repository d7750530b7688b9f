"""What whoever runs the server is told, and how it stands behind a proxy."""

import logging
import threading
from pathlib import Path
from typing import Any

import pytest

from moot.service import host
from tests.kit.openai_clients import BRIEF
from tests.kit.servers import TOKEN, serving

SMALL = {"protocol": "duel", "topic": "Is it so?", "roles": {"A": "human/Robin"}}
PUBLIC = "https://moot.example"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


def test_it_is_alive_though_the_runs_are_away(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "SECONDS_TO_BE_READY", 0.05)
    back = threading.Event()
    with serving(folder, token=TOKEN) as site, site.client() as client:
        site.do(site.host.is_ready())
        assert [client.get(path).status_code for path in ("/healthz", "/version")] == [200, 401]
        assert client.get("/version", headers=BEARER).json().keys() == {"version"}
        monkeypatch.setattr(site.host.store, "reachable", lambda: bool(back.wait()))
        assert [client.get(path).status_code for path in ("/healthz", "/readyz")] == [200, 503]
        back.set()


@pytest.mark.parametrize("lost", [False, True])
def test_it_is_ready_while_the_runs_can_be_reached(out: str, lost: bool) -> None:
    with serving(out) as site, site.client() as client:
        if lost and "://" not in out:
            Path(out).rmdir()
            Path(out).write_text("no folder", "utf-8")
        elif lost:
            store: Any = site.host.store
            store.database.abandon()
            store.database.close()
        assert client.get("/readyz").status_code == (503 if lost else 200)


def test_behind_a_proxy_it_goes_by_its_public_address(folder: Path) -> None:
    with serving(folder, token=TOKEN, public_url=PUBLIC) as site, site.client() as client:
        answer = client.get("/", params={"token": TOKEN}, headers={"Host": "moot.example"})
        assert "Secure" in answer.headers["set-cookie"]
        plan = {"protocol": "duel", "topic": "Is it so?"}
        for origin, status in ((PUBLIC, 200), ("https://evil.example", 403)):
            assert client.post("/api/plan", json=plan, headers={**BEARER, "Origin": origin}).status_code == status
        asked = {"model": "moot/duel", "messages": [{"role": "user", "content": "Is it so?"}], **BRIEF}
        told = client.post("/v1/chat/completions", json=asked, headers=BEARER).json()
        assert f"{PUBLIC}/runs/{told['id']}" in told["choices"][0]["message"]["content"]


@pytest.mark.parametrize(("public", "who"), [("", "127.0.0.1"), (PUBLIC, "10.0.0.7")])
def test_who_started_stopped_and_deleted_what_is_in_its_log(
    folder: Path, caplog: pytest.LogCaptureFixture, public: str, who: str
) -> None:
    caplog.set_level(logging.INFO, "moot.service")
    forwarded = {"X-Forwarded-For": "1.2.3.4, 10.0.0.7"}
    with serving(folder, public_url=public) as site, site.client(headers=forwarded) as client:
        name = client.post("/api/runs", json=SMALL).json()["name"]
        client.post(f"/api/runs/{name}/cancel")
        client.post(f"/api/runs/{name}/cancel")
        client.post(f"/runs/{name}/discard")
        client.post(f"/bin/{name}/restore")
    assert [one.getMessage() for one in caplog.records if one.name == "moot.service.host"] == [
        f"{who} {what} {name}" for what in ("started", "stopped", "deleted", "restored")
    ]
