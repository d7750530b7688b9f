"""Texts as vectors, and their similarity, by the model that comes with moot.

Cosine similarity compares topic and wording, never agreement. Vectors are cached by text, so that an unchanged text
costs nothing. Independent of protocols.
"""

import asyncio
import hashlib
import math
import re
from array import array
from collections import Counter, OrderedDict
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations
from operator import mul
from pathlib import Path
from threading import Lock
from typing import Any

from pydantic import BaseModel

SHIPPED = "wordllama"
FALLBACK = "character n-grams"
THRESHOLDS = {SHIPPED: 0.3, FALLBACK: 0.28}
"""The minimal similarity of proposals to ask whether they agree, from benchmarks/convergence.py: most paraphrases reach
it, and few or no unrelated texts do."""
MOST_KEPT = 4096
Vector = Sequence[float]

_kept: "OrderedDict[str, Vector]" = OrderedDict()
_lock = Lock()


class Alike(BaseModel):
    """The similarity of some texts. `similarities` has one figure for each pair, in the order of
    `itertools.combinations`."""

    backend: str
    similarities: list[float]


def threshold_of(backend: str) -> float:
    return THRESHOLDS.get(backend, THRESHOLDS[SHIPPED])  # a plan is made with a backend that has no name


async def alike(texts: Sequence[str]) -> Alike:
    """The cosine similarity of every pair. Loading the shipped model takes a second, in a thread; after that, a text
    takes less time than a change of thread."""
    backend = shipped_backend()
    if backend == SHIPPED and not _wordllama.cache_info().currsize:
        await asyncio.to_thread(_wordllama)
    return Alike(backend=backend, similarities=[round(cosine, 4) for cosine in cosines(embed_here(texts, backend))])


def cosines(vectors: Sequence[Vector]) -> list[float]:
    """The cosine of every pair, in the order of `itertools.combinations`; 0 if one of the two vectors is zero."""
    units = [_unit(vector) for vector in vectors]
    return [max(-1.0, min(1.0, sum(map(mul, one, other)))) for one, other in combinations(units, 2)]


def _unit(vector: Vector) -> Vector:
    length = math.hypot(*vector)
    return [value / length for value in vector] if length else vector


@cache
def shipped_backend() -> str:
    """The backend on this machine: the shipped model, or character n-grams if it is not available, as on Linux on
    ARM."""
    return SHIPPED if find_spec("wordllama") else FALLBACK


def embed_here(texts: Sequence[str], backend: str) -> list[Vector]:
    return [_remembered(backend, text) or _remember(backend, text, _one(backend, text)) for text in texts]


def _one(backend: str, text: str) -> Vector:
    return _word_vector(text) if backend == SHIPPED else _ngram_vector(text)


def _word_vector(text: str) -> Vector:
    vector: list[float] = _wordllama().embed([text], norm=True)[0].tolist()
    return vector


@cache
def _wordllama() -> Any:
    wordllama = import_module("wordllama")  # it has no types
    # It looks for its weights beside its own code when told so, and on the network otherwise.
    return wordllama.WordLlama.load(cache_dir=Path(str(wordllama.__file__)).parent, disable_download=True)


def _ngram_vector(text: str, size: int = 2048) -> Vector:
    """Letters in groups of three to five, each at the place given by its hash, weighted by the logarithm of its
    frequency."""
    words = " ".join(["", *re.findall(r"[^\W_]+", text.casefold()), ""])
    counts = Counter(words[i : i + n] for n in (3, 4, 5) for i in range(len(words) - n + 1))
    vector = [0.0] * size
    for gram, count in counts.items():
        place = int.from_bytes(hashlib.blake2b(gram.encode(), digest_size=4).digest(), "big")
        vector[place % size] += 1 + math.log(count)
    return vector


def _remembered(backend: str, text: str) -> Vector | None:
    with _lock:
        return _kept.get(_key(backend, text))


def _remember(backend: str, text: str, vector: Vector) -> Vector:
    vector = array("d", vector)  # a quarter of a list
    with _lock:
        _kept[_key(backend, text)] = vector
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return vector


def _key(backend: str, text: str) -> str:
    return hashlib.sha256(f"{backend}\0{text}".encode()).hexdigest()
