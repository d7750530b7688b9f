"""The JSON API, through a real server: debates are started, read, taken part in, stopped, taken up and contested."""

import json
import shutil
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import pytest

import moot
from moot.engine.define.shipped import OFFERED
from moot.service import host
from moot.testing import ScriptedModel
from tests.kit.duels import CAST, GatedModel, full_script
from tests.kit.servers import MODEL, Site, copied, following, serving

SMALL = {"protocol": "duel", "topic": "Is it so?", "settings": {"turns": 2, "claim": "It is so."}}
ENTRIES = 13


def path(run: moot.Run, rest: str = "") -> str:
    return f"/api/runs/{run.name}{rest}"


def error(answer: httpx.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error"}
    return str(answer.json()["error"])


def test_a_debate_is_started_followed_and_read(folder: Path) -> None:
    with serving(folder) as site, site.client() as client:
        answer = client.post("/api/runs", json=SMALL)
        assert answer.status_code == 201
        name = answer.json()["name"]
        assert answer.json() == {"name": name, "page": f"/runs/{name}", "follow": f"/api/runs/{name}/follow"}
        events = following(client, answer.json()["follow"])
        assert [one["seq"] for kind, one in events if kind == "entry"] == list(range(ENTRIES))
        assert events[-1] == ("ended", {"status": "done", "reason": None})
        read = client.get(f"/api/runs/{name}").json()
    assert (read["status"], read["here"], read["entries"], read["awaiting"]) == ("done", False, ENTRIES, [])
    assert read["topic"] == "Is it so?"
    assert [one["id"] for one in read["cast"]] == ["A", "B", "judge"]
    assert read["result"]["run"] == name, "no path of the server"
    assert str(folder) not in json.dumps(read)
    assert moot.verify(moot.find_run(str(folder / name))).faults == []


OWN_KEYS = (
    "documents, example, max_calls, max_cost, max_minutes, max_tokens, model, protocol, roles, seed, settings, topic"
)


@pytest.mark.parametrize(
    ("path", "body", "why"),
    [
        (
            "/api/plan",
            {"zzz": 1},
            f"the request: unknown key `zzz`: known here: {OWN_KEYS} (what a protocol itself takes",
        ),
        ("/api/runs", {"turns": 2}, "goes into `settings`)"),
        ("/api/plan", {"tpic": "x"}, "the request: unknown key `tpic`: did you mean `topic`?"),
        ("/api/plan", {"topic": 5}, "the request: `topic`: should be a text"),
        ("/api/plan", [1], "the request: should be a mapping of keys to values"),
        ("/api/runs/some/resume", {"zzz": 1}, "known here: max_calls, max_cost, max_minutes, max_tokens"),
        ("/api/runs/some/votes", {"voter": "Zoe"}, "the request: `choice`: missing"),
    ],
)
def test_a_wrong_request_is_told_what_there_is(path: str, body: Any, why: str, site: Site) -> None:
    with site.client() as client:
        told = error(client.post(path, json=body), 422)
    assert why in told
    assert "Extra inputs" not in told


def test_a_debate_from_an_example(folder: Path) -> None:
    with serving(folder) as site, site.client() as client:
        examples = client.get("/api/examples").json()
        chosen = next(one for one in examples if one["protocol"] == "panel")
        plan = client.post("/api/plan", json={"example": chosen["name"]}).json()
        assert plan["protocol"] == "panel" and plan["calls"] > 4
        assert "there is no example" in error(client.post("/api/plan", json={"example": "x"}), 422)
        wrong = {"example": chosen["name"], "protocol": "duel"}
        assert "is a panel, not a duel" in error(client.post("/api/plan", json=wrong), 422)


def test_what_there_is_to_debate_with(site: Site) -> None:
    with site.client() as client:
        protocols = client.get("/api/protocols").json()
        assert [one["name"] for one in protocols] == list(OFFERED)
        assert "turns" in protocols[0]["settings"]["properties"]
        assert protocols[0]["options"]["properties"]["turns"] == {
            "type": "integer",
            "minimum": 2,
            "maximum": 200,
            "description": "Total number of statements.",
            "default": 6,
        }
        assert {one["origin"] for one in protocols} == {None}
        assert all(one["about"] and one["gives"] and one["roles"] for one in protocols)
        providers = {one["name"]: one for one in client.get("/api/providers").json()}
        assert providers["fake"]["configured"]


def test_runs_are_listed_searched_and_paged(site: Site, finished: dict[str, moot.Run]) -> None:
    with site.client() as client:
        listed = client.get("/api/runs").json()
        assert {one["name"] for one in listed["runs"]} == {run.name for run in finished.values()}
        assert (listed["total"], listed["page"], listed["pages"]) == (len(OFFERED), 1, 1)
        (duel,) = client.get("/api/runs", params={"protocol": "duel", "status": "done"}).json()["runs"]
        assert duel["headline"] == "Yes, on the reasons given (8 to 6)"
        assert [flag["code"] for flag in duel["flags"]] == ["running_scores_contradict_winner", "scripted_replies"]
        assert client.get("/api/runs", params={"query": "no such words"}).json()["total"] == 0
        assert client.get("/api/runs", params={"page": 2}).json()["runs"] == []
        error(client.get("/api/runs", params={"status": "asleep"}), 422)


@pytest.mark.parametrize("protocol", OFFERED)
def test_a_finished_run_can_be_read_in_every_way(site: Site, finished: dict[str, moot.Run], protocol: str) -> None:
    run = finished[protocol]
    with site.client() as client:
        whole = client.get(path(run, "/entries")).json()
        assert whole["entries"] == [entry.model_dump(mode="json") for entry in run.readable()]
        rest = client.get(path(run, "/entries?after=3")).json()
        assert rest == {"entries": whole["entries"][4:], "last": whole["last"]}
        assert client.get(path(run, "/verify")).json()["ok"]
        detail = client.get(path(run)).json()
        told = detail["result"]
        assert detail["summary"] == told["summary"] and detail["flags"] == told["flags"] != []
        agent = detail["cast"][0]["name"]
        seen = client.get(path(run, "/seen"), params={"agent": agent}).json()["messages"]
        assert [one["role"] for one in seen[:2]] == ["system", "user"]
        html = client.get(path(run, "/export/html"))
        assert html.headers["content-disposition"] == f"attachment; filename*=UTF-8''{run.name}.html"
        assert "sandbox" in html.headers["content-security-policy"]
        assert json.loads(client.get(path(run, "/export/json")).text)["result"]["status"] == "done"
        assert client.get(path(run, "/export/md")).text.startswith("#")
        graph = client.get(path(run, "/export/dot"))
        if protocol == "persuasion":
            assert graph.text.startswith("digraph")
        else:
            assert "no argument graph" in error(graph, 422)


def test_a_verdict_is_contested(site: Site, finished: dict[str, moot.Run]) -> None:
    with site.client() as client:
        run = finished["persuasion"]
        answer = client.post(path(run, "/contest"), json={"reject": ["A3"]}).json()
        assert (answer["before"], answer["after"], answer["moved"]) == ("PRO", "OPP", True)
        assert "now the case against it is stronger" in answer["summary"]
        assert "should be written like" in error(client.post(path(run, "/contest"), json={"weigh": ["A3"]}), 422)
        assert "say what to contest" in error(client.post(path(run, "/contest"), json={}), 422)


def test_readers_vote_and_leave_notes(folder: Path) -> None:
    with serving(folder) as site, site.client() as client:
        name = client.post("/api/runs", json=SMALL).json()["name"]
        following(client, f"/api/runs/{name}/follow")
        base = f"/api/runs/{name}"
        for voter, choice in (("Zoe", "Ada"), ("Max", "Bo"), ("Zoe", "Bo")):
            assert client.post(f"{base}/votes", json={"voter": voter, "choice": choice}).status_code == 201
        note = client.post(f"{base}/entries", json={"speaker": "Zoe", "content": "Well said."})
        assert note.json() == {"seq": ENTRIES + 3}
        assert client.get(base).json()["reader_votes"] == {"Zoe": "Bo", "Max": "Bo"}
        last = client.get(f"{base}/entries", params={"after": ENTRIES + 2}).json()["entries"]
        assert [(one["type"], one["content"], one["to"]) for one in last] == [("note", "Well said.", [])]
        refused = {"speaker": "Zoe", "content": "I rule.", "type": "verdict"}
        assert "not of the cast" in error(client.post(f"{base}/entries", json=refused), 422)
        judge = client.get(base).json()["cast"][2]["name"]
        assert "not 'reader_vote'" in error(client.post(f"{base}/votes", json={"voter": judge, "choice": "Ada"}), 422)
    assert moot.verify(moot.find_run(str(folder / name))).faults == []


def test_readers_add_so_much_and_no_more(finished: dict[str, moot.Run], tmp_path: Path) -> None:
    (run,) = copied({"duel": finished["duel"]}, tmp_path).values()
    with serving(tmp_path) as own, own.client() as client, patch.object(host, "MOST_OUTSIDE", 3):
        note = {"speaker": "Zoe", "content": "Well said."}
        answers = [client.post(path(run, "/entries"), json=note) for _ in range(4)]
        assert [one.status_code for one in answers] == [201] * 3 + [422]
        assert "takes 3 notes and votes" in error(
            client.post(path(run, "/votes"), json={"voter": "Z", "choice": "Ada"}), 422
        )


def test_an_answer_with_fields(folder: Path) -> None:
    asked = SMALL | {"roles": {"judge": "human/Robin"}}
    with serving(folder) as site, site.client() as client:
        name = client.post("/api/runs", json=asked).json()["name"]
        base = f"/api/runs/{name}"
        both = client.post(f"{base}/answers", json={"key": "x", "text": "a", "fields": {}})
        assert "either" in error(both, 422)
        waiting: list[dict[str, Any]] = []
        while not any(one["schema"] for one in waiting):
            for one in waiting:
                client.post(f"{base}/answers", json={"key": one["key"], "text": "Well argued."})
            waiting = client.get(base).json()["awaiting"]
        key = waiting[0]["key"]
        fields = {"score": 7, "reasoning": "It was clear."}
        assert client.post(f"{base}/answers", json={"key": key, "fields": fields}).status_code == 204
        scores: list[str] = []
        while not scores:
            scores = [one.content for one in site.host.find(name).entries() if one.type == "score"]
        assert "It was clear." in scores[0]


def test_a_debate_is_stopped_and_taken_up(folder: Path) -> None:
    go: list[bool] = []
    model = GatedModel(ScriptedModel(full_script(2)), {"judge/deliberate": lambda: bool(go)}, name=MODEL)
    with serving(folder, models={MODEL: model}) as site, site.client() as client:
        name = client.post("/api/runs", json=SMALL | {"settings": {"turns": 2, "claim": "It is so.", **CAST}}).json()[
            "name"
        ]
        base = f"/api/runs/{name}"
        assert client.get(base).json()["status"] == "running"
        assert "under way" in error(client.get(f"{base}/export/md"), 409)
        assert "already running" in error(client.post(f"{base}/resume"), 409)
        assert client.post(f"{base}/cancel").status_code == 204
        assert client.get(base).json()["status"] == "interrupted"
        assert "not running here" in error(client.post(f"{base}/cancel"), 409)
        # What stands against it is told to whoever asks, though the debate has entries already.
        assert "price of fake/one is unknown" in error(client.post(f"{base}/resume", json={"max_cost": 1}), 422)
        go.append(True)
        assert client.post(f"{base}/resume", json={"max_calls": 50}).status_code == 202
        assert following(client, f"{base}/follow")[-1][1]["status"] == "done"
        assert client.get(base).json()["result"]["winner"] == "Ada"
        assert "is done" in error(client.post(f"{base}/resume"), 409)
        # A page that still offers it leads to the debate.
        assert client.post(f"/runs/{name}/watch/resume").status_code == 303


def test_limits_of_the_server_are_not_exceeded(folder: Path) -> None:
    with serving(folder, environment={"MOOT_MAX_CALLS": "3"}) as site, site.client() as client:
        name = client.post("/api/runs", json=SMALL | {"max_calls": 1000, "max_tokens": 10**6}).json()["name"]
        assert following(client, f"/api/runs/{name}/follow")[-1][1]["status"] == "limit"
        options = site.host.find(name).config.options
        assert (options.max_calls, options.max_tokens, options.max_minutes) == (3, 10**6, 120)
        client.post(f"/api/runs/{name}/resume", json={"max_calls": 1000})
        assert following(client, f"/api/runs/{name}/follow")[-1][1]["status"] == "limit"


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"settings": {"out": "/tmp"}}, "`out` cannot be set from here"),
    ({"settings": {"prices": {}}}, "`prices` cannot be set"),
    ({"protocol": "persuasion", "settings": {"evidence": ["/etc"]}}, "`evidence` cannot be set"),
    ({"protocol": "chaired", "settings": {"evidence": {"pack": "/etc"}}}, "`evidence` cannot be set"),
    ({"settings": {"file": "/etc/passwd"}}, "`file` cannot be set"),
    ({"settings": {"wings": 2}}, "unknown key `wings`"),
    ({"model": "scripted/replies.yaml"}, "read from a file of the server"),
    ({"model": "embedded//etc/passwd"}, "read from a file of the server"),
    ({"model": ["fake/one", "external/ada"]}, "an outside agent"),
    ({"roles": {"judge": "external"}}, "an outside agent"),
    (
        {"protocol": "arena", "settings": {"agents": [{"name": "X", "model": "external"}, {"name": "Y"}]}},
        "outside agent",
    ),
    ({"model": "nowhere/x"}, "there is no provider"),
    ({"roles": {"nobody": "fake/one"}}, "unknown role 'nobody'"),
    ({"topic": ""}, "`topic`"),
    ({"example": "x", "wishes": 1}, "`wishes`"),
    ({"max_cost": "much"}, "`max_cost`"),
]


@pytest.mark.parametrize(("asked", "why"), REFUSED)
def test_what_a_client_may_not_ask_for(site: Site, asked: dict[str, Any], why: str) -> None:
    with site.client() as client:
        assert why in error(client.post("/api/runs", json={**SMALL, "settings": {}, **asked}), 422)
        assert client.get("/api/runs").json()["total"] == len(OFFERED)


@pytest.mark.parametrize("name", ["nothing", "20300101T000000Z-no-such", "a.b", "..%2F..%2Fetc", "x" * 200])
def test_runs_that_are_not_there(site: Site, name: str) -> None:
    with site.client() as client:
        for rest in ("", "/entries", "/follow", "/verify", "/seen?agent=x", "/export/md"):
            answer = client.get(f"/api/runs/{name}{rest}")
            assert answer.status_code in (404, 422)
            assert set(answer.json()) == {"error"}


def test_a_damaged_run_is_told_and_not_thrown(tmp_path: Path, finished: dict[str, moot.Run]) -> None:
    copy = tmp_path / "damaged"
    shutil.copytree(finished["duel"].path, copy)
    log = copy / "log.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"seq":3,', b'"seq":4,', 1))
    with serving(tmp_path) as site, site.client() as client:
        for rest in ("", "/entries", "/export/md", "/seen?agent=Ada"):
            message = error(client.get(f"/api/runs/damaged{rest}"), 409)
            assert "has seq 4" in message and str(tmp_path) not in message
        assert not client.get("/api/runs/damaged/verify").json()["ok"]
        kind, ended = following(client, "/api/runs/damaged/follow")[-1]
        assert (kind, ended["status"]) == ("ended", "failed")
