"""Installed packages that bring something for moot, and are broken."""

from pathlib import Path

import pytest

from tests.kit.command import Said, moot_alone
from tests.kit.tutorial import write_hands

PACKAGES = "PACKAGES_OF_TEST"
"""The variable that says where they are."""
PROVIDER = """
from moot.api import Provider
MINE = Provider("mine", what="a model", how="nothing to set up", example="mine/x", open=None, ready=lambda: True)
"""


@pytest.fixture
def packages(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where packages are installed."""
    folder = place.parent / "packages"
    folder.mkdir()
    monkeypatch.setenv(PACKAGES, str(folder))
    return folder


def install(folder: Path, name: str, group: str, point: str, code: str) -> None:
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    (about / "entry_points.txt").write_text(f"[{group}]\n{point}\n", "utf-8")
    (folder / f"{name}.py").write_text(code, "utf-8")


def moot(*args: str) -> Said:
    """The command in a process of its own, which alone sees what is installed."""
    ended = moot_alone(*args, first=f"import os, sys; sys.path.insert(0, os.environ.get({PACKAGES!r}, '.'))")
    assert "Traceback" not in ended.err
    return ended


@pytest.mark.parametrize("ends", ["SystemExit(0)", "BaseException('odd\\nly')"])
def test_a_package_that_ends_the_program_on_import_ends_no_command(packages: Path, ends: str) -> None:
    install(packages, "leaving", "moot.protocols", "leaving = leaving:PROTOCOL", f"raise {ends}")
    told = f"the protocol 'leaving' cannot be loaded: {ends.partition('(')[0]}: "
    help_ = moot("help")
    assert help_.code == 0
    assert told in " ".join(help_.out.split())
    asked = moot("leaving", "Is it so?")
    assert (asked.code, asked.err.count("\n")) == (2, 1)
    assert asked.err.startswith(f"moot: {told}")
    doctor = moot("setup", "doctor")
    assert "run folders" in doctor.out
    assert told in " ".join(doctor.out.split())


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("config=Config,", "config=Config, capabilities=(Defaults(lambda given, from_file: exit(0)),),"),
        ("    voters = [", "    raise SystemExit(0)\n    voters = ["),
    ],
)
def test_a_plug_in_that_ends_the_program_later_is_no_reader_that_left(
    place: Path, provider: str, text: str, other: str
) -> None:
    path = write_hands(place)
    defaults = "from moot.api.capabilities import Defaults\n"
    path.write_text(defaults + path.read_text("utf-8").replace(text, other), "utf-8")
    ended = moot("run", "hands.py", "Is it so?", "-q")
    assert ended.code == 1
    assert ended.err == "moot: the code of a plug-in or a package ended the program: SystemExit: 0\n"


def test_one_provider_that_cannot_be_loaded_takes_no_other_away(packages: Path) -> None:
    install(packages, "broken", "moot.models", "broken = broken:NONE", "1 / 0")
    install(packages, "working", "moot.models", "mine = working:MINE", PROVIDER)
    told = "the provider of models 'broken' cannot be loaded: ZeroDivisionError: division by zero"
    models = moot("models")
    assert (models.code, models.err) == (0, f"moot: {told}\n")
    assert "mine/x" in models.out
    assert told in " ".join(moot("setup", "doctor").out.split())
    assert moot("plan", "debate.yaml").code == 2
    named = moot("duel", "Is it so?", "-m", "broken/x")
    assert (named.code, named.err) == (2, f"moot: {told}\n")


@pytest.mark.parametrize(
    ("group", "asked"), [("moot.models", ["duel", "So?", "-m", "mine/x"]), ("moot.protocols", ["mine", "So?"])]
)
def test_two_packages_with_one_name_are_both_named(packages: Path, group: str, asked: list[str]) -> None:
    for name in ("one", "two"):
        install(packages, name, group, f"mine = {name}:MINE", PROVIDER)
    told = f"one and two both bring a 'mine' for {group}; take one of them away"
    ended = moot(*asked)
    assert (ended.code, ended.err) == (2, f"moot: {told}\n")
    assert told in " ".join(moot("setup", "doctor").out.split())


def test_an_entry_point_of_another_kind_is_told_in_a_line(packages: Path) -> None:
    install(packages, "long", "moot.protocols", "long = long:THING", "THING = ['x' * 2000, '\x1b[31m']")
    ended = moot("long", "Is it so?")
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert "the entry point 'long' of moot.protocols is no protocol of that name: ['xxx" in ended.err
    assert len(ended.err) < 500
