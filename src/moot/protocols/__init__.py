"""The API for authors of protocols.

    from moot.protocols import Protocol, Room, Template

A protocol is an async function over a `Room`, with a `Protocol` that describes it. docs/protocols.md builds one step by
step. The built-in protocols are in this package, one folder each, and use nothing else.
"""

from typing import TYPE_CHECKING

from moot.plugins.lazy import lazy as _lazy

if TYPE_CHECKING:
    from moot.engine.agent import Agent
    from moot.engine.contest import Contestable
    from moot.engine.exporter import Exporter
    from moot.engine.gate import Decides, Separated
    from moot.engine.material import Material
    from moot.engine.options import Option, Subject
    from moot.engine.pages import Ballots, Blind, Gated
    from moot.engine.preferences import Preference, Preferences, between_cases, from_ballots
    from moot.engine.prompt import Anonymous, Template
    from moot.engine.prose import Prose
    from moot.engine.protocol import Part, Protocol, Series, Words
    from moot.engine.registry import load_file, register
    from moot.engine.remembered import Remembered
    from moot.engine.room import Aside, Reply, Room
    from moot.engine.structured import Failure
    from moot.engine.study import (
        Asking,
        Findings,
        Study,
    )
    from moot.models.plugged import Provider
    from moot.present import (
        Bar,
        BarChart,
        Details,
        Dissent,
        Facts,
        Flag,
        Heading,
        Item,
        Items,
        Line,
        Lines,
        Paragraph,
        Quote,
        Section,
        Summary,
        Table,
        Tabs,
        Verbatim,
        Version,
    )
    from moot.protocols._kit import (
        CheckedQuotes,
        Claim,
        Lettered,
        NotBlank,
        Quotation,
        SeatedConfig,
        TopicConfig,
        TwoAnswersConfig,
        ask_and_emit,
        check_quotes,
        detail_of,
        estimate_in,
        introduce,
        is_reply,
        lettered,
        list_of,
        one_of,
        seat_parts,
        seated,
        text_of,
    )
    from moot.protocols._questions import (
        answering,
        choosing,
        claim_of,
        majority,
        same_answer,
        task_of,
    )
    from moot.record.entry import Draft, Entry, Source
    from moot.record.payloads import Header, Member, Payload
    from moot.stats.ranks import Placed, kendall_w, placed, self_preference
    from moot.stats.spreads import (
        Spread,
        draw_spreads,
        spread_of,
        widths_of,
    )
    from moot.text.figures import figure
    from moot.voting.rules import Ballot, Election, Rule

__all__ = [
    "Agent",
    "Anonymous",
    "Aside",
    "Asking",
    "Ballot",
    "Ballots",
    "Bar",
    "BarChart",
    "Blind",
    "CheckedQuotes",
    "Claim",
    "Contestable",
    "Decides",
    "Details",
    "Dissent",
    "Draft",
    "Election",
    "Entry",
    "Exporter",
    "Facts",
    "Failure",
    "Findings",
    "Flag",
    "Gated",
    "Header",
    "Heading",
    "Item",
    "Items",
    "Lettered",
    "Line",
    "Lines",
    "Material",
    "Member",
    "NotBlank",
    "Option",
    "Paragraph",
    "Part",
    "Payload",
    "Placed",
    "Preference",
    "Preferences",
    "Prose",
    "Protocol",
    "Provider",
    "Quotation",
    "Quote",
    "Remembered",
    "Reply",
    "Room",
    "Rule",
    "SeatedConfig",
    "Section",
    "Separated",
    "Series",
    "Source",
    "Spread",
    "Study",
    "Subject",
    "Summary",
    "Table",
    "Tabs",
    "Template",
    "TopicConfig",
    "TwoAnswersConfig",
    "Verbatim",
    "Version",
    "Words",
    "answering",
    "ask_and_emit",
    "between_cases",
    "check_quotes",
    "choosing",
    "claim_of",
    "detail_of",
    "draw_spreads",
    "estimate_in",
    "figure",
    "from_ballots",
    "introduce",
    "is_reply",
    "kendall_w",
    "lettered",
    "list_of",
    "load_file",
    "majority",
    "one_of",
    "placed",
    "register",
    "same_answer",
    "seat_parts",
    "seated",
    "self_preference",
    "spread_of",
    "task_of",
    "text_of",
    "widths_of",
]

if not TYPE_CHECKING:  # it would accept any name
    __getattr__ = _lazy(
        globals(),
        {
            "moot.stats.spreads": (
                "Spread",
                "draw_spreads",
                "spread_of",
                "widths_of",
            ),
            "moot.engine.agent": ("Agent",),
            "moot.engine.contest": ("Contestable",),
            "moot.engine.remembered": ("Remembered",),
            "moot.engine.study": (
                "Asking",
                "Findings",
                "Study",
            ),
            "moot.stats.ranks": ("Placed", "kendall_w", "placed", "self_preference"),
            "moot.text.figures": ("figure",),
            "moot.voting.rules": ("Ballot", "Election", "Rule"),
            "moot.engine.exporter": ("Exporter",),
            "moot.models.plugged": ("Provider",),
            "moot.engine.material": ("Material",),
            "moot.engine.gate": ("Decides", "Separated"),
            "moot.engine.preferences": ("Preference", "Preferences", "between_cases", "from_ballots"),
            "moot.engine.options": ("Option", "Subject"),
            "moot.engine.pages": ("Ballots", "Blind", "Gated"),
            "moot.engine.protocol": ("Part", "Protocol", "Series", "Words"),
            "moot.engine.registry": ("load_file", "register"),
            "moot.record.entry": ("Draft", "Entry", "Source"),
            "moot.record.payloads": ("Header", "Member", "Payload"),
            "moot.present": (
                "Bar",
                "BarChart",
                "Details",
                "Dissent",
                "Facts",
                "Flag",
                "Heading",
                "Item",
                "Items",
                "Line",
                "Lines",
                "Paragraph",
                "Quote",
                "Section",
                "Summary",
                "Table",
                "Tabs",
                "Verbatim",
                "Version",
            ),
            "moot.engine.prompt": ("Anonymous", "Template"),
            "moot.engine.prose": ("Prose",),
            "moot.protocols._kit": (
                "CheckedQuotes",
                "Claim",
                "Lettered",
                "NotBlank",
                "Quotation",
                "SeatedConfig",
                "TopicConfig",
                "TwoAnswersConfig",
                "ask_and_emit",
                "check_quotes",
                "detail_of",
                "estimate_in",
                "introduce",
                "is_reply",
                "lettered",
                "list_of",
                "one_of",
                "seat_parts",
                "seated",
                "text_of",
            ),
            "moot.protocols._questions": (
                "answering",
                "choosing",
                "claim_of",
                "majority",
                "same_answer",
                "task_of",
            ),
            "moot.engine.room": ("Aside", "Reply", "Room"),
            "moot.engine.structured": ("Failure",),
        },
    )
