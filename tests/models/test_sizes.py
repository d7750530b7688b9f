"""How many parameters a model has, by its file or its name, and the flag of those that are small."""

from pathlib import Path
from typing import Any

import pytest

from moot.models.sizes import is_small, parameters_in_words, parameters_of
from moot.present import Flag
from moot.testing import ScriptedModel
from tests.kit.duels import full_script, play, small_config


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("ollama/llama3.2:1b", 1_000_000_000),
        ("ollama/qwen2.5:0.5b-instruct-q4_K_M", 500_000_000),
        ("ollama/gemma3:270m", 270_000_000),
        ("openrouter/meta-llama/llama-3.2-3b-instruct:free", 3_000_000_000),
        ("vllm/Qwen/Qwen2.5-1.5B-Instruct", 1_500_000_000),
        ("ollama/llama3.1:8b", 8_000_000_000),
        ("openrouter/qwen/qwen3-30b-a3b", 30_000_000_000),
        ("vllm/Qwen/Qwen2.5-7B-Instruct-1M", 7_000_000_000),
        ("openrouter/mistralai/mixtral-8x7b", None),
        ("google/gemini-2.5-pro-1m", None),
        ("ollama/llama3.2", None),
        ("openai/gpt-5-mini", None),
        ("vllm/bitnet-1bit", None),
        ("human/1b", None),
        ("command/tiny-1b", None),
        ("scripted/1b", None),
        ("embedded/~/models/llama-1b.Q4_K_M.gguf", 1_000_000_000),
        ("embedded/7b/model.gguf", None),
    ],
)
def test_a_name_may_say_the_size(name: str, parameters: int | None) -> None:
    assert parameters_of(name) == parameters
    assert is_small(name) is (parameters is not None and parameters < 4_000_000_000)


def test_a_size_in_words() -> None:
    assert parameters_in_words(1_543_714_304) == "1.5 billion parameters"
    assert parameters_in_words(3_000_000_000) == "3 billion parameters"
    assert parameters_in_words(270_000_000) == "270 million parameters"


def flags_with(folder: Path, *names: str) -> list[Flag]:
    """The flags of a duel whose debaters and judge speak through these, about their size."""
    script: Any = full_script(2)
    models = [ScriptedModel(lambda request: script[request.key], name) for name in names]
    result = play(small_config(folder, roles=dict(zip(("A", "B", "judge"), names, strict=True))), *models)
    return [flag for flag in result.flags if flag.code == "small_model"]


def test_a_debate_of_small_models_says_so_once_for_each(tmp_path: Path) -> None:
    found = flags_with(tmp_path, "ollama/llama3.2:1b", "ollama/llama3.2:1b", "embedded/qwen")
    assert [(flag.text.split(" (")[0], flag.severity) for flag in found] == [
        ("ollama/llama3.2:1b is a small model", "warning"),
        ("embedded/qwen is a small model", "warning"),
    ]
    assert "1.5 billion parameters" in found[1].text
