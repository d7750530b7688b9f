"""What docs/security.md promises: who may ask, from which page, under which name, how much, and what never leaves."""

import hashlib
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute

import moot
from moot.web.security import LARGEST_BODY, WITH_IMAGES, cookie_of, is_loopback
from tests.kit.endpoint import fail
from tests.kit.servers import TOKEN, Site, following, serving
from tests.kit.waiting import PATIENCE

SMALL = {"protocol": "duel", "topic": "Is it so?", "settings": {"turns": 2, "claim": "It is so."}}
KEY = "sk-a-key-that-nobody-may-see"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[::1", "localhost.evil.example:80"])
def test_other_names_are_refused(site: Site, host: str) -> None:
    with site.client() as client:
        for path in ("/", "/api/runs", "/static/moot.css", "/v1/models"):
            assert client.get(path, headers={"Host": host}).status_code in (400, 421)


@pytest.mark.parametrize("host", ["127.0.0.1/static/?x=", "127.0.0.1#", "evil.example@127.0.0.1", "127.0.0.1:80:80"])
def test_a_host_is_a_name_and_nothing_more(folder: Path, host: str) -> None:
    """What is more would be taken for the path by whoever puts an address together from it."""
    with serving(folder, token=TOKEN) as site, site.client() as client:
        for headers in ({}, {"Authorization": f"Bearer {TOKEN}"}):
            assert client.get("/api/runs", headers={"Host": host, **headers}).status_code in (400, 421)


def test_a_form_of_very_many_fields_is_refused(site: Site) -> None:
    with site.client() as client:
        for path in ("/start", "/start/plan"):
            answer = client.post(path, data={f"f{number}": "x" for number in range(600)})
            assert answer.status_code == 422
            assert "500 fields" in answer.text


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:99", "127.0.0.1:1", "[::1]:80", "192.168.1.2"])
def test_own_names_and_bare_addresses_are_not(site: Site, host: str) -> None:
    with site.client() as client:
        assert client.get("/api/runs", headers={"Host": host}).status_code == 200


def test_a_name_can_be_allowed(folder: Path) -> None:
    with serving(folder, hosts=["moot.example"]) as site, site.client() as client:
        assert client.get("/api/runs", headers={"Host": "Moot.example"}).status_code == 200
        assert client.get("/api/runs", headers={"Host": "other.example"}).status_code == 421


FOREIGN: list[dict[str, str]] = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "file://"},
    {"Origin": "http://[::1"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
]


@pytest.mark.parametrize("headers", FOREIGN)
def test_no_other_page_changes_anything(site: Site, headers: dict[str, str]) -> None:
    with site.client() as client:
        before = client.get("/api/runs").json()["total"]
        for path in changing(site):
            answer = client.post(path, headers=headers, json=SMALL)
            assert answer.status_code == 403, path
            assert "another site" in answer.text.lower()
        assert client.get("/api/runs").json()["total"] == before


def changing(site: Site) -> list[str]:
    """An address for every route that is not only for reading."""
    routes = [route for route in routes_of(site) if (route.methods or set()) - {"GET", "HEAD"}]
    assert len(routes) >= 10
    return [route.path.replace("{name}", "x").replace("{key}", "x") for route in routes]


def routes_of(site: Site) -> list[APIRoute]:
    found: list[APIRoute] = []
    left: list[Any] = list(site.app.routes)
    while left:
        one = left.pop()
        if isinstance(one, APIRoute):
            found.append(one)
        inner = getattr(one, "original_router", None)
        left += inner.routes if inner else []
    return found


def test_own_pages_and_programs_may(site: Site) -> None:
    with site.client() as client:
        for headers in ({}, {"Origin": site.url}, {"Origin": site.url, "Sec-Fetch-Site": "same-origin"}):
            assert client.post("/api/plan", json=SMALL, headers=headers).status_code == 200


@pytest.mark.parametrize("where", ["cross-site", "same-site"])
def test_other_pages_may_link_here_but_not_read(site: Site, where: str) -> None:
    with site.client() as client:
        cross = {"Sec-Fetch-Site": where}
        assert client.get("/", headers=cross | {"Sec-Fetch-Mode": "navigate"}).status_code == 200
        assert client.get("/api/runs", headers=cross | {"Sec-Fetch-Mode": "no-cors"}).status_code == 403
        answer = client.get("/api/runs", headers={"Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in answer.headers


def test_reading_changes_nothing(site: Site, finished: dict[str, moot.Run]) -> None:
    run = finished["persuasion"]

    def state() -> dict[str, str]:
        files = [path for path in run.path.parent.rglob("*") if path.is_file()]
        return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}

    before, asked = state(), 0
    with site.client() as client:
        for route in routes_of(site):
            if "GET" in (route.methods or ()):
                path = route.path.replace("{name}", run.name).replace("{agent}", "Pia").replace("{form}", "json")
                client.get(path.replace("{seq}", "0"), params={"agent": "Pia"})
                asked += 1
        # A GET to what takes a POST is refused.
        assert client.get(f"/api/runs/{run.name}/cancel").status_code == 405
    assert asked > 10
    assert state() == before


def test_every_answer_has_the_headers(site: Site) -> None:
    with site.client() as client:
        for path in ("/", "/api/runs", "/api/nothing", "/nothing", "/static/moot.css", "/v1/models"):
            headers = client.get(path).headers
            policy = headers["content-security-policy"]
            assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
            assert "unsafe" not in policy and "frame-ancestors 'none'" in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "same-origin"
            assert headers["cross-origin-resource-policy"] == "same-origin"
            assert "server" not in headers


def test_a_token_is_asked_for_everywhere(folder: Path) -> None:
    cookie, secret = cookie_of(TOKEN)
    with serving(folder, token=TOKEN) as site, site.client() as client:
        for path in ("/", "/start", "/api/runs", "/api/openapi.json", "/v1/models", "/api/runs/x/follow"):
            for headers in ({}, {"Authorization": "Bearer wrong"}, {"Cookie": f"{cookie}=wrong"}, {"Cookie": ";=;"}):
                answer = client.get(path, headers=headers)
                assert answer.status_code == 401
                assert answer.headers["www-authenticate"] == "Bearer"
                assert TOKEN not in answer.text and secret not in answer.text
        assert client.post("/api/runs", json=SMALL).status_code == 401
        assert client.get("/api/runs", params={"token": "wrong"}).status_code == 401
        assert client.get("/api/runs", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
        assert client.get("/static/moot.css").status_code == 200


def test_a_browser_trades_the_token_for_a_cookie(folder: Path) -> None:
    with serving(folder, token=TOKEN) as site, site.client() as client:
        answer = client.get("/", params={"token": TOKEN, "query": "a b"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/?query=a+b")
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=strict" in cookie and TOKEN not in cookie
        assert client.get("/").status_code == 200
        assert client.post("/api/plan", json=SMALL).status_code == 200
        # A cookie goes with whatever a browser sends, so the page that sends it still has to be ours.
        foreign = {"Origin": "https://evil.example"}
        assert client.post("/api/plan", json=SMALL, headers=foreign).status_code == 403


@pytest.mark.parametrize("path", ["//evil.example/x", "/\\evil.example", "///evil.example", "/%5Cevil.example"])
def test_the_login_leads_nowhere_else(folder: Path, path: str) -> None:
    with serving(folder, token=TOKEN) as site:
        url = httpx.URL(site.url, raw_path=f"{path}?token={TOKEN}".encode())
        location = httpx.get(url, timeout=PATIENCE).headers["location"]
        assert location.startswith("/") and not location.startswith(("//", "/\\"))


def test_bodies_are_limited(site: Site) -> None:
    with site.client() as client:
        large = b'{"topic": "' + b"x" * LARGEST_BODY + b'"}'
        assert client.post("/api/runs", content=b" " * (WITH_IMAGES + 1)).status_code == 413

        def pieces() -> Any:
            for _ in range(30):
                yield b" " * (WITH_IMAGES // 25)

        assert client.post("/api/runs", content=pieces()).status_code == 413
        assert client.post("/runs/any/ask", content=large).status_code == 413
        assert client.post("/v1/chat/completions", content=large).status_code == 413


def test_debates_and_followers_are_limited(folder: Path) -> None:
    waiting = SMALL | {"roles": {"A": "human/Robin"}}
    with serving(folder, at_most=1) as site, site.client() as client:
        follow = client.post("/api/runs", json=waiting).json()["follow"]
        full = client.post("/api/runs", json=waiting)
        assert (full.status_code, full.headers["retry-after"]) == (503, "30")
        assert "1 debates are running" in full.json()["error"]
        site.app.state.followers.most = 1
        with client.stream("GET", follow) as stream:
            assert stream.status_code == 200
            second = client.get(follow)
            assert (second.status_code, second.headers["retry-after"]) == (503, "30")


def test_keys_never_leave(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The endpoint repeats the key in its error; nothing that leaves the server or is kept has it."""
    with serving(
        folder, faults=lambda number, body: fail(401, f"wrong key {KEY}"), environment={"FAKE_API_KEY": KEY}
    ) as site:
        with site.client() as client:
            answer = client.post("/api/runs", json=SMALL)
            texts = [answer.text, client.get("/api/providers").text, client.get("/start").text, client.get("/").text]
            if answer.status_code == 201:
                name = answer.json()["name"]
                assert following(client, f"/api/runs/{name}/follow")[-1][1]["status"] == "failed"
                texts += [client.get(f"/api/runs/{name}{rest}").text for rest in ("", "/entries", "/export/json")]
        heads = site.endpoint.heads
    assert any(KEY in head.get("authorization", "") for head in heads), "it was used"
    texts += [path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()]
    assert not [text for text in texts if KEY in text]
    assert KEY not in "".join(capfd.readouterr())


def test_what_breaks_is_not_shown(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    with serving(folder) as site:
        site.app.state.host = "no host at all"
        with site.client() as client:
            answer = client.get("/api/runs/some-run")
        assert (answer.status_code, answer.json()) == (500, {"error": "something went wrong in the server"})


@pytest.mark.parametrize(
    ("host", "alone"),
    [
        ("127.0.0.1", True),
        ("127.3.2.1", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.1", False),
        ("moot.example", False),
    ],
)
def test_what_counts_as_loopback(host: str, alone: bool) -> None:
    assert is_loopback(host) is alone
