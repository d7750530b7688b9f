"""Model files of Ollama, LM Studio and the Hugging Face hub, found where each keeps them."""

import json
from pathlib import Path

import pytest

from moot.models.embedded import EmbeddedModel
from moot.models.files import model_files
from tests.kit.command import moot
from tests.kit.ggufs import write_model

DIGEST = "a" * 64


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for variable in ("OLLAMA_MODELS", "HF_HOME", "HF_HUB_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def in_ollama(folder: Path, name: str, tag: str, digest: str) -> None:
    layers = [
        {"mediaType": "application/vnd.ollama.image.license", "digest": f"sha256:{'b' * 64}"},
        {"mediaType": "application/vnd.ollama.image.model", "digest": digest},
    ]
    manifest = folder / "manifests/registry.ollama.ai/library" / name / tag
    manifest.parent.mkdir(parents=True, exist_ok=True)
    manifest.write_text(json.dumps({"layers": layers}), "utf-8")


def test_each_is_found_under_a_name_that_can_debate(home: Path) -> None:
    in_ollama(home / ".ollama/models", "llama3.2", "1b", f"sha256:{DIGEST}")
    write_model(home / f".ollama/models/blobs/sha256-{DIGEST}", (1000, 1_240_000))
    write_model(home / ".lmstudio/models/acme/Tiny-GGUF/tiny-q4.gguf", (1000, 500_000))
    snapshot = home / ".cache/huggingface/hub/models--acme--Big-GGUF/snapshots/0123"
    snapshot.mkdir(parents=True)
    write_model(snapshot.parents[1] / "blobs/4567", (7_000_000, 1000))
    (snapshot / "big-q8.gguf").symlink_to("../../blobs/4567")
    found = [(file.owner, file.title, file.name, file.parameters) for file in model_files()]
    assert found == [
        ("Hugging Face", "big-q8", f"embedded/~/{(snapshot / 'big-q8.gguf').relative_to(home)}", 7_000_000_000),
        ("LM Studio", "tiny-q4", "embedded/~/.lmstudio/models/acme/Tiny-GGUF/tiny-q4.gguf", 500_000_000),
        ("Ollama", "llama3.2:1b", f"embedded/~/.ollama/models/blobs/sha256-{DIGEST}", 1_240_000_000),
    ]
    small = {file.owner: EmbeddedModel(file.name.partition("/")[2]).small for file in model_files()}
    assert small == {"Hugging Face": False, "LM Studio": True, "Ollama": False}
    shown = moot("models").out
    assert "llama3.2:1b" in shown
    assert "7.0B" in shown
    assert [one["title"] for one in json.loads(moot("models", "--json").out)["files"]] == [
        "big-q8",
        "tiny-q4",
        "llama3.2:1b",
    ]


def test_folders_of_variables_are_looked_into(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    in_ollama(tmp_path / "models", "own", "latest", f"sha256:{DIGEST}")
    write_model(tmp_path / f"models/blobs/sha256-{DIGEST}", (2, 2))
    write_model(tmp_path / "hf/hub/models--a--b/snapshots/1/x.gguf", (3, 3))
    assert [file.name for file in model_files()] == [
        f"embedded/{tmp_path}/hf/hub/models--a--b/snapshots/1/x.gguf",
        f"embedded/{tmp_path}/models/blobs/sha256-{DIGEST}",
    ]
    assert not home.exists(), "looking writes nothing"


def test_what_cannot_debate_is_left_out(home: Path) -> None:
    models = home / ".lmstudio/models/acme/x"
    write_model(models / "mmproj-x.gguf", (2, 2), architecture="clip")
    write_model(models / "embed.gguf", (2, 2), architecture="nomic-bert")
    write_model(models / "big-00002-of-00002.gguf", (2, 2))
    write_model(models / "big-00001-of-00002.gguf", (2, 2))
    (models / "half.gguf").write_bytes(b"GGUF")
    (models / "loop.gguf").symlink_to("loop.gguf")
    (models / "same.gguf").symlink_to("big-00001-of-00002.gguf")
    in_ollama(home / ".ollama/models", "outside", "latest", "sha256:../../../../etc/passwd")
    in_ollama(home / ".ollama/models", "gone", "latest", f"sha256:{DIGEST}")
    (home / ".ollama/models/manifests/registry.ollama.ai/library/gone/odd").write_text("[1]", "utf-8")
    assert [file.title for file in model_files()] == ["big-00001-of-00002"]


def test_a_moved_home_of_lm_studio_is_found_and_a_name_can_be_pasted(home: Path, tmp_path: Path) -> None:
    write_model(tmp_path / "elsewhere/models/acme/Tiny/tiny one.gguf", (1000, 500_000))
    home.mkdir(exist_ok=True)
    (home / ".lmstudio-home-pointer").write_text(f"{tmp_path / 'elsewhere'}\n", "utf-8")
    [found] = model_files()
    assert (found.owner, found.title) == ("LM Studio", "tiny one")
    shown = "".join(moot("models").out.split())
    assert f"-m'{found.name.replace(' ', '')}'" in shown, "in quotes, for the blank in it"
    (home / ".lmstudio-home-pointer").write_bytes(b"\xff\x00")
    assert model_files() == []
