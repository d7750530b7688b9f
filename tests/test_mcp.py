"""An assistant's view of moot, through the official client: tools, progress, what is refused and what is kept."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CreateMessageRequestParams, CreateMessageResult, TextContent

import moot
from moot.argument.in_process import Asked, solve, solve_in_process
from moot.engine.define.registry import Origin
from moot.engine.define.shipped import OFFERED
from moot.engine.play.structured import instance_of
from moot.errors import Rejected
from moot.mcp.server import make_server
from moot.service.host import Host
from moot.testing import ScriptedModel
from moot.testing.endpoint import FakeEndpoint
from tests.kit import warm
from tests.kit.arenas import CAST, TASK, each_for, plain_reply
from tests.kit.assistants import LONGEST, call, refusal, served, to_the_end
from tests.kit.command import empty_place
from tests.kit.duels import ADA, BO, KIM, MODEL, GatedModel, ahead, full_script, play, small_config
from tests.kit.hands import registered, ups, with_more
from tests.kit.panels import IDEA, labels, rules, script_of
from tests.kit.processes import process
from tests.kit.servers import TOKEN, serving
from tests.kit.waiting import AT_ONCE, FOREVER, PATIENCE, patience
from tests.kit.waiting import run as patiently

DUEL = {"turns": 2, "seed": 7, "debaters": [ADA, BO], "judge": KIM, "claim": "It is so."}
A_WHILE = 1
"""Seconds: a call that has asked its assistant often enough asks no more, and the next one does."""
START = {"protocol": "duel", "topic": "Is it so?", "model": MODEL, "settings": DUEL}


def test_the_tools_say_what_they_are(tmp_path: Path) -> None:
    async def ask(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        reading = {name for name, tool in tools.items() if tool.annotations and tool.annotations.read_only_hint}
        assert reading == {"follow_debate", "read_debate", "list_debates", "list_protocols", "argument_graph"}
        assert set(tools) == reading | {"start_debate", "resume_debate", "ask_debate", "panel_gate", "arena_gate"}
        protocol = tools["start_debate"].input_schema["properties"]["protocol"]
        assert protocol["enum"] == list(OFFERED) and all(name in protocol["description"] for name in OFFERED)
        settings = tools["panel_gate"].input_schema["properties"]["settings"]
        assert settings["properties"]["kind"]["description"]
        for tool in tools.values():
            assert tool.description
            assert tool.output_schema
        assert "not instructions" in (client.instructions or "")

    served(tmp_path, ask)


def test_a_debate_is_started_followed_and_read(tmp_path: Path) -> None:
    gate = asyncio.Event()
    model = GatedModel(ScriptedModel(full_script(2) | ahead()), {"judge/deliberate": gate.is_set})

    async def ask(client: Client) -> None:
        started = await call(client, "start_debate", **START)
        name = started["run"]
        assert started["plan"]["calls"] == len(full_script(2))
        under_way = await call(client, "read_debate", run=name)
        assert (under_way["status"], under_way["headline"], under_way["flags"]) == ("running", None, [])
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
        assert (outcome["status"], outcome["document"]["winner"]) == ("done", "Ada")
        assert (outcome["headline"], outcome["flags"]) == (rest["headline"], rest["flags"])
        assert outcome["reached"] == outcome["document"]["summary"]["reached"] != ""
        assert outcome["change"] == outcome["document"]["summary"]["change"]
        assert str(tmp_path) not in json.dumps(outcome)
        listed = await call(client, "list_debates", query="SO is")
        assert [(one["run"], one["topic"], one["status"]) for one in listed["runs"]] == [(name, "Is it so?", "done")]
        assert (await call(client, "list_debates", query="other"))["runs"] == []

    served(tmp_path, ask, model)


def test_a_question_about_a_gate_is_answered_from_its_record(tmp_path: Path) -> None:
    panel = script_of({})
    model = ScriptedModel(lambda asked: "Nobody said. [E3]" if asked.schema is None else panel(asked))

    async def ask(client: Client) -> None:
        gated = await call(client, "panel_gate", idea=IDEA, model=MODEL, seconds=LONGEST)
        before = len(model.requests)
        for known in (False, True):
            told = await call(client, "ask_debate", run=gated["run"], question="What would it cost?")
            assert (told["text"], told["entries"], told["asked_before"]) == ("Nobody said. [E3]", [3], known)
        assert len(model.requests) == before + 1
        assert not told.keys() & {"passed", "decision", "headline"}
        assert "no run" in await refusal(client, "ask_debate", run="none", question="Why?")
        refused = await refusal(client, "ask_debate", run=gated["run"], question="Why?", model="scripted/a.json")
        assert "read from a file" in refused
        refused = await refusal(client, "ask_debate", run=gated["run"], question="Why?", model="client/assistant")
        assert "Name another model" in refused

    served(tmp_path, ask, model)


def test_planning_spends_nothing(tmp_path: Path) -> None:
    async def ask(client: Client) -> None:
        planned = await call(client, "start_debate", **START, plan_only=True)
        assert planned["run"] is None
        assert planned["plan"]["calls"] > 0

    served(tmp_path, ask, ScriptedModel({}))
    assert list(tmp_path.iterdir()) == []


def test_a_panel_gates_an_idea(tmp_path: Path) -> None:
    model = ScriptedModel(script_of({}))

    async def ask(client: Client) -> None:
        gated = await call(client, "panel_gate", idea=IDEA, model=MODEL, seconds=LONGEST)
        assert (gated["status"], gated["decision"], gated["passed"]) == ("done", "accept", True)
        assert (gated["agreement"], gated["threshold"], gated["passing_decision"]) == (1.0, 0.6, "accept")
        assert [flag["text"] for flag in gated["flags"]] == ["Replies come from a script, not from a model."]
        assert gated["headline"] == "The answer is accept (100% of the weight)"
        assert "is done" in await refusal(client, "resume_debate", run=gated["run"])
        later = await call(client, "panel_gate", idea=IDEA, model=MODEL, seconds=0)
        assert (later["status"], later["passed"]) in (("running", None), ("done", True))

    served(tmp_path, ask, model)


@pytest.mark.parametrize(
    ("label", "more", "decision"),
    [("modify", {}, "modify"), ("accept", {"inconsistencies": ["It counts twice."]}, "accept")],
)
def test_a_gate_passes_nothing_that_was_sent_back_or_left_open(
    label: str, more: dict[str, Any], decision: str, tmp_path: Path
) -> None:
    said = labels(*[label] * 4) | rules(label, modifications_required=["Smaller."] if label == "modify" else [], **more)
    model = ScriptedModel(script_of(said))

    async def ask(client: Client) -> None:
        gated = await call(client, "panel_gate", idea=IDEA, model=MODEL, seconds=LONGEST)
        assert (gated["status"], gated["decision"], gated["passed"]) == ("done", decision, False)
        assert gated["conditions"] == (["Smaller."] if label == "modify" else [])

    served(tmp_path, ask, model)


def test_an_arena_gates_a_task(tmp_path: Path) -> None:
    """By its verdict; an outage is no verdict."""
    bo = each_for({"ada": "Buy", "bo": "Buy", "cy": "Cache"}, {"Buy": 8, "Cache": 6, "Delete": 5})
    models = {
        "scripted/agreed": plain_reply,
        "scripted/split": bo,
        "scripted/against": each_for({"ada": "Buy", "bo": "Buy", "cy": "Buy"}),
        "scripted/down": lambda _: Rejected("down"),
    }

    async def ask(client: Client) -> None:
        async def gate(name: str, **settings: Any) -> dict[str, Any]:
            given = {**CAST, "seed": 1, **settings}
            return await call(client, "arena_gate", idea=TASK, model=name, settings=given, seconds=LONGEST)

        agreed = await gate("scripted/agreed")
        assert (agreed["status"], agreed["decision"], agreed["passed"]) == ("done", "approved", True)
        assert (agreed["agreement"], agreed["threshold"], agreed["conditions"]) == (1.0, None, [])
        assert agreed["passing_decision"] == "approved or approved_with_conditions"
        split = await gate("scripted/split", vote_threshold="0.6")
        assert (split["decision"], split["passed"], split["threshold"]) == ("approved", True, 0.6)
        assert (split["agreement"], split["conditions"]) == (0.6667, [])
        strict = await gate("scripted/split", require=["approved_with_conditions"])
        assert (strict["passed"], strict["passing_decision"]) == (False, "approved_with_conditions")
        assert "requirement_not_met" in [flag["code"] for flag in strict["flags"]]
        against = await gate("scripted/against")
        assert (against["decision"], against["passed"]) == ("needs_review", False)
        down = await gate("scripted/down")
        assert (down["status"], down["decision"], down["passed"]) == ("failed", None, None)

    served(tmp_path, ask, *(ScriptedModel(reply, name) for name, reply in models.items()))


def test_a_gate_takes_the_options_of_its_protocol(tmp_path: Path) -> None:
    async def ask(client: Client) -> None:
        wrong = await refusal(client, "panel_gate", idea=IDEA, model=MODEL, settings={"kind": "taste"})
        assert "taste" in wrong

    served(tmp_path, ask)


def test_a_protocol_that_was_added_has_its_tools(tmp_path: Path) -> None:
    model = ScriptedModel(ups(True, False, True))

    async def ask(client: Client) -> None:
        offered = (await call(client, "list_protocols"))["protocols"]
        assert [one["protocol"] for one in offered] == [*OFFERED, "hands"]
        assert (offered[-1]["origin"], offered[-1]["about"]) == ("hands 1.2", "Everybody raises a hand or does not.")
        assert offered[-1]["options"]["properties"]["voters"]["maximum"] == 5
        started = await call(client, "start_debate", protocol="hands", topic="Is it so?", model=MODEL)
        ended = await to_the_end(client, started["run"])
        assert (ended["status"], ended["headline"]) == ("done", "Carried, 2 of 3")
        assert [flag["code"] for flag in ended["flags"]][:2] == ["hands_seen", "few_voters"]
        told = await call(client, "read_debate", run=started["run"])
        assert told["brief"]["dissent"] == [{"who": "Ben", "reason": "kept the hand down"}]
        asked = {"idea": "Is it so?", "model": MODEL, "settings": {"mood": "heated"}, "seconds": LONGEST}
        gated = await call(client, "hands_gate", **asked)
        assert (gated["passed"], gated["decision"], gated["passing_decision"]) == (True, "Carried, 2 of 3", "Carried")
        kept = await refusal(client, "hands_gate", idea="Is it so?", settings={"unseen": 2})
        assert "it is the server's own" in kept
        (listed, _) = (await call(client, "list_debates"))["runs"]
        assert listed["headline"] == "Carried, 2 of 3"
        assert listed["flags"][:2] == ["hands_seen", "few_voters"]
        at_once = await call(client, "follow_debate", run=started["run"], seconds=0)
        assert at_once == ended, "who does not wait is told the same of a debate that is over"

    with registered(with_more(), Origin("hands", "1.2")):
        served(tmp_path, ask, model)


def test_a_debate_that_was_stopped_goes_on(tmp_path: Path) -> None:
    stuck = GatedModel(ScriptedModel(full_script(2)), {"A/turn/1": lambda: False})
    names = []

    async def begin(client: Client) -> None:
        names.append((await call(client, "start_debate", **START))["run"])

    served(tmp_path, begin, stuck)
    model = ScriptedModel(full_script(2))

    async def go_on(client: Client) -> None:
        assert (await call(client, "read_debate", run=names[0]))["status"] == "interrupted"
        await call(client, "resume_debate", run=names[0])
        assert (await to_the_end(client, names[0]))["status"] == "done"

    served(tmp_path, go_on, model)
    asked = [request.key for request in (*stuck.inner.requests, *model.requests)]
    assert sorted(set(asked)) == sorted(full_script(2))
    assert asked.count("A/plan") == 1


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        ("start_debate", START | {"settings": {"out": "/tmp"}}, "cannot be set from here"),
        ("start_debate", START | {"model": "scripted//etc/passwd"}, "cannot be asked for from here"),
        ("start_debate", START | {"model": "embedded//etc/passwd"}, "cannot be asked for from here"),
        ("start_debate", START | {"settings": {"truns": 2}}, "did you mean `turns`"),
        ("start_debate", START | {"protocol": "brawl"}, "duel"),
        ("start_debate", {"protocol": "persuasion", "topic": "It is so.", "settings": {"evidence": ["/etc"]}}, "files"),
        ("follow_debate", {"run": "../../etc"}, "there is no run"),
        ("read_debate", {"run": "none"}, "there is no run"),
        ("resume_debate", {"run": "none"}, "there is no run"),
        ("argument_graph", {"graph": "p af 2\n1 9\n"}, "9"),
    ],
)
def test_what_is_refused_and_why(tmp_path: Path, tool: str, arguments: dict[str, Any], why: str) -> None:
    async def ask(client: Client) -> None:
        assert why in await refusal(client, tool, **arguments)

    served(tmp_path, ask)
    assert list(tmp_path.iterdir()) == []


GRAPH = "arg(a). arg(b). arg(c). att(a,b). att(b,a). att(b,c)."


@pytest.fixture
def _solved_in_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_in_process, "__defaults__", (PATIENCE,))


@pytest.mark.usefixtures("_solved_in_any_time")
def test_an_argument_graph_is_scored_and_solved(tmp_path: Path) -> None:
    async def ask(client: Client) -> None:
        scored = await call(client, "argument_graph", graph=GRAPH)
        assert {one["argument"] for one in scored["scores"]} == {"a", "b", "c"}

    served(tmp_path, ask)
    found = solve(Asked(graph=GRAPH, task="extensions", semantics="pr"))
    assert sorted(found.extensions) == [["a", "c"], ["b"]]
    assert solve(Asked(graph=GRAPH, task="credulous", semantics="PR", argument="c")).accepted is True
    assert solve(Asked(graph=GRAPH, task="sceptical", semantics="PR", argument="c")).accepted is False


@pytest.mark.parametrize(
    ("asked", "why"),
    [({"task": "sceptical"}, "which argument"), ({"task": "extensions", "semantics": "best"}, "(?i)best")],
)
def test_a_graph_is_asked_about_wrongly(asked: dict[str, Any], why: str) -> None:
    with pytest.raises(moot.MootError, match=why):
        solve(Asked(graph=GRAPH, **asked))


def test_a_debate_that_another_process_runs_has_not_ended(tmp_path: Path) -> None:
    with process("wait", tmp_path) as running:
        assert running.stdout is not None
        name = Path(running.stdout.readline().strip()).name

        async def ask(client: Client) -> None:
            told = await call(client, "read_debate", run=name)
            assert (told["status"], told["document"]) == ("running", {})
            (listed,) = (await call(client, "list_debates"))["runs"]
            assert listed["status"] == "running"

        try:
            served(tmp_path, ask)
        finally:
            (tmp_path / "go").touch()
            running.communicate()


def test_limits_of_the_server_hold_for_a_debate_that_is_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "debates"
    stopped = play(small_config(folder, 2, max_calls=3), ScriptedModel(full_script(2)))
    assert stopped.status == "limit"
    monkeypatch.setenv("MOOT_MAX_CALLS", "5")
    run = moot.find_run(stopped.run)
    # Whoever started it may have given it more than the server gives to guests.
    frozen = run.path / "config.yaml"
    frozen.write_text(frozen.read_text("utf-8").replace("max_calls: 3", "max_calls: 500"), "utf-8")

    async def ask(client: Client) -> None:
        await call(client, "resume_debate", run=run.name)
        told = await to_the_end(client, run.name)
        assert told["status"] == "limit"

    served(folder, ask, ScriptedModel(full_script(2)))
    assert sum(record.kind == "reply" for record in run.records()) == 5


def test_there_are_only_so_many_extensions_in_an_answer() -> None:
    pairs = "".join(f"arg(a{n}). arg(b{n}). att(a{n},b{n}). att(b{n},a{n}). " for n in range(10))
    answer = solve(Asked(graph=pairs, task="extensions", semantics="PR"))
    assert (len(answer.extensions), answer.more) == (100, True)


def test_a_question_that_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = tmp_path / "endless"
    endless.write_text(f"#!{sys.executable}\n{FOREVER}\n", "utf-8")
    endless.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(endless))
    with pytest.raises(moot.ConfigError, match="took longer"):
        asyncio.run(solve_in_process(Asked(graph="p af 1\n"), seconds=AT_ONCE))


def test_the_command_serves_an_assistant_on_its_standard_streams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = empty_place(tmp_path, monkeypatch)

    async def ask() -> None:
        async with FakeEndpoint() as endpoint:
            server = StdioServerParameters(
                command=warm.python(),
                args=["-c", "from moot.cli import main; main()", "mcp", "--out", str(place / "debates")],
                env={"LOCAL_BASE_URL": endpoint.url, "LOCAL_API_KEY": "secret-canary"},
                cwd=str(place),
            )
            async with Client(server) as client:
                started = await call(
                    client, "start_debate", protocol="duel", topic="Is it so?", model="local/m", settings={"turns": 2}
                )
                rest = await to_the_end(client, started["run"])
                assert rest["status"] == "done"
                assert "secret-canary" not in json.dumps(await call(client, "read_debate", run=started["run"]))

    patiently(ask())
    (run,) = moot.list_runs(str(place / "debates"))
    assert not moot.verify(run).faults


def test_a_server_answers_assistants_over_http_behind_its_guard(tmp_path: Path) -> None:
    async def ask(url: str, headers: dict[str, str]) -> list[str]:
        async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http:
            async with Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client:
                started = await call(
                    client, "start_debate", protocol="duel", topic="Is it so?", model="fake/one", settings={"turns": 2}
                )
                await to_the_end(client, started["run"])
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


def sampled(answers: list[str], *, mode: str, tmp_path: Path, ask: Any, offers: bool = True) -> None:
    """An assistant that offers its own model to moot; `answers` keeps what it was asked."""

    async def sample(context: object, params: CreateMessageRequestParams) -> CreateMessageResult:
        asked = params.messages[-1].content
        assert isinstance(asked, TextContent)
        answers.append(asked.text)
        _, found, schema = asked.text.rpartition("JSON Schema:\n")
        text = json.dumps(instance_of(json.loads(schema))) if found else "<think>Hm.</think>It is so, 7 times."
        return CreateMessageResult(role="assistant", content=TextContent(type="text", text=text), model="own-model-3")

    async def asked() -> None:
        host = Host(tmp_path)
        try:
            callback = sample if offers else None
            server = Client(make_server(host), mode=mode, sampling_callback=callback)
            async with patience(), server as client:
                await ask(client)
        finally:
            await host.close()

    asyncio.run(asked())


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_debate_speaks_through_the_assistant_that_asked_for_it(tmp_path: Path, mode: str) -> None:
    answers: list[str] = []

    async def ask(client: Client) -> None:
        started = await call(client, "start_debate", **{**START, "model": "client/assistant"})
        heard = await to_the_end(client, started["run"], seconds=A_WHILE)
        assert heard["status"] == "done", heard
        assert started["plan"]["calls"] == len(answers)

    sampled(answers, mode=mode, tmp_path=tmp_path, ask=ask)
    run = moot.find_run("latest", str(tmp_path))
    replies = [record for record in run.records() if record.kind == "reply"]
    assert {(record.model, record.answered_by) for record in replies} == {("client/assistant", "own-model-3")}
    assert not any("<think>" in (record.reply or "") for record in replies)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_gate_decides_through_the_assistant_and_starts_one_debate(tmp_path: Path, mode: str) -> None:
    async def ask(client: Client) -> None:
        gated = await call(client, "panel_gate", idea=IDEA, model="client/assistant", seconds=A_WHILE)
        assert (await to_the_end(client, gated["run"], seconds=A_WHILE))["status"] == "done", gated

    sampled([], mode=mode, tmp_path=tmp_path, ask=ask)
    assert len(list(tmp_path.iterdir())) == 1


def test_an_assistant_that_offers_no_model_is_not_asked(tmp_path: Path) -> None:
    async def ask(client: Client) -> None:
        assert "does not offer its model" in await refusal(client, "start_debate", **{**START, "model": "client/x"})

    sampled([], mode="legacy", tmp_path=tmp_path, ask=ask, offers=False)
    assert list(tmp_path.iterdir()) == []


def test_nobody_else_speaks_through_an_assistant(tmp_path: Path) -> None:
    with pytest.raises(moot.ConfigError, match="client/x speaks through the assistant"):
        asyncio.run(moot.duel("Is it so?", model="client/x", out=str(tmp_path)))
