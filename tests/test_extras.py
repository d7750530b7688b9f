"""What is not installed is named in a line, with the command that installs it, before anything is spent."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from moot.plugins.extras import EXTRAS
from moot.plugins.features import BUILT_IN
from tests.kit.command import Said, empty_place, write_batch, write_debate
from tests.kit.persuasions import persuade
from tests.kit.waiting import PATIENCE

COMMANDS = {
    "parquet": ["eval", "questions.parquet"],
    "argument": ["persuasion", "Tea is better."],
    "embedded": ["duel", "Tea or coffee?", "-m", "embedded"],
    "evidence": ["chaired", "Tea is better."],
    "mcp": ["mcp"],
    "postgresql": ["worker", "--queue", "postgresql://127.0.0.1:1/none"],
    "sign": ["setup", "key", "board.key"],
    "studies": ["batch", "batch.yaml"],
    "telemetry": ["demo", "--instant"],
    "web": ["serve"],
}
"""A command that needs each extra."""
OPTIONAL = {"embedded": {"wordllama"}}
"""What can be done without."""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = empty_place(tmp_path, monkeypatch)
    monkeypatch.setenv("MOOT_MODEL", "openai/gpt-5-mini")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    write_debate()
    write_batch()
    return found


MAIN = "from moot.cli import main; main()"


def without(names: Sequence[str], code: str = MAIN, *args: str, **variables: str) -> Said:
    """What that code comes to where these packages are not installed."""
    gone = f"import sys\nsys.modules |= dict.fromkeys({list(names)!r})\n"
    done = subprocess.run(
        [sys.executable, "-c", gone + code, *args],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Said(done.returncode, done.stdout, done.stderr)


def line_for(extra: str) -> str:
    return f"this needs the extra \"{extra}\": pip install 'moot[{extra}]'"


PACKAGES = [(extra, one) for extra in COMMANDS for one in EXTRAS[extra] if one != "pip"]


@pytest.mark.parametrize(("extra", "package"), PACKAGES)
def test_a_missing_package_is_named_by_its_extra(extra: str, package: str, place: Path) -> None:
    ended = without([package], MAIN, *COMMANDS[extra], MOOT_TELEMETRY="1" if extra == "telemetry" else "")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"moot: {line_for(extra)}")
    assert ended.err.count("\n") == 1
    assert not list(place.glob("debates/*"))


@pytest.mark.parametrize(
    ("extra", "args"),
    [
        ("postgresql", ["list", "--out", "postgresql://127.0.0.1:1/none"]),
        ("postgresql", ["show", "latest", "--out", "postgresql://127.0.0.1:1/none"]),
        ("postgresql", ["resume", "latest", "--out", "postgresql://127.0.0.1:1/none"]),
        ("postgresql", ["duel", "Tea or coffee?", "--out", "postgresql://127.0.0.1:1/none"]),
        ("postgresql", ["serve", "--out", "postgresql://127.0.0.1:1/none"]),
        ("studies", ["plan", "eval", "questions.csv"]),
        ("evidence", ["duel", "Tea or coffee?", "--tool", "fetch"]),
        ("mcp", ["duel", "Tea or coffee?", "--tool", "wiki"]),
        ("argument", ["argue", "solve", "graph.af", "-p", "SE-PR"]),
        ("studies", ["arena", "Name a cat.", "--memory", "memory.sqlite"]),
        ("studies", ["eval", "questions.csv"]),
        ("studies", ["rejudge", "latest"]),
        ("evidence", ["pulse", "feed.xml"]),
        ("evidence", ["arena", "Name a cat.", "--pulse", "feed.xml"]),
    ],
)
def test_other_commands_name_a_missing_extra(extra: str, args: list[str], place: Path) -> None:
    if args[0] == "rejudge":
        persuade(place / "debates")
    before = len(list(place.glob("debates/*")))
    (place / "questions.csv").write_text("question,answer\nHow many?,1\n", "utf-8")
    (place / "feed.xml").write_text("<rss><channel><item><title>One</title></item></channel></rss>", "utf-8")
    (place / "graph.af").write_text("p af 1\n", "utf-8")
    own = place / "config" / "moot" / "moot.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("lookups: {wiki: {command: [wiki]}}\n", "utf-8")
    ended = without(list(EXTRAS[extra]), MAIN, *args, XDG_CONFIG_HOME=str(place / "config"))
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"moot: {line_for(extra)}")
    assert len(list(place.glob("debates/*"))) == before


def test_every_extra_is_tried() -> None:
    in_python = {"inspect"}
    assert EXTRAS.keys() == COMMANDS.keys() | in_python


def test_the_extras_are_those_of_the_package() -> None:
    project = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text("utf-8"))["project"]
    listed = {extra: {_name(one) for one in needs} for extra, needs in project["optional-dependencies"].items()}
    listed.pop("all")
    for extra in {known.extra for known in BUILT_IN.values()} - EXTRAS.keys():
        assert listed.pop(extra) <= {"moot"}, "what it needs is brought by others"
    by_import = packages_distributions()
    for extra, packages in EXTRAS.items():
        named = {_name(one if "." in one else by_import[one][0]) for one in packages}
        assert named == listed[extra] - OPTIONAL.get(extra, set())
    assert listed.keys() == EXTRAS.keys()


def _name(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found
    return re.sub(r"[-_.]+", "-", found[0]).lower()


PERSUADE = """
import asyncio, moot
try:
    asyncio.run(moot.persuasion("Tea is better."))
except moot.ConfigError as error:
    print(type(error).__name__, error.extra, error.package, error)
"""


def test_python_gets_an_error_that_says_which_extra() -> None:
    assert without(["pysat"], PERSUADE).out == f"MissingExtra argument pysat {line_for('argument')}\n"


def test_a_run_can_be_read_without_what_it_was_staged_with(place: Path) -> None:
    result, _ = persuade(place / "debates")
    (Path(result.run) / "report.html").unlink()
    for command in ("list", "show latest", "verify latest", "runs report latest"):
        assert without(list(EXTRAS["argument"]), MAIN, *command.split()).code == 0
    report = (Path(result.run) / "report.html").read_text("utf-8")
    assert 'class="am"' in report
    assert result.summary.headline in report
    assert "Preferred extension" in report
