"""What feeds add to the command of a protocol: their titles as a document, and the first one as what is debated."""

from collections.abc import Sequence
from typing import Any

import moot
from moot.cli.additions import Addition, Decorator
from moot.cli.sections import document_option
from moot.engine.define.protocol import Protocol

MOST_TRENDING = 5
PULSE = document_option(
    "--pulse",
    "feeds",
    multiple=True,
    metavar="FEED",
    help="Give the agents the headlines of an RSS or Atom feed; without a topic, debate the top story. Repeatable.",
)


class Trending(Addition):
    def __init__(self, settings: dict[str, Any]) -> None:
        self.feeds: tuple[str, ...] = settings.pop("feeds", ())

    @classmethod
    def options(cls, command: str, protocol: Protocol | None) -> Sequence[Decorator]:
        del command
        return [PULSE] if protocol is not None else []

    def settings(self, protocol: Protocol | None, given: dict[str, Any]) -> dict[str, Any]:
        if not self.feeds or protocol is None:
            return {}
        from moot.feeds.command import read_pulse
        from moot.feeds.pulse import as_documents

        found = read_pulse(self.feeds, MOST_TRENDING)
        if not found.items:
            raise moot.ConfigError("there is nothing in these feeds")
        subject, topic = protocol.subject.key, found.items[0].title
        about = {} if given[subject] or given["file"] else {subject: topic}
        return {**about, "documents": [*(given["documents"] or []), *as_documents(found.items)]}
