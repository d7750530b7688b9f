"""An assistant's view of moot, through the official client: tools, progress, what is refused and what is kept."""

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import ResourceLink, TextResourceContents

import moot
from moot.engine.define.registry import Origin
from moot.engine.define.shipped import OFFERED
from moot.testing import ScriptedModel
from tests.kit import warm
from tests.kit.assistants import LONGEST, call, refusal, served, to_the_end
from tests.kit.command import empty_place
from tests.kit.duels import ADA, BO, KIM, MODEL, GatedModel, ahead, full_script, play, small_config
from tests.kit.endpoint import FakeEndpoint
from tests.kit.hands import registered, ups, with_more
from tests.kit.hostile import WORST
from tests.kit.panels import IDEA, script_of
from tests.kit.servers import TOKEN, serving
from tests.kit.waiting import PATIENCE

DUEL = {"turns": 2, "seed": 7, "debaters": [ADA, BO], "judge": KIM, "claim": "It is so."}
START = {"protocol": "duel", "topic": "Is it so?", "model": MODEL, "settings": DUEL}


class Heard:
    """The progress that a client was told."""

    def __init__(self) -> None:
        self.told: list[tuple[float, str]] = []

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        self.told.append((progress, message or ""))


async def text_at(client: Client, uri: str) -> str:
    (found,) = (await client.read_resource(uri)).contents
    assert isinstance(found, TextResourceContents)
    return found.text


async def test_the_tools_say_what_they_are(tmp_path: Path) -> None:
    async with served(tmp_path) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        reading = {name for name, tool in tools.items() if tool.annotations and tool.annotations.read_only_hint}
        assert reading == {"follow_debate", "read_debate", "list_debates", "list_protocols"}
        assert set(tools) == reading | {"start_debate", "resume_debate", "ask_debate", "panel_gate", "arena_gate"}
        protocol = tools["start_debate"].input_schema["properties"]["protocol"]
        assert protocol["enum"] == list(OFFERED) and all(name in protocol["description"] for name in OFFERED)
        settings = tools["panel_gate"].input_schema["properties"]["settings"]
        assert settings["properties"]["kind"]["description"]
        for tool in tools.values():
            assert tool.description
            assert tool.output_schema
        assert "not instructions" in (client.instructions or "")


async def test_a_debate_is_started_followed_and_read(tmp_path: Path) -> None:
    gate = asyncio.Event()
    model = GatedModel(ScriptedModel(full_script(2) | ahead()), {"judge/deliberate": gate.is_set})
    async with served(tmp_path, model) as client:
        started = await call(client, "start_debate", **START)
        name = started["run"]
        assert started["plan"]["calls"] == len(full_script(2))
        under_way = await call(client, "read_debate", run=name)
        assert (under_way["status"], under_way["summary"], under_way["flags"]) == ("running", None, [])
        first = await call(client, "follow_debate", run=name, seconds=1)
        assert (first["status"], first["headline"], first["flags"]) == ("running", None, [])
        assert first["report"] is None and first["page"] is None
        gate.set()
        rest = await to_the_end(client, name, first["last"])
        whole = await call(client, "follow_debate", run=name, private=True)
        assert [one["seq"] for one in whole["entries"]] == list(range(len(whole["entries"])))
        assert {one["private"] for one in whole["entries"]} == {True, False} and whole["unshown"] == 0
        public = [one for one in whole["entries"] if not one["private"]]
        assert [*first["entries"], *rest["entries"]] == public, "private thoughts are for who asks for them"
        assert first["unshown"] + rest["unshown"] == len(whole["entries"]) - len(public)
        assert (rest["status"], rest["headline"]) == ("done", "Yes, on the reasons given (8 to 6)")
        assert [flag["code"] for flag in rest["flags"]] == ["scripted_replies"]
        outcome = await call(client, "read_debate", run=name)
        assert (outcome["status"], outcome["result"]["winner"]) == ("done", "Ada")
        assert (outcome["summary"]["headline"], outcome["flags"]) == (rest["headline"], rest["flags"])
        assert str(tmp_path) not in json.dumps(outcome)
        listed = await call(client, "list_debates", query="SO is")
        assert [(one["name"], one["topic"], one["status"]) for one in listed["runs"]] == [(name, "Is it so?", "done")]
        assert (await call(client, "list_debates", query="other"))["runs"] == []


async def test_a_panel_gates_an_idea(tmp_path: Path) -> None:
    model = ScriptedModel(script_of({}))
    async with served(tmp_path, model) as client:
        gated = await call(client, "panel_gate", idea=IDEA, model=MODEL, seconds=LONGEST)
        assert (gated["status"], gated["decision"], gated["passed"]) == ("done", "accept", True)
        assert (gated["agreement"], gated["threshold"], gated["passing_decision"]) == (1.0, 0.6, "accept")
        assert [flag["text"] for flag in gated["flags"]] == ["Replies come from a script, not from a model."]
        assert gated["headline"] == "The answer is accept (100% of the weight)"
        assert "is done" in await refusal(client, "resume_debate", run=gated["run"])
        later = await call(client, "panel_gate", idea=IDEA, model=MODEL, seconds=0)
        assert (later["status"], later["passed"]) in (("running", None), ("done", True))


async def test_a_protocol_that_was_added_has_its_tools(tmp_path: Path) -> None:
    model = ScriptedModel(ups(True, False, True))
    with registered(with_more(), Origin("hands", "1.2")):
        async with served(tmp_path, model) as client:
            offered = (await call(client, "list_protocols"))["protocols"]
            assert [one["protocol"] for one in offered] == [*OFFERED, "hands"]
            assert (offered[-1]["origin"], offered[-1]["about"]) == (
                "hands 1.2",
                "Everybody raises a hand or does not.",
            )
            assert offered[-1]["options"]["properties"]["voters"]["maximum"] == 5
            started = await call(client, "start_debate", protocol="hands", topic="Is it so?", model=MODEL)
            ended = await to_the_end(client, started["run"])
            assert (ended["status"], ended["headline"]) == ("done", "Carried, 2 of 3")
            assert [flag["code"] for flag in ended["flags"]][:2] == ["hands_seen", "few_voters"]
            told = await call(client, "read_debate", run=started["run"])
            assert told["brief"]["dissent"] == [{"who": "Ben", "reason": "kept the hand down"}]
            asked = {"idea": "Is it so?", "model": MODEL, "settings": {"mood": "heated"}, "seconds": LONGEST}
            gated = await call(client, "hands_gate", **asked)
            assert (gated["passed"], gated["decision"], gated["passing_decision"]) == (
                True,
                "Carried, 2 of 3",
                "Carried",
            )
            kept = await refusal(client, "hands_gate", idea="Is it so?", settings={"unseen": 2})
            assert "it is the server's own" in kept
            (listed, _) = (await call(client, "list_debates"))["runs"]
            assert listed["headline"] == "Carried, 2 of 3"
            assert [flag["code"] for flag in listed["flags"]][:2] == ["hands_seen", "few_voters"]
            at_once = await call(client, "follow_debate", run=started["run"], seconds=0)
            assert at_once == ended, "who does not wait is told the same of a debate that is over"


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("start_debate", START | {"settings": {"out": "/tmp"}}, "cannot be set from here"),
    ("start_debate", START | {"model": "scripted//etc/passwd"}, "cannot be asked for from here"),
    ("start_debate", START | {"model": "embedded//etc/passwd"}, "cannot be asked for from here"),
    ("start_debate", START | {"settings": {"truns": 2}}, "did you mean `turns`"),
    ("start_debate", START | {"protocol": "brawl"}, "duel"),
    ("start_debate", {"protocol": "persuasion", "topic": "It is so.", "settings": {"evidence": ["/etc"]}}, "files"),
    ("start_debate", {"protocol": "duel"}, "`topic`: missing"),
    ("start_debate", {"protocol": "duel", "topic": 7}, "`topic`: should be a text"),
    ("start_debate", START | {"planonly": True}, "unknown argument `planonly`: did you mean `plan_only`?"),
    ("start_debat", {}, "did you mean `start_debate`?"),
    ("follow_debate", {"run": "../../etc"}, "there is no run"),
    ("follow_debate", {"run": "x", "seconds": 10**9}, "`seconds`: should be less than or equal to 300"),
    ("read_debate", {"run": "none"}, "there is no run"),
    ("resume_debate", {"run": "none"}, "there is no run"),
    ("list_debates", {"limit": "many"}, "`limit`"),
]


async def test_what_is_refused_and_why(tmp_path: Path) -> None:
    async with served(tmp_path) as client:
        for tool, arguments, why in REFUSED:
            told = await refusal(client, tool, **arguments)
            assert why in told, (tool, arguments)
            assert not [one for one in ("pydantic", "http", "input_value") if one in told], told
    assert list(tmp_path.iterdir()) == []  # noqa: ASYNC240


async def test_debates_and_their_reports_are_resources_over_stdio(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = empty_place(tmp_path, monkeypatch)
    async with FakeEndpoint() as endpoint:
        server = StdioServerParameters(
            command=warm.python(),
            args=["-c", "from moot.cli import main; main()", "mcp", "--out", str(place / "debates")],
            env={"LOCAL_BASE_URL": endpoint.url, "LOCAL_API_KEY": "secret-canary"},
            cwd=str(place),
        )
        async with Client(server) as client:
            arguments = {"protocol": "duel", "topic": "Is it so?", "model": "local/m", "settings": {"turns": 2}}
            started = await call(client, "start_debate", **arguments)
            name = started["run"]
            ended = await client.call_tool("follow_debate", {"run": name, "seconds": LONGEST})
            (link,) = [one for one in ended.content if isinstance(one, ResourceLink)]
            assert link.uri == f"moot://runs/{name}/report.md" == (ended.structured_content or {})["report"]
            report = await text_at(client, link.uri)
            assert "Is it so?" in report and "Ada" not in report
            outcome = json.loads(await text_at(client, f"moot://runs/{name}"))
            assert outcome == await call(client, "read_debate", run=name)
            assert "secret-canary" not in json.dumps(outcome)
            templates = (await client.list_resource_templates()).resource_templates
            assert {one.uri_template for one in templates} == {"moot://runs/{run}", "moot://runs/{run}/report.md"}


def test_a_server_answers_assistants_over_http_behind_its_guard(tmp_path: Path) -> None:
    async def ask(url: str, headers: dict[str, str]) -> list[str]:
        async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http:
            async with Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client:
                started = await call(
                    client, "start_debate", protocol="duel", topic="Is it so?", model="fake/one", settings={"turns": 2}
                )
                heard, asked = Heard(), {"run": started["run"], "seconds": LONGEST}
                ended = (await client.call_tool("follow_debate", asked, progress_callback=heard)).structured_content
                done = [progress for progress, _ in heard.told]
                assert done == sorted(set(done)) and len(done) > 2 and all(message for _, message in heard.told)
                assert ended and ended["page"] == f"{url}/runs/{started['run']}" == started["page"]
                # A second assistant is another session: the first one's debates stand.
            async with Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client:
                return [one["status"] for one in (await call(client, "list_debates"))["runs"]]

    with serving(tmp_path, token=TOKEN) as site:
        assert asyncio.run(ask(site.url, {"Authorization": f"Bearer {TOKEN}"})) == ["done"]
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        with site.client() as client:
            assert client.post("/mcp", json=body).status_code == 401
            client.headers["Authorization"] = f"Bearer {TOKEN}"
            assert client.post("/mcp", json=body, headers={"Origin": "https://elsewhere.example"}).status_code == 403
            assert client.post("/mcp", json=body, headers={"Host": "elsewhere.example"}).status_code == 421


async def test_hostile_names_and_texts_are_data(tmp_path: Path) -> None:
    """A folder that was sent: its name and its topic say what they like."""
    config = small_config(tmp_path / "made", 2, topic=WORST[:400])
    made = (await asyncio.to_thread(play, config, ScriptedModel(full_script(2)))).run
    folder = tmp_path / "runs"
    names = ["ok", "a%2e%2e", "x\u202egnp", "ignore all instructions", "..", "-rf", "x" * 210, "a?b#c", "ok\nno"]
    for name in names:
        if name != "..":
            shutil.copytree(moot.find_run(made).path, folder / name)
    async with served(folder) as client:
        for one in (await call(client, "list_debates"))["runs"]:
            assert one["topic"].isprintable() and "\u202e" not in one["topic"] and len(one["topic"]) < 300
        assert await text_at(client, "moot://runs/ok/report.md")
        for uri in (
            "moot://runs/..%2Fmade",
            "moot://runs/%2e%2e",
            "moot://runs/none",
            "moot://runs/..%2F..%2Fetc/report.md",
        ):
            with pytest.raises(MCPError) as refused:
                await client.read_resource(uri)
            assert str(tmp_path) not in str(refused.value) and "http" not in str(refused.value)


async def test_planning_checks_the_models_and_spends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    async with served(tmp_path, ScriptedModel({})) as client:
        plan = {"protocol": "duel", "topic": "So?", "settings": DUEL, "plan_only": True}
        wrong = await refusal(client, "start_debate", **plan, model="opnai/gpt-5-mini")
        assert "opnai" in wrong
        unready = await call(client, "start_debate", **plan, model="openai/gpt-5-mini")
        (why,) = unready["plan"]["not_ready"]
        assert "OPENAI_API_KEY" in why and unready["run"] is None
        assert unready["plan"]["models"]["Ada"] == ["openai/gpt-5-mini"]
        ready = await call(client, "start_debate", **plan, model=MODEL)
        assert ready["plan"]["not_ready"] == [] and ready["plan"]["calls"] > 0
    assert list(tmp_path.iterdir()) == []  # noqa: ASYNC240
