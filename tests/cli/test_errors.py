"""Whatever a clumsy or hostile user hands in: exit code 2, one message that helps, and nothing written."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import moot as api
from tests.kit.command import in_shell, moot, refused, write_debate
from tests.kit.trusted import write_trusted


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["duel", "x", "-m", "gpt-5"], "needs a provider"),
        (["duel", "x", "-m", "openai/"], "must be provider/name"),
        (["duel", "x", "-m", "nosuch/x"], "NOSUCH_BASE_URL"),
        (["duel", "x", "-m", "opnai/x"], "Did you mean openai/…?"),
        (["duel", "x", "-m", ""], "`model`"),
        (["duel", "x", "-m", "scripted/demo:duel", "-m", ""], "`model.1`"),
        (["duel", "x", "-m", "scripted/no.yaml"], "no.yaml cannot be read"),
        (["duel", "x", "-m", "human/ada"], "human/ada needs a person at a terminal"),
        (
            ["duel", "x", "-m", "scripted/demo:duel", "--role", "nobody=scripted/demo:duel"],
            "unknown role 'nobody'",
        ),
        (
            ["duel", "x", "-m", "scripted/demo:duel", "--role", "judge"],
            "--role needs NAME=MODEL, such as judge=openai/gpt-5, not 'judge'",
        ),
        (["duel", "--turns", "1"], "'--turns'"),
        (["duel", "--turns", "six"], "Invalid value for '--turns': 'six' is not a valid whole number."),
        (["duel", "--max-calls", "-1"], "'--max-calls'"),
        (["duel", "--max-cost", "nan"], "`max_cost`"),
        (["duel", "--display", "fancy"], "'--display'"),
        (["duel", "--nosuch"], "--nosuch"),
        (["duel", "a", "b"], "no file or folder b"),
        (["duel", ""], "moot: there is no topic: it is empty"),
        (["duel", "x" * 1_000_000], "moot: the topic has 1,000,000 characters, and at most 20,000 are read"),
        ([""], "The question is empty."),
        (["arena", "x", "--agent", "a=scripted/demo:duel"], "an arena takes at least two agents"),
        (["duel", "x", "-m", "embedded/nosuch"], "the model that moot brings is embedded/smollm2"),
        (["duel", "x", "--max-cost", "abc"], "'abc' is not a valid number."),
        (["duel", "a\ud800b"], "not valid text"),
        (["duel", "-c", "no.yaml"], "no.yaml cannot be read: No such file or directory"),
        (["run", "n" * 5000], "cannot be read: File name too long"),
        (["run", "\x1b[31mno.yaml"], "no.yaml cannot be read"),
        (["debate.yaml"], "moot run debate.yaml"),
        (["Should", "we", "do", "it"], "moot duel 'Should we do it'"),
        (["resum", "latest"], "resume"),
        (["--out", "runs", "list"], "list is a command. Its options come after it: moot list"),
        (["setup", "schema", "nosuch"], "Available: entry, call, result, duel"),
        (["duel", "-"], "there is no topic on standard input"),
        (["show"], "there are no runs in debates yet"),
        (["resume", "nosuch"], "no run 'nosuch'"),
        (["arena", "x y", "--agents", "3", "--agent", "A=b/c", "--agent", "B=b/c"], "either --agents"),
        (["arena", "x y", "--agent", "=b/c", "--agent", "Bo=b/c"], "--agent needs NAME=MODEL, not '=b/c'"),
        (["arena", "x y", "--agent", "Ada=", "--agent", "Bo=b/c"], "--agent needs NAME=MODEL, not 'Ada='"),
        (["arena", "x y", "--agent", "Ada", "--agent", "Bo=b/c"], "--agent needs NAME=MODEL, not 'Ada'"),
        (["arena"], "Missing task."),
        (["persuasion", "x", "b"], "no file or folder b"),
        (["persuasion", "x", "--rounds", "0"], "--rounds"),
    ],
)
def test_command_lines_that_make_no_sense(args: list[str], words: str) -> None:
    assert words in refused(*args)


@pytest.mark.parametrize("data", [b"\xff\xfe", b"a" * 2_000_000, "ä".encode("latin-1") + b"?", b" \n "])
def test_topics_on_standard_input_that_cannot_be(data: bytes) -> None:
    assert "standard input" in refused("duel", "-", "-m", "scripted/demo:duel", stdin=data)


def test_bytes_that_are_no_text_in_an_argument() -> None:
    ended = in_shell("MOOT duel \"$(printf 'a\\377b')\"")
    assert ended.code == 2
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize("topic", ["../../x", "/etc/passwd", "..", "~", "a/../b", "\x1b[2J\x07", "日本語", "-" * 99])
def test_the_topic_cannot_choose_the_folder(topic: str, place: Path, tmp_path: Path) -> None:
    write_debate()
    assert moot("duel", "-c", "debate.yaml", "-", stdin=topic.encode()).code == 0
    (run,) = (place / "debates").iterdir()
    moment, _, slug = run.name.partition("-")
    assert moment.endswith("Z")
    assert slug.replace("-", "").isalnum()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["place"]
    assert "\x1b" not in moot("show").out + moot("list").out + moot("export", "--to", "md").out


@pytest.mark.parametrize("before", [(), ("duel",), ("plan",), ("plan", "panel")], ids=" ".join)
def test_the_name_of_a_missing_file_is_no_topic(before: tuple[str, ...]) -> None:
    assert "there is no file rfc-9.md" in refused(*before, "rfc-9.md")


def test_a_file_given_as_topic_is_pointed_out() -> None:
    write_debate()
    assert "moot run debate.yaml" in refused("duel", "debate.yaml")


@pytest.mark.parametrize("out", ["file/below", "x" * 300, "/proc/nowhere"])
def test_folders_that_cannot_be_made(out: str, place: Path) -> None:
    (place / "file").write_text("", "utf-8")
    assert "cannot be made" in refused("duel", "x", "-m", "scripted/demo:duel", "--out", out)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("modl: a/b", "moot.yaml: unknown key `modl`: did you mean `model`?"),
        ("topic: x", "moot.yaml: unknown key `topic`"),
        ("max_calls: many", "moot.yaml: `max_calls`: should be a valid integer"),
        ("roles: judge", "moot.yaml: `roles`: should be a mapping"),
        ("- a", "moot.yaml must be a mapping"),
        ("a: *b", "moot.yaml is not valid YAML"),
    ],
)
def test_settings_files_that_make_no_sense(content: str, words: str, place: Path) -> None:
    write_trusted(content, place)
    for args in (["duel", "x", "-m", "scripted/demo:duel"], ["demo", "--instant"], ["plan"]):
        assert words in refused(*args)
    named = words.startswith("moot.yaml: ")
    assert moot("list").code == (0 if named else 2), "what is recorded is read with any settings that name its folder"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("MOOT_MAX_CALLS", "abc", "MOOT_MAX_CALLS: `max_calls`: should be a valid integer"),
        ("MOOT_MAX_COST", "-1", "MOOT_MAX_COST: `max_cost`"),
        ("MOOT_ROLES", "judge", "--role needs NAME=MODEL"),
        ("MOOT_SEED", "x", "MOOT_SEED"),
        ("MOOT_TURNS", "x", "'--turns'"),
        ("MOOT_DISPLAY", "x", "'--display'"),
        ("MOOT_JSON", "x", "'--json'"),
        ("MOOT_OUT", "\udcff", "MOOT_OUT"),
        ("MOOT_MODEL", "gpt-5", "needs a provider"),
    ],
)
def test_variables_that_make_no_sense(name: str, value: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    assert words in refused("duel", "x")


class TestRuns:
    """Commands on runs that are not what they should be."""

    @pytest.fixture(autouse=True)
    def run(self) -> api.Run:
        for _ in range(2):
            moot("run", str(write_debate()), "-q")
        return api.list_runs("debates")[-1]

    def test_names_that_fit_none_or_many(self) -> None:
        assert "no run 'nosuch'" in refused("show", "nosuch")
        ended = moot("show", "is-it-so")
        assert ended.code == 2
        assert "fits 2 runs" in ended.err
        assert all(run.path.name in ended.err for run in api.list_runs("debates"))

    def test_entries_that_are_not_there(self, run: api.Run) -> None:
        last = len(run.entries()) - 1
        for args in (["show", "latest"], ["show", "latest", "--as", "Ada"], ["fork", "latest"]):
            assert moot(*args, "--at", str(last), "-q" if args[0] == "fork" else "--json").code == 0
            assert "counted from 0" in refused(*args[:1], str(run.path), *args[2:], "--at", str(last + 1))
            assert "'--at'" in refused(*args, "--at", "-1")

    def test_a_fork_that_cannot_start_leaves_nothing(self) -> None:
        assert "unknown role" in refused("fork", "latest", "--at", "2", "--role", "nobody=scripted/demo:duel")
        assert "needs a provider" in refused("fork", "latest", "--at", "2", "-m", "gpt-5")
        assert "`model`" in refused("fork", "latest", "--at", "2", "-m", "")
        assert len(list(Path("debates").iterdir())) == 2

    def test_exports_that_cannot_be_written(self, place: Path) -> None:
        assert "no/where cannot be written" in refused("export", "latest", "--to", "md", "-o", "no/where")
        assert "directory" in refused("export", "latest", "--to", "md", "-o", ".")
        assert "'pdf'" in refused("export", "latest", "--to", "pdf")
        assert moot("export", "latest").code == 2

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"--phase": "lunch"}, "no phase 'lunch'"),
            ({"--type": "verdict"}, "may append note, reader_vote, not 'verdict'"),
            ({"--speaker": "Ada", "--type": "verdict"}, "Ada may append note, not 'verdict'"),
            ({"--speaker": "a\x1bb"}, "the speaker must be a name"),
            ({"--content-file": "nosuch"}, "nosuch cannot be read"),
            ({"--content-file": "empty"}, "the content is empty"),
            ({"--content-file": "/dev/zero"}, "longer than 1,000,000 bytes"),
            ({"--sources": "nonsense"}, "--sources is not JSON"),
            ({"--sources": "{}"}, "a JSON list"),
            ({"--target": "999"}, "--target 999: there is no such entry"),
            ({"--rebuttal-to": "x"}, "'--rebuttal-to'"),
        ],
    )
    def test_entries_that_are_not_taken(self, changes: dict[str, str], words: str, place: Path) -> None:
        (place / "note").write_text("A note.", "utf-8")
        (place / "empty").write_text(" \n", "utf-8")
        (place / "binary").write_bytes(b"\xff\xff")
        sound = {"--phase": "closing", "--speaker": "Reader", "--type": "note", "--content-file": "note"}
        args = [part for pair in (sound | changes).items() for part in pair]
        assert words in refused("log", "append", "latest", *args)

    @pytest.mark.parametrize(
        "changes",
        [
            {"moot": None},
            {"moot": {"schema": 99}},
            {"moot": {"forked_from": 5}},
            {"moot": {"forked_from": {"run": "x", "at": 1, "records": -1}}},
            {"protocol": "nosuch"},
            {"max_calls": "many"},
            {"turnz": 4},
        ],
    )
    def test_configs_that_were_tampered_with(self, changes: dict[str, Any], run: api.Run) -> None:
        config = run.path / "config.yaml"
        config.write_text(json.dumps(yaml.safe_load(config.read_text("utf-8")) | changes), "utf-8")
        for command in (["resume"], ["runs", "report"]):
            message = refused(*command, "latest")
            assert "config.yaml" in message or "nosuch" in message

    def test_a_file_that_may_not_be_read(self, run: api.Run) -> None:
        run.log_path.unlink()
        run.log_path.mkdir()
        assert "log.jsonl is not opened: it is a folder" in refused("show", "latest", code=1)
