"""Follow-up debates: a new question to the same agents, who get the outcome of the earlier debate as a document."""

from collections.abc import Mapping
from typing import Any

from moot.engine.define.config import RunConfig
from moot.engine.define.layers import configure
from moot.engine.define.study import Study
from moot.engine.outcome.stored import StoredResult, stored_result
from moot.engine.sources.context import LONGEST_SHOWN_TITLE
from moot.engine.staging.runs import Run
from moot.errors import ConfigError
from moot.text import clip, one_line
from moot.text.prose import sentence

OUTCOMES = ("answer", "proposal", "decision", "plan", "thesis")
"""Fields of an outcome with more than the headline says, the fullest first."""
NOT_KEPT = ("moot", "protocol", "seed", "out", "submitted", "accept_revised")


def follow_up(run: Run, question: str, **settings: Any) -> RunConfig:
    """The config of a debate like this one about another question, which gets the outcome of this one as a document.
    `settings` replace those of the earlier debate; None means not given."""
    config = run.config
    if config.protocol.missing:
        raise ConfigError(f"{run.name} cannot be followed up: {config.protocol.missing}", "protocol")
    earlier = outcome_document(run)
    subject, study = config.protocol.subject, config.protocol.get(Study)
    about = {subject.key, subject.source, *NOT_KEPT, *((*study.subjects, *study.of_question) if study else ())}
    kept = {key: value for key, value in config.content().items() if key not in about}
    given = {**kept, **{key: value for key, value in settings.items() if value is not None}}
    given["documents"] = [earlier, *given.get("documents", [])]
    return configure(config.protocol.name, **{**given, subject.key: question})


def outcome_document(run: Run) -> dict[str, Any]:
    """The outcome of a debate as a document for another one; ConfigError if it has no outcome yet."""
    result = stored_result(run)
    if result is None or result.status != "done":
        raise ConfigError(f"{run.name} has no outcome yet; `moot resume` continues it")
    topic = run.config.topic
    title = clip(f"The outcome of an earlier debate: {one_line(topic)}", LONGEST_SHOWN_TITLE)
    return {"title": title, "text": _outcome_text(topic, result, run.result() or {}), "source": f"run {run.name}"}


def _outcome_text(topic: str, result: StoredResult, document: Mapping[str, Any]) -> str:
    """The outcome of a debate, in the words that every reader sees."""
    summary = result.summary
    whole = next((text for key in OUTCOMES if isinstance(text := document.get(key), str)), "")
    parts = [
        f"The question was: {topic}",
        f"It came to: {sentence(summary.headline)} {summary.reached}".strip(),
        whole if whole.casefold() not in summary.headline.casefold() else "",
        *(f"{words}: {text}" for words, text in summary.brief.lines),
        *(f"To be known before relying on it: {one.text}" for one in result.flags if one.severity == "warning"),
    ]
    return "\n\n".join(part for part in parts if part)
