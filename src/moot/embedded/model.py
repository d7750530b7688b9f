"""Embedded models: llama.cpp inside this process, with a model file that moot fetches or the user has.

One runtime per model file and process, shared by all debates, loaded on first use. Calls run in its few threads;
further calls wait. Small models stay fluent through short replies that end with a sentence, sampling against
repetition, and bounded JSON.
"""

import asyncio
import contextlib
import json
import os
import platform
import re
import secrets
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from moot.embedded import weights
from moot.embedded.small_replies import choices_in, joined, needed, texts_in, then_choose, then_say
from moot.errors import ContextOverflow, EmptyReply, MissingExtra, ModelError, NotReady, Rejected, ServerFault
from moot.models.base import FinishReason, ModelReply, OnText, Request, Usage
from moot.models.catalogue import CATALOGUE, SHIPPED_MODEL, Weights
from moot.models.schemas import closed_schema
from moot.models.sizes import needs_short_prompts
from moot.system.home import expanded
from moot.text.json import parse_json

MAX_THREADS = 4
PROMPT_CACHE_MIB = 256

REPLY_TOKENS = 28
"""A small model's reply ends with the first sentence that ends after this many tokens…"""
REPLY_TOKENS_AT_MOST = 110
"""…or here, if no sentence does."""
PLAIN_PROSE = r'root ::= [^\n\r"*#`]+'
"""One paragraph without lists, headings and quotation marks, which a small model opens and forgets."""
JSON_TOKENS = 1200
JSON_STRING_LENGTH = 240
"""The engine knows it as `SMALL_BOUND`."""
JSON_ARRAY_ITEMS = 4
SMALL_SAMPLING: dict[str, Any] = {
    "temperature": 0.4,
    "min_p": 0.1,
    "top_p": 0.95,
    "repeat_penalty": 1.05,
    "dry_multiplier": 0.8,
    "dry_penalty_last_n": 4096,  # against repetition from one turn to the next
}
CHOOSING: dict[str, Any] = {"temperature": 0.8, "min_p": 0.05}
"""Sampling for choices. Sampling against repetition would never give the same score twice."""
SENTENCE_END = re.compile(r"\w[^\W\d][.!?][\"'”’)]*$")
"""After a word: "1." in a list and the start of "3.5" or "e.g." do not end a sentence."""
_UNSUPPORTED = frozenset({"default", "description", "examples", "format", "pattern", "title"})
"""The runtime supports few patterns and formats, and complains about the others on stderr; the rest only costs time."""


@dataclass(frozen=True, slots=True)
class Size:
    """The number of concurrent calls, the tokens of each, and the tokens of prompts that are read in one batch.

    Between two batches a call can be stopped, and other calls continue.
    """

    slots: int
    context_window: int
    batch: int


SMALL = Size(slots=4, context_window=4096, batch=64)
LARGE = Size(slots=2, context_window=8192, batch=512)


class EmbeddedModel:
    """`rest` is the rest of its name: empty for the model that comes with moot, a name of the catalogue, or the path of
    a GGUF file."""

    def __init__(self, rest: str) -> None:
        self.name = f"embedded/{rest}" if rest else SHIPPED_MODEL
        self._weights = CATALOGUE.get(self.name)
        self._path = weights.weights_path(self._weights) if self._weights else expanded(rest)
        self.small = needs_short_prompts(self.name)
        self.context_window: int | None = (SMALL if self.small else LARGE).context_window

    def check(self) -> None:
        """An error if the file of the model is missing and is not fetched automatically."""
        if self._weights is None:
            _check_gguf(self._path)
        elif not self._weights.by_itself and not weights.have_weights(self._weights):
            raise NotReady(f"{self.name} is not here yet; fetch it with: {self._weights.fetch_command}")

    async def ready(self) -> None:
        """Fetch missing weights (reported to `weights.on_progress`) if this model is fetched automatically, but do not
        load them."""
        self.check()
        _runtime_package()
        if self._weights is not None:
            await _fetch_weights(self._weights)

    async def reply(self, request: Request, on_text: OnText | None = None) -> ModelReply:
        await self.ready()
        if self.small and request.schema and texts_in(needed(request.schema)):
            return await self._reply_in_parts(request, on_text)
        return await self._generate(request, on_text)

    async def _reply_in_parts(self, request: Request, on_text: OnText | None) -> ModelReply:
        """An object whose texts are generated as prose, and whose choices are generated as JSON after these texts:
        reasons come before what they decide."""
        schema = needed(request.schema)
        texts, parts = dict[str, str](), list[ModelReply]()
        for name in texts_in(schema):
            asked = replace(request, messages=then_say(request.messages, list(texts.values()), name), schema=None)
            parts.append(await self._generate(asked, on_text))
            texts[name] = parts[-1].text.strip()
        choices = {}
        if (wanted := choices_in(schema)) is not None:
            messages = then_choose(request.messages, list(texts.values()))
            asked = replace(request, messages=messages, schema=wanted)
            parts.append(await self._generate(asked, None))
            choices = parse_json(parts[-1].text)
        text = json.dumps(joined(schema, choices, texts), ensure_ascii=False)
        read, cached, output = (
            sum(getattr(part.usage, kind) or 0 for part in parts) for kind in ("input", "cached", "output")
        )
        return ModelReply(text, "stop", Usage(input=read, cached=cached, output=output, cost=0.0))

    async def _generate(self, request: Request, on_text: OnText | None) -> ModelReply:
        runtime = _runtime(self._path, self.small)
        take = _Take(
            end_after=REPLY_TOKENS if self.small and not request.schema else None,
            deliver=_deliver_on_loop(on_text),
        )
        answer = runtime.threads.submit(runtime.generate, _body(request, self.small), take)
        try:
            await asyncio.wrap_future(answer)
        except asyncio.CancelledError:
            take.stopped.set()
            raise
        return take.reply()


class _Runtime:
    """One model file in memory, loaded by the first call."""

    def __init__(self, path: Path, small: bool) -> None:
        self.threads = ThreadPoolExecutor((SMALL if small else LARGE).slots, thread_name_prefix="moot-embedded")
        self._path = path
        self._small = small
        self._loading = threading.Lock()
        self._server: Any = None

    def generate(self, body: dict[str, Any], take: "_Take") -> None:
        """Runs in one of `threads`. The runtime finds the slot that has already read most of this prompt."""
        with self._loading:
            if self._server is None and not take.stopped.is_set():
                self._server = _load(self._path, self._small)
        if take.stopped.is_set():
            return
        try:
            self._server.handle_chat_completions(body, take.chunk)
        except ValueError as error:  # an unsupported schema or chat template
            raise Rejected(f"the embedded model cannot take this request: {error}") from error


_runtimes: dict[Path, _Runtime] = {}
_runtimes_lock = threading.Lock()


def _runtime(path: Path, small: bool) -> _Runtime:
    with _runtimes_lock:
        key = path.resolve()
        if key not in _runtimes:
            _runtimes[key] = _Runtime(path, small)
        return _runtimes[key]


@dataclass(slots=True)
class _Take:
    """A reply that arrives piece by piece, in a thread of the runtime."""

    end_after: int | None
    deliver: OnText
    stopped: threading.Event = field(default_factory=threading.Event)
    text: str = ""
    finish_reason: FinishReason | None = None
    timings: dict[str, Any] = field(default_factory=dict)
    error: dict[str, Any] | None = None

    def chunk(self, chunk: dict[str, Any]) -> bool:
        """Process one piece; True tells the runtime to stop."""
        if "error" in chunk:
            self.error = chunk["error"]
        if self.error is not None or self.stopped.is_set():
            return True
        self.timings = chunk.get("timings", self.timings)
        for choice in chunk["choices"]:
            if piece := choice["delta"].get("content"):
                self.text += piece
                self.deliver(piece)
            self.finish_reason = choice["finish_reason"] or self.finish_reason
        if self._has_said_enough():
            self.finish_reason = "stop"
            return True
        return False

    def _has_said_enough(self) -> bool:
        said = self.timings.get("predicted_n", 0)
        return self.end_after is not None and said >= self.end_after and bool(SENTENCE_END.search(self.text))

    def reply(self) -> ModelReply:
        if self.error is not None:
            raise _as_model_error(self.error)
        if not self.text.strip():
            raise EmptyReply("the embedded model said nothing")
        if self.finish_reason is None:
            raise ServerFault("the embedded model stopped in the middle of its reply")
        read, cached = self.timings.get("prompt_n", 0), self.timings.get("cache_n", 0)
        usage = Usage(input=read + cached, cached=cached, output=self.timings.get("predicted_n", 0), cost=0.0)
        return ModelReply(self.text, self.finish_reason, usage)


def _deliver_on_loop(on_text: OnText | None) -> OnText:
    """`on_text` for calls from any thread."""
    loop = asyncio.get_running_loop()

    def deliver(piece: str) -> None:
        if on_text is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed, so the text is not needed
                loop.call_soon_threadsafe(on_text, piece)

    return deliver


def _as_model_error(error: dict[str, Any]) -> ModelError:
    message = f"the embedded model: {error.get('message', 'failed without a reason')}"
    if error.get("type") == "exceed_context_size_error":
        return ContextOverflow(message)
    return Rejected(message) if error.get("code") == 400 else ServerFault(message)


def _body(request: Request, small: bool) -> dict[str, Any]:
    messages = [{"role": message.role, "content": message.content} for message in request.messages]
    body: dict[str, Any] = {
        "messages": messages,
        "max_tokens": request.max_tokens,
        "seed": request.seed,
        "stream": True,
        "return_progress": True,  # a chunk per batch of the prompt, where a call can be stopped
        "timings_per_token": True,  # token counts, since a stopped reply has no last chunk
        "chat_template_kwargs": {"enable_thinking": False},
    }
    if small:
        at_most = JSON_TOKENS if request.schema else REPLY_TOKENS_AT_MOST
        sampling = CHOOSING if request.schema and not texts_in(request.schema) else SMALL_SAMPLING
        body |= sampling | {"max_tokens": min(request.max_tokens, at_most)}
        if not request.schema:
            body["grammar"] = PLAIN_PROSE
    body |= request.sampling.document()
    body["seed"] %= 0xFFFFFFFF  # the excluded number means "random" to the runtime
    if request.schema:
        schema = closed_schema(needed(request.schema) if small else request.schema, _UNSUPPORTED)
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"schema": _bounded(schema) if small else schema},
        }
    return body


def _bounded(schema: Any) -> Any:
    """The schema with a bound on every text and list, so that a small model finishes its JSON in time."""
    if isinstance(schema, list):
        return [_bounded(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    bounded = {key: value if key in ("const", "enum") else _bounded(value) for key, value in schema.items()}
    if schema.get("type") == "string" and not schema.keys() & {"const", "enum"}:
        longest = min(schema.get("maxLength", JSON_STRING_LENGTH), JSON_STRING_LENGTH)
        bounded["maxLength"] = max(longest, schema.get("minLength", 0))
    if schema.get("type") == "array":
        most = min(schema.get("maxItems", JSON_ARRAY_ITEMS), JSON_ARRAY_ITEMS)
        bounded["maxItems"] = max(most, schema.get("minItems", 0))
    return bounded


async def _fetch_weights(wanted: Weights) -> None:
    if weights.have_weights(wanted):
        return
    stopped = threading.Event()

    def progress(done: int, total: int) -> None:
        if stopped.is_set():
            raise NotReady(f"fetching the weights of {wanted.name} was stopped")
        if weights.on_progress is not None:
            weights.on_progress(done, total)

    try:
        await asyncio.to_thread(weights.fetch_weights, progress, weights=wanted)
    except asyncio.CancelledError:
        stopped.set()
        raise


def _check_gguf(path: Path) -> None:
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        own = f"; the model that moot brings is {SHIPPED_MODEL}" if isinstance(error, FileNotFoundError) else ""
        raise NotReady(f"the model file {path} cannot be read: {error.strerror}{own}") from error
    if magic != b"GGUF":
        raise NotReady(f"{path} is not a GGUF model file")


@cache
def _runtime_package() -> Any:
    _check_cpu()
    # Spinning threads starve each other on a busy machine; the library reads this once, when it is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        import xllamacpp
    except ModuleNotFoundError as error:
        missing = MissingExtra("embedded", "xllamacpp")
        raise NotReady(f"{missing}, or choose another model with -m or MOOT_MODEL: `moot models` has them") from error
    except ImportError as error:
        if "libgomp" in str(error):
            raise NotReady(
                "the embedded model needs the system library libgomp; "
                "install it with: apt install libgomp1 (or: dnf install libgomp, apk add libgomp)"
            ) from error
        raise NotReady(f"the embedded model's package cannot be loaded: {error}") from error
    return xllamacpp


def _check_cpu() -> None:
    """The prebuilt runtime uses AVX2 without checking, and would crash the process."""
    cpuinfo = Path("/proc/cpuinfo")
    if platform.machine() == "x86_64" and cpuinfo.exists() and " avx2" not in cpuinfo.read_text():
        raise NotReady("the embedded model needs a processor with AVX2; use another model (-m)")


def _load(path: Path, small: bool) -> Any:
    xllamacpp = _runtime_package()
    size = SMALL if small else LARGE
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_parallel = size.slots
    params.n_ctx = size.slots * size.context_window
    params.n_batch = params.n_ubatch = size.batch
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = min(cores, MAX_THREADS)
    params.cache_ram_mib = PROMPT_CACHE_MIB
    params.verbosity = -1
    # The runtime always opens a loopback port, which must not be used by other programs.
    params.api_keys = [secrets.token_urlsafe(32)]
    params.ui = False
    params.n_threads_http = 1
    if small:
        # The same request gives the same text, regardless of other calls and the cache. With keys and values of another
        # type, rounding depends on how many tokens are computed together.
        params.n_gpu_layers = 0
        params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED
        params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_Q8_0
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise NotReady(f"the model file {path} could not be loaded: {error}") from error
