"""The first hour of somebody new: every command that the README and the help show, in a fresh home.

No setting is there; the models are a server on this machine that answers at once, and hand-written replies. A command
that is shown and not played here fails the test.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from moot.cli.main import cli
from tests.kit import warm
from tests.kit.servers import endpoint
from tests.kit.waiting import PATIENCE

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
QUESTION = "Should we rewrite the billing service in Rust?"
IDEA = "examples/ideas/event-queue.md"
FAST = "-m openai/gpt-5-mini -q"
PLAYED = {
    # The README's blocks.
    "./moot duel": f"{ROOT}/moot duel --turns 2 {FAST}",
    "./test": f"sh -n {ROOT}/test",  # by which these tests are run
    f'moot "{QUESTION}"': None,
    f'moot "{QUESTION}" -m openai/gpt-5-mini': None,
    f'moot "{QUESTION}" -m ollama/llama3.2': None,
    # The README's tables and sentences.
    "moot demo NAME": "moot demo council --instant",
    "moot demo PROTOCOL": "moot demo redteam --instant",
    'moot duel "QUESTION"': f'moot duel "{QUESTION}" --turns 2 {FAST}',
    'moot chaired "TOPIC"': f'moot chaired "{QUESTION}" --rounds 1 --evidence monolith-first {FAST}',
    "moot panel IDEA": f"moot panel {IDEA} {FAST}",
    'moot persuasion "PROPOSITION"': f'moot persuasion "We should rewrite it in Rust." --rounds 1 {FAST}',
    'moot arena "TASK"': f'moot arena "{QUESTION}" {FAST}',
    'moot council "QUESTION" -m A -m B -m C': f'moot council "{QUESTION}" -m openai/a -m openai/b -m openai/c -q',
    "moot multiagent": f'moot multiagent "How many days has May?" --rounds 1 {FAST}',
    "moot delphi": f'moot delphi "How many days will it take?" --rounds 1 {FAST}',
    "moot oxford": f'moot oxford "{QUESTION}" {FAST}',
    "moot oversight": f'moot oversight "{QUESTION}" --rounds 1 {FAST}',
    "moot socratic": f'moot socratic "We should rewrite it." --questions 1 {FAST}',
    "moot hats": f'moot hats "{QUESTION}" {FAST}',
    "moot redteam": f"moot redteam {IDEA} --attacks 1 {FAST}",
    "moot protocols new NAME": "moot protocols new mine",
    "moot panel IDEA --require accept": f"moot panel {IDEA} --require accept {FAST}",
    "moot serve": "moot serve --help",
    "moot mcp": "moot mcp --help",
    "moot batch FILE": "moot plan batch examples/batch.yaml -m openai/gpt-5-mini",
    "moot batch": "moot batch --help",
    "moot plan batch FILE": "moot plan batch examples/batch.yaml -m openai/gpt-5-mini",
    "moot eval DATASET": "moot plan eval examples/logic.jsonl --detect 20",
    "moot rejudge RUN…": f"moot duel --turns 2 {FAST} && moot rejudge latest --judge openai/gpt-5-mini -q",
    "moot argue solve FILE": "echo 'p af 2\n1 2' > g.af && moot argue solve g.af -p SE-GR",
    "moot ask": f"moot duel --turns 2 {FAST}; moot ask latest 'What would it cost?'",
    "moot again": f"moot duel --turns 2 {FAST}; moot again latest 'Is it so in Leeds?' {FAST}",
    "moot resume": f"moot duel --turns 2 {FAST} --max-calls 3; moot resume latest --max-calls 99 -q",
    "moot verify": "moot demo --instant -q && moot verify latest",
    # The help.
    'moot "QUESTION"': f'moot "{QUESTION}" --turns 2 {FAST}',
    "moot redteam plan.md -m openai/gpt-5-mini": f"cp {IDEA} plan.md; moot redteam plan.md {FAST}",
    'moot duel "Should we migrate?" --context rfc.md --role judge=openai/gpt-5': f"cp {IDEA} rfc.md; "
    f'moot duel "Should we migrate?" --context rfc.md --role judge=openai/gpt-5 --turns 2 {FAST}',
    "moot plan duel": "moot plan duel --turns 4",
    'moot plan duel "…" --turns 4': f'moot plan duel "{QUESTION}" --turns 4',
    "moot plan examples/nuclear-power.yaml": None,
    "moot plan eval DATASET --detect 5": "moot plan eval examples/logic.jsonl --detect 20",
    "moot list --tag TAG": "moot demo --instant -q && moot runs tag latest mine && moot list --tag mine",
    "moot log append": "moot demo --instant -q && echo It was settled. > note.txt && moot log append latest "
    "--phase verdict --speaker reviewer --type note --content-file note.txt --target 5",
    "moot log next": "moot log next --help",
    "moot argue extract": f"moot duel --turns 2 {FAST} && moot argue extract latest -m openai/gpt-5-mini",
    "moot memory rank": "moot memory rank --help",
    "moot help memory add": None,
    "moot arena --pulse FEED": "moot arena --help",
    "moot setup completion fish | source": "moot setup completion fish",
}
"""What is shown, and what is played where that has placeholders or would take long; None if it is played as it is."""
SHORT = {"multiagent", "delphi", "oxford", "oversight", "socratic", "hats", "redteam"}
"""Protocols whose names stand alone in the README."""


def shown_in_readme() -> Iterator[str]:
    for block in BLOCK.findall(README):
        for line in block.splitlines():
            for part in re.split(r";|&&", line.partition(" #")[0]):
                if part.strip().startswith(("moot", "./")):
                    yield part.strip()
    for code in re.findall(r"`([^`\n]+)`", BLOCK.sub("", README)):
        if code.startswith("moot ") or code in SHORT:
            yield code if code.startswith("moot ") else f"moot {code}"


def shown_in_help(command: click.Command = cli, above: click.Context | None = None) -> Iterator[str]:
    context = click.Context(command, info_name=command.name or "moot", parent=above, **cli.context_settings)
    options = [getattr(one, "help", None) or "" for one in command.params]
    text = "\n".join([command.help or "", command.epilog or "", *options])
    for quoted, listed in re.findall(r"`(moot\s[^`]+)`|^\s+(moot .+)$", text, re.MULTILINE):
        yield " ".join((quoted or listed).split())
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from shown_in_help(inner, context)


SHOWN = list(dict.fromkeys([*shown_in_readme(), *shown_in_help()]))


def test_every_command_that_is_shown_is_played() -> None:
    assert len(SHOWN) > 30
    assert [one for one in SHOWN if one not in PLAYED] == []
    assert [one for one in PLAYED if one not in SHOWN] == [], "shown nowhere"


@pytest.mark.parametrize("shown", SHOWN)
def test_it_works_in_a_fresh_home(shown: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    line = PLAYED.get(shown) or shown
    with endpoint() as server:
        environment = {
            "PATH": os.pathsep.join([str(warm.programs()), str(Path(sys.executable).parent), os.environ["PATH"]]),
            "HOME": str(tmp_path),
            "MOOT_MODEL": "openai/gpt-5-mini",  # in place of the embedded model, whose tests are its own
            "OPENAI_BASE_URL": server.url,
            "OPENAI_API_KEY": "none",
            "ANTHROPIC_BASE_URL": server.url.removesuffix("/v1"),
            "ANTHROPIC_API_KEY": "none",
            "OLLAMA_HOST": server.url.removesuffix("/v1"),
        }
        ended = subprocess.run(
            ["sh", "-c", line],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert ended.returncode == 0, f"{shlex.quote(line)}\n{ended.stdout[-500:]}\n{ended.stderr[-2000:]}"
    assert "Traceback" not in ended.stderr
