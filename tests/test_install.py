"""The wheel, installed without extras where nothing else is, stages debates and takes no more room than it should."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.kit.servers import endpoint
from tests.kit.waiting import PATIENCE

ROOT = Path(__file__).parents[1]
MOST_MEGABYTES = 40


def required(dist: Distribution) -> set[str]:
    """The distributions that this one needs to be installed, directly or not, where no extra is asked for."""
    found: set[tuple[str, str]] = set()
    todo = [(dist, "")]
    while todo:
        one, extra = todo.pop()
        for need in map(Requirement, one.requires or ()):
            if need.marker is None or need.marker.evaluate({"extra": extra}):
                new = {(canonicalize_name(need.name), wanted) for wanted in ("", *need.extras)} - found
                found |= new
                todo += [(distribution(name), wanted) for name, wanted in new]
    return {name for name, _ in found}


def link(name: str, place: Path) -> int:
    """Put an installed distribution there too; the bytes it takes, without what Python compiles by itself."""
    total = 0
    for file in distribution(name).files or ():
        source = Path(str(file.locate()))
        if file.parts[0] == ".." or file.suffix == ".pyc" or not source.is_file():
            continue
        target = place / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
        total += source.stat().st_size
    return total


class Installed:
    """An environment that has moot and what moot requires, the folder its commands run in, and the bytes of each."""

    def __init__(self, environment: Path, place: Path, sizes: Mapping[str, int]) -> None:
        self.programs = environment / "bin"
        self.place = place
        self.sizes = sizes

    def moot(self, *args: str, code: int = 0, variables: Mapping[str, str] | None = None, program: str = "moot") -> str:
        """What the command prints, on either stream."""
        own = {"HOME": str(self.place), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", **(variables or {})}
        told = subprocess.run(
            [self.programs / program, *args],
            cwd=self.place,
            env=own,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert (told.returncode, "Traceback" in told.stdout) == (code, False), (args, told)
        return told.stdout


def do(*module: str) -> None:
    """Run a module of the tests' own environment, in the checkout."""
    subprocess.run([sys.executable, "-m", *module], cwd=ROOT, check=True, capture_output=True, timeout=PATIENCE)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    place = tmp_path_factory.mktemp("install")
    built = place / "wheel"
    do("hatchling", "build", "--target", "wheel", "--directory", str(built))
    (wheel,) = built.glob("moot-*.whl")
    environment = place / "environment"
    do("venv", "--without-pip", str(environment))
    # Nothing is looked for elsewhere: what moot requires is taken from the environment of the tests.
    python, alone = environment / "bin" / "python", ["--no-index", "--no-deps", "--no-compile"]
    do("pip", "--python", str(python), "install", *alone, str(wheel))
    (packages,) = environment.glob("lib/python*/site-packages")
    (info,) = packages.glob("moot-*.dist-info")
    sizes = {name: link(name, packages) for name in required(Distribution.at(info))}
    sizes["moot"] = sum(file.stat().st_size for file in packages.glob("moot*/**/*") if file.is_file())
    work = place / "work"
    work.mkdir()
    return Installed(environment, work, sizes)


@pytest.fixture
def provider() -> Iterator[dict[str, str]]:
    """What the environment says of a model server that answers at once."""
    with endpoint() as server:
        yield {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "none", "MOOT_MODEL": "openai/gpt-5-mini"}


def test_nothing_else_is_there(installed: Installed) -> None:
    code = "import importlib.util as u; print([n for n in ('numpy', 'fastapi', 'pip', 'lxml') if u.find_spec(n)])"
    assert installed.moot("-c", code, program="python").strip() == "[]"


def test_it_takes_little_room(installed: Installed) -> None:
    megabytes = {name: round(size / 1e6, 1) for name, size in sorted(installed.sizes.items(), key=lambda one: -one[1])}
    total = sum(installed.sizes.values()) / 1e6
    print(f"{total:.1f} MB: {megabytes}")  # noqa: T201 (what it is today, with -s)
    assert total <= MOST_MEGABYTES, megabytes


def test_the_demonstration_plays(installed: Installed) -> None:
    assert "Yes, but only for what nobody foresaw" in installed.moot("demo", "--instant")


def test_a_duel_against_an_endpoint(installed: Installed, provider: dict[str, str]) -> None:
    stopped = installed.moot(
        "duel", "Tea or coffee?", "--kind", "open", "--turns", "2", "--max-calls", "5", code=3, variables=provider
    )
    assert "5 calls" in stopped
    assert "5 entries stand already" in installed.moot("resume", "latest", "--max-calls", "100", variables=provider)
    assert "verified, nothing altered" in installed.moot("verify", "latest")
    (folder,) = [path.parent for path in installed.place.glob("debates/*tea-or-coffee*/result.json")]
    (folder / "report.html").unlink()
    installed.moot("runs", "report", "latest")
    assert "Tea or coffee?" in (folder / "report.html").read_text("utf-8")


@pytest.mark.parametrize("given", [["panel", "A shared calendar"], ["arena", "Name a cat."], ["chaired"]])
def test_other_protocols_against_an_endpoint(installed: Installed, provider: dict[str, str], given: list[str]) -> None:
    installed.moot(*given, variables=provider)
    installed.moot("verify", "latest")


def test_what_there_is_can_be_asked(installed: Installed) -> None:
    for command in ("--help", "protocols", "models", "setup schema", "list"):
        assert installed.moot(*command.split())
    assert "pip install 'moot[embedded]'" in " ".join(installed.moot("setup", "doctor", code=1).split())
