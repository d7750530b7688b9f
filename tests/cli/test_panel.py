"""`moot panel`: what goes in, what comes out, and the exit code that a pipeline acts on."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from moot.plugins.trust import trust
from tests.kit import warm
from tests.kit.command import moot, refused
from tests.kit.panels import PANELLISTS, write_script
from tests.kit.servers import endpoint
from tests.kit.waiting import PATIENCE

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


@pytest.mark.parametrize(("label", "code"), [("accept", 0), ("reject", 100), ("modify", 100)])
def test_the_exit_code_tells_whether_the_requirement_is_met(label: str, code: int) -> None:
    ended = moot("panel", "An idea.", "--require", "accept", "--json", *write_script(label))
    document = json.loads(ended.out)
    assert ended.code == code
    assert (document["protocol"], document["status"], document["decision"]) == ("panel", "done", label)
    assert document["gate"]["passed"] is (code == 0)
    assert moot("panel", "An idea.", *write_script(label)).code == 0, "nothing was required"


def test_an_idea_from_a_file_from_standard_input_or_as_a_text() -> None:
    options = [*write_script(), "--json", "--quiet"]
    Path("idea.yaml").write_text("name: Queue\ndomain: imports\n", "utf-8")
    Path("idea.md").write_text("# Queue\n\nUse one.\n", "utf-8")
    assert json.loads(moot("panel", "idea.yaml", *options).out)["idea"] == "name: Queue\ndomain: imports"
    assert json.loads(moot("panel", "idea.md", *options).out)["idea"] == "# Queue\n\nUse one."
    assert json.loads(moot("panel", "-", *options, stdin=b"From a pipe.\n").out)["idea"] == "From a pipe."
    for text in ("x" * 5000, "Keep ideas in ideas.jsonl.", "Use Node.js", "One.\nSee notes.md", "a\0b"):
        assert json.loads(moot("panel", text, *options).out)["idea"] == text
    Path("wire.yaml").write_text("protocol: http\n", "utf-8")
    assert json.loads(moot("panel", "wire.yaml", *options).out)["idea"] == "protocol: http"
    Path("main.rs").write_text("fn main() {}\n", "utf-8")
    assert json.loads(moot("panel", "main.rs", *options).out)["idea"] == "fn main() {}"


def test_what_looks_like_a_file_and_is_none_is_no_idea() -> None:
    Path("ideas").mkdir()
    names = ["ideas/event-queue", "no/ideas/event queue.md", "idea.MD", "./idea", "/tmp/none/idea", "../my idea"]
    names += ["x.diff", "x.patch", "design.rst", "proposal.pdf", "main.py", "x.toml", "a.JSONL", "and/or"]
    for name in names:
        message = refused("panel", name, *write_script())
        assert f"moot: there is no file {name}. " in message
        assert f"printf %s {shlex.quote(name)} | moot panel -" in message
    assert "moot: ideas is a folder. " in refused("panel", "ideas", *write_script())
    Path("zeros.txt").write_bytes(b"a\0b")
    Path("paper.pdf").write_bytes(b"%PDF-\xff\xfe")
    assert "zeros.txt is not a text" in refused("panel", "zeros.txt")
    assert "paper.pdf is not UTF-8 text" in refused("panel", "paper.pdf")
    told = moot("panel", "-", "--json", *write_script(), stdin=b"and/or")
    assert json.loads(told.out)["idea"] == "and/or", "the way that the message tells"


def test_a_gate_is_not_left_to_the_demonstration_model() -> None:
    """As when the variable that names the model is missing from a pipeline."""
    script, gate = write_script(), ["An idea.", "--require", "accept", "--json", "-q"]
    message = refused("panel", *gate)
    assert "Innovator, Pragmatist, Critic, Advocate, Validator" in message
    assert "-m embedded/smollm2" in message
    only_one = refused("panel", *gate, *(f"--role={name}={script[1]}" for name in (*PANELLISTS, "reviser")))
    assert "Roles without one: Validator." in only_one
    Path("gate.yaml").write_text(yaml.safe_dump({"protocol": "panel", "idea": "x", "require": "accept"}), "utf-8")
    assert "`moot setup trust gate.yaml`" in refused("run", "gate.yaml")
    trust(Path("gate.yaml"))
    assert "Roles without one" in refused("run", "gate.yaml")
    assert moot("plan", "run", "gate.yaml").code == 0, "planning decides nothing"


def test_what_is_refused() -> None:
    Path("debate.yaml").write_text("protocol: panel\nidea: x\n", "utf-8")
    Path("many.jsonl").write_text('{"idea": "One."}\n', "utf-8")
    Path("ideas").mkdir()
    assert "there is no file missing.yaml" in refused("panel", "missing.yaml")
    assert "is a debate file, not an idea" in refused("panel", "debate.yaml")
    assert "`require` is 'yes'" in refused("panel", "An idea.", "--require", "yes")
    assert "there is no kind 'taste'" in refused("panel", "An idea.", "--kind", "taste")
    assert "./ideas is a folder" in refused("panel", "./ideas")
    assert "`moot batch` debates each of them" in refused("panel", "many.jsonl")
    assert "there is no file nowhere.jsonl" in refused("panel", "nowhere.jsonl")
    assert "Missing idea." in refused("panel")
    assert "`idea`" in refused("panel", "-", stdin=b"  \n")


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("panel-*.yaml")), ids=lambda file: file.stem)
def test_the_example_gates_run(file: Path) -> None:
    with endpoint() as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", server.url)
        patch.setenv("OPENAI_API_KEY", "none")
        ended = moot("run", str(file), "-m", "openai/gpt-5-mini", "--json", "--quiet")
    document = json.loads(ended.out)
    assert (ended.code, document["status"], document["accepted"]) == (0, "done", True)


def in_pipeline(code: str, url: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Shell code as a runner would run it, with moot on the path and a model server on this machine."""
    path = os.pathsep.join([str(warm.programs()), str(Path(sys.executable).parent), os.environ["PATH"]])
    model = {"MOOT_MODEL": "openai/gpt-5-mini", "OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none"}
    shutil.copytree(EXAMPLES, "examples")
    environment = {"PATH": path, "HOME": str(Path.cwd()), **model, **more}
    return subprocess.run(
        ["sh", "-e", "-c", code], env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def test_the_gate_stays_shut() -> None:
    script = write_script("reject")
    ended = in_pipeline(f"examples/gate.sh examples/ideas/event-queue.md {' '.join(script)}", "http://127.0.0.1:9")
    assert ended.returncode == 100, ended.stderr
    assert "Not approved. The requirement is not met: “accept” was required, and the decision is" in ended.stdout


@pytest.mark.parametrize(("idea", "model"), [("examples/ideas/event-queue.md", ""), ("examples/ideas/none", "a/b")])
def test_the_gate_does_not_open_without_a_model_or_an_idea(idea: str, model: str) -> None:
    ended = in_pipeline(f"examples/gate.sh {idea}", "http://127.0.0.1:9", MOOT_MODEL=model)
    assert (ended.returncode, ended.stdout) == (2, "")
