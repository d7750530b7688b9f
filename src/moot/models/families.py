"""The families of models, by their names."""

import re
from collections.abc import Sequence

from moot.models.catalogue import SHIPPED_MODEL
from moot.present import Flag

# The first is the nearest, so distillations come before what they were distilled into.
_FAMILIES = (
    ("deepseek", r"deepseek"),
    ("claude", r"claude"),
    ("gpt", r"gpt|\bo[1-9]\b|codex|davinci"),
    ("gemini", r"gemini|gemma"),
    ("grok", r"grok"),
    ("smollm", r"smollm"),
    ("mistral", r"mi[sx]tral|ministral|codestral|magistral|devstral|pixtral|zephyr|openhermes"),
    ("qwen", r"qwen|qwq"),
    ("llama", r"llama|vicuna|alpaca|\bsonar\b"),
    ("command", r"command-|aya\b"),
    ("kimi", r"kimi|moonshot"),
    ("glm", r"glm"),
    ("nova", r"\bnova\b"),
)
VENDORS = {
    "anthropic": "claude",
    "openai": "gpt",
    "google": "gemini",
    "x-ai": "grok",
    "xai": "grok",
    "mistralai": "mistral",
    "meta": "llama",
    "meta-llama": "llama",
    "alibaba": "qwen",
    "deepseek-ai": "deepseek",
    "cohere": "command",
    "moonshotai": "kimi",
    "z-ai": "glm",
    "zai-org": "glm",
    "amazon": "nova",
}
"""The families of makers of models, for names that do not show the family."""


NO_FAMILY = ("scripted/", "human/", SHIPPED_MODEL)
"""The beginnings of the names of what does not favour its own kind."""


def asks_outside(model_name: str) -> bool:
    """Whether it asks somebody outside of this program: a person, an outside agent, or the client of a server."""
    return model_name.partition("/")[0] in ("human", "external", "client")


def kinship(judge: Sequence[str], judged: Sequence[Sequence[str]]) -> list[Flag]:
    """A flag for each model family of a judge that some of those it judges belong to, and others do not: among kin
    alone there is nobody to favour. `judged` has the models of each."""
    own, others = _families_of(judge), [_families_of(models) for models in judged]
    return [
        Flag(
            code="judge_of_same_family",
            text=f"A judge is of the same model family ({name}) as some of those it judges, but not all. Judges favour "
            "their own kind.",
        )
        for name in sorted(own)
        if 0 < sum(name in other for other in others) < len(others)
    ]


def _families_of(models: Sequence[str]) -> set[str]:
    known = [model for model in models if not model.startswith(NO_FAMILY)]
    return {name for model in known for name in families(model)}


def family(model_name: str) -> str:
    """The family of the model. A person or a script is a family of its own."""
    return families(model_name)[0]


def families(model_name: str) -> list[str]:
    """All families of the model, to find out whether a judge is related to a debater. A model that was distilled from
    another one belongs to both families; the closest one comes first."""
    provider, _, rest = model_name.partition("/")
    if provider in ("human", "scripted"):
        return [model_name]
    if provider == "embedded" and not rest:
        return ["smollm"]
    *folders, base = [one for one in rest.lower().split("/") if one] or [provider]
    if found := [name for name, pattern in _FAMILIES if re.search(pattern, base)]:
        return found
    # Any server may call itself openai, so the provider of that name tells nothing.
    makers = [VENDORS[one] for one in [*reversed(folders), provider] if one in VENDORS]
    if makers and not (provider == "openai" and not folders):
        return makers[:1]
    letters = re.match(r"[a-z]+", base)
    return [letters.group() if letters else base]
