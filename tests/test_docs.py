"""The documentation cannot drift: snippets run, debate files are sound, the help is the program's own."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click
import pytest
import yaml

import moot
from moot.cli.main import cli
from moot.plugins.trust import trust
from tests.kit import warm
from tests.kit.servers import endpoint, reserved_port
from tests.kit.sources import SOURCE
from tests.kit.trusted import write_trusted
from tests.kit.tutorial import files_in
from tests.kit.waiting import PATIENCE

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SNIPPET = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
QUOTED = re.compile(r"`moot ([a-z][a-z-]+)(?: +([a-z][a-z-]+))?(?=[ `\n])")
LINE = re.compile(r"(?:^|; |&& |\| |\$\()moot ([a-z][a-z-]+)(?: +([a-z][a-z-]+)(?=\s))?", re.MULTILINE)
"""A command of moot in a text, and in a shell."""
MISTYPED = "dule"
SETS_UP = ("./moot", "./test", "git clone", "pip install")
"""Commands that the continuous integration runs by itself, or that fetch what a test must not."""
WITH_NEW_INTERPRETERS = ("README.md", "serve.md")
"""Pages whose programs are the real ones; on the others they are forked from a warm process."""


def snippets(page: Path, language: str) -> list[str]:
    return [code for kind, code in SNIPPET.findall(page.read_text("utf-8")) if kind == language]


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """An environment in which every provider is a server on this machine that answers at once."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    with endpoint() as server:
        yield {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(tmp_path),
            "MOOT_MODEL": "openai/gpt-5-mini",
            "OPENAI_BASE_URL": server.url,
            "OPENAI_API_KEY": "none",
            "ANTHROPIC_BASE_URL": server.url.removesuffix("/v1"),
            "ANTHROPIC_API_KEY": "none",
            "OPENROUTER_BASE_URL": server.url,
            "OPENROUTER_API_KEY": "none",
            "OLLAMA_HOST": server.url.removesuffix("/v1"),
        }


@contextmanager
def on_free_ports(code: str) -> Iterator[str]:
    """The snippet with the ports of its servers replaced: others may be using them on this machine."""
    with ExitStack() as ports:
        for port in re.findall(r"--port (\d+)", code):
            code = code.replace(port, str(ports.enter_context(reserved_port())))
        yield code


def execute(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, f"{command[-1]}\n{done.stderr}"


def ids(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_snippets_run(page: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    python = sys.executable
    if page.name not in WITH_NEW_INTERPRETERS:
        python = warm.python()
        environment["PATH"] = f"{warm.programs()}{os.pathsep}{environment['PATH']}"
    built = files_in(page)
    for name, code in built.items():
        (tmp_path / name).write_text(code, "utf-8")
        execute([sys.executable, name], tmp_path, environment)
    for code in snippets(page, "sh"):
        if any(word in code for word in SETS_UP):
            continue
        if "curl " in code and not shutil.which("curl"):
            pytest.skip("no curl on PATH")
        with on_free_ports(code) as freed:
            execute(["sh", "-e", "-c", freed], tmp_path, environment)
    for code in snippets(page, "python"):
        if code.startswith(tuple(f"# {name}" for name in built) or "#!"):
            continue  # a part of a file
        execute([python, "-c", code], tmp_path, environment)


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_debate_files_and_settings_are_sound(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number, code in enumerate(snippets(page, "yaml")):
        if "protocol:" in code:
            file = tmp_path / f"{number}.yaml"
            file.write_text(code, "utf-8")
            trust(file)
            policy = "# gate.yaml" in code
            moot.configure(idea="x", policy=str(file)) if policy else moot.configure(file=file)
        elif "commands:" in code or "lookups:" in code:
            write_trusted(code)
            moot.configure("duel")
        else:
            moot.configure("duel", **yaml.safe_load(code))


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_links_lead_somewhere(page: Path) -> None:
    for target, heading in LINK.findall(page.read_text("utf-8")):
        file = page.parent / target if target else page
        assert file.exists(), target
        headings = HEADING.findall(file.read_text("utf-8")) if heading else []
        assert not heading or heading in {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings}


def commands(group: click.Group = cli, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every command, and those of the groups."""
    context = click.Context(group)
    for name in group.list_commands(context):
        yield (*above, name)
        if isinstance(inner := group.get_command(context, name), click.Group):
            yield from commands(inner, (*above, name))


def test_every_command_that_anything_names_exists() -> None:
    """On the pages, in messages, in examples and for machines."""
    known = set(commands())
    groups = {words[:-1] for words in known if len(words) > 1}
    files = [*PAGES, *SOURCE.rglob("*.py"), *SOURCE.rglob("*.jinja"), *(ROOT / "examples").rglob("*")]
    files += [ROOT / "CONTRIBUTING.md", ROOT / "AGENTS.md", ROOT / "action.yml", ROOT / ".pre-commit-hooks.yaml"]
    for file in files:
        text = file.read_text("utf-8") if file.is_file() else ""
        typed = QUOTED.findall(text)
        for code in [text] if file.suffix == ".sh" else snippets(file, "sh") if file.suffix == ".md" else []:
            typed += LINE.findall(code)
        built = "".join(snippets(file, "python")) if file.suffix == ".md" else ""
        for first, second in typed:
            if f'"{first}"' in built or first == MISTYPED:
                continue
            assert (first,) in known, f"{file}: moot {first}"
            assert (first,) not in groups or not second or (first, second) in known, f"{file}: moot {first} {second}"
