"""`moot serve`: what it refuses, what it prints, and how it ends."""

import os
import re
import signal
from pathlib import Path

import httpx
import pytest

from tests.kit.command import read_until, refused, spawn
from tests.kit.databases import others_database
from tests.kit.waiting import PATIENCE


def test_a_wider_bind_needs_a_token() -> None:
    message = refused("serve", "--host", "0.0.0.0", "--port", "0")
    assert "at your expense" in message
    assert re.search(r"MOOT_TOKEN=\S{32}", message)
    assert "at least 16" in refused("serve", "--host", "0.0.0.0", "--port", "0", "--token", "secret")
    assert "at least 16" in refused("serve", "--port", "0", "--token", "sécrets-of-the-server")


def test_it_serves_until_it_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_TOKEN", "a-token-of-this-test")
    server = spawn("serve", "--port", "0", "--out", "here", "--max-debates", "1")
    assert server.stderr is not None
    told = read_until(server.stderr, "\n")
    found = re.fullmatch(r"Serving here at (http://127\.0\.0\.1:\d+/)\n", told)
    assert found, "and no token, which a service manager would keep"
    headers = {"Authorization": "Bearer a-token-of-this-test"}
    with httpx.Client(base_url=found[1], headers=headers, timeout=PATIENCE) as client:
        started = client.post("/api/runs", json={"topic": "Is it so?", "roles": {"A": "human/me", "B": "human/you"}})
        name = started.json()["name"]
        with client.stream("GET", f"/api/runs/{name}/follow") as stream:
            next(lines := stream.iter_lines())
            server.send_signal(signal.SIGINT)
            rest = "\n".join(lines)
        assert 'event: ended\ndata: {"status": "interrupted"' in rest
    assert server.wait(PATIENCE) == 0
    assert b"Traceback" not in server.stderr.read()
    assert (Path("here") / name / "result.json").exists()
    server.stderr.close()
    if server.stdout:
        server.stdout.close()


def test_the_token_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_TOKEN", "a-token-of-this-test")
    screen, device = os.openpty()
    with spawn("serve", "--port", "0", "--out", "here", stderr=device) as server, os.fdopen(screen, "rb") as shown:
        assert "?token=a-token-of-this-test" in read_until(shown, "\n")
        server.kill()
    os.close(device)


def test_behind_a_proxy_it_needs_a_token_and_an_address() -> None:
    assert "at your expense" in refused("serve", "--port", "0", "--public-url", "https://moot.example.org")
    for wrong in ("moot.example.org", "https://moot.example.org/debates", "ftp://moot.example.org"):
        assert "--public-url is an address" in refused("serve", "--port", "0", "--public-url", wrong)


def test_a_memory_that_is_something_else_is_refused_before_anything_is_served() -> None:
    before = others_database("others.db")
    assert "no memory of moot" in refused("serve", "--port", "0", "--memory", "others.db")
    assert Path("others.db").read_bytes() == before
