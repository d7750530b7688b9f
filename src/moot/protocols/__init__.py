"""The API for authors of protocols.

    from moot.protocols import Protocol, Room, Template

A protocol is an async function over a `Room`, with a `Protocol` that describes it. docs/protocols.md builds one step by
step. The built-in protocols are in this package, one folder each, and use nothing else.
"""

from typing import TYPE_CHECKING

from moot.plugins.lazy import lazy as _lazy

if TYPE_CHECKING:
    from moot.engine.define.capabilities import ArgumentMap as ArgumentMap
    from moot.engine.define.capabilities import CarriesFiles as CarriesFiles
    from moot.engine.define.capabilities import Choices as Choices
    from moot.engine.define.capabilities import Defaults as Defaults
    from moot.engine.define.capabilities import Due as Due
    from moot.engine.define.capabilities import Gated as Gated
    from moot.engine.define.capabilities import GateTool as GateTool
    from moot.engine.define.capabilities import LiveView as LiveView
    from moot.engine.define.capabilities import LookupRules as LookupRules
    from moot.engine.define.capabilities import NoRejudge as NoRejudge
    from moot.engine.define.capabilities import OutsideEntries as OutsideEntries
    from moot.engine.define.capabilities import OwnDocuments as OwnDocuments
    from moot.engine.define.capabilities import PrivateKeys as PrivateKeys
    from moot.engine.define.capabilities import ReceiptFields as ReceiptFields
    from moot.engine.define.capabilities import Redactions as Redactions
    from moot.engine.define.capabilities import Rejudge as Rejudge
    from moot.engine.define.capabilities import Remembers as Remembers
    from moot.engine.define.capabilities import Reviews as Reviews
    from moot.engine.define.capabilities import SpecialKeys as SpecialKeys
    from moot.engine.define.capabilities import Suits as Suits
    from moot.engine.define.capabilities import TokenCounts as TokenCounts
    from moot.engine.define.capabilities import Unlisted as Unlisted
    from moot.engine.define.capabilities import Unplanned as Unplanned
    from moot.engine.define.capabilities import Versions as Versions
    from moot.engine.define.contest import Contestable as Contestable
    from moot.engine.define.exporter import Exporter as Exporter
    from moot.engine.define.gate import Decides as Decides
    from moot.engine.define.gate import Revised as Revised
    from moot.engine.define.gate import Separated as Separated
    from moot.engine.define.options import Option as Option
    from moot.engine.define.options import Subject as Subject
    from moot.engine.define.protocol import Protocol as Protocol
    from moot.engine.define.protocol import Role as Role
    from moot.engine.define.registry import load_file as load_file
    from moot.engine.define.registry import register as register
    from moot.engine.define.remembered import Remembered as Remembered
    from moot.engine.define.study import Asking as Asking
    from moot.engine.define.study import Findings as Findings
    from moot.engine.define.study import Study as Study
    from moot.engine.outcome.brief import BRIEF_PARTS as BRIEF_PARTS
    from moot.engine.outcome.brief import BriefReply as BriefReply
    from moot.engine.outcome.brief import NotBlank as NotBlank
    from moot.engine.outcome.brief import brief_in_words as brief_in_words
    from moot.engine.outcome.brief import firm_by_votes as firm_by_votes
    from moot.engine.outcome.brief import headline as headline
    from moot.engine.outcome.brief import reasons_in as reasons_in
    from moot.engine.outcome.brief import recorded_brief as recorded_brief
    from moot.engine.outcome.brief import send_back_once as send_back_once
    from moot.engine.outcome.material import Material as Material
    from moot.engine.play.agent import Agent as Agent
    from moot.engine.play.frame import FRAMER as FRAMER
    from moot.engine.play.frame import FramedConfig as FramedConfig
    from moot.engine.play.frame import claim_and_denial as claim_and_denial
    from moot.engine.play.frame import claim_in as claim_in
    from moot.engine.play.frame import frame as frame
    from moot.engine.play.frame import needs_of as needs_of
    from moot.engine.play.frame import posed as posed
    from moot.engine.play.prompt import Anonymous as Anonymous
    from moot.engine.play.prompt import Template as Template
    from moot.engine.play.prose import Prose as Prose
    from moot.engine.play.room import Aside as Aside
    from moot.engine.play.room import Reply as Reply
    from moot.engine.play.room import Room as Room
    from moot.engine.play.structured import Failure as Failure
    from moot.models.plugged import Provider as Provider
    from moot.present import Bar as Bar
    from moot.present import BarChart as BarChart
    from moot.present import Brief as Brief
    from moot.present import Details as Details
    from moot.present import Dissent as Dissent
    from moot.present import Facts as Facts
    from moot.present import Finding as Finding
    from moot.present import Flag as Flag
    from moot.present import Heading as Heading
    from moot.present import Item as Item
    from moot.present import Items as Items
    from moot.present import Line as Line
    from moot.present import Lines as Lines
    from moot.present import Paragraph as Paragraph
    from moot.present import Point as Point
    from moot.present import Quote as Quote
    from moot.present import Section as Section
    from moot.present import Summary as Summary
    from moot.present import Table as Table
    from moot.present import Tabs as Tabs
    from moot.present import Verbatim as Verbatim
    from moot.present import Version as Version
    from moot.present import Where as Where
    from moot.protocols._kit import CheckedQuotes as CheckedQuotes
    from moot.protocols._kit import Lettered as Lettered
    from moot.protocols._kit import Quotation as Quotation
    from moot.protocols._kit import SeatedConfig as SeatedConfig
    from moot.protocols._kit import TopicConfig as TopicConfig
    from moot.protocols._kit import TwoAnswersConfig as TwoAnswersConfig
    from moot.protocols._kit import ask_and_emit as ask_and_emit
    from moot.protocols._kit import check_quotes as check_quotes
    from moot.protocols._kit import detail_of as detail_of
    from moot.protocols._kit import estimate_in as estimate_in
    from moot.protocols._kit import introduce as introduce
    from moot.protocols._kit import is_reply as is_reply
    from moot.protocols._kit import lettered as lettered
    from moot.protocols._kit import lines_by_type as lines_by_type
    from moot.protocols._kit import list_of as list_of
    from moot.protocols._kit import one_of as one_of
    from moot.protocols._kit import says as says
    from moot.protocols._kit import seat_roles as seat_roles
    from moot.protocols._kit import seated as seated
    from moot.protocols._kit import text_of as text_of
    from moot.protocols._questions import answering as answering
    from moot.protocols._questions import choosing as choosing
    from moot.protocols._questions import claim_of as claim_of
    from moot.protocols._questions import majority as majority
    from moot.protocols._questions import same_answer as same_answer
    from moot.protocols._questions import task_of as task_of
    from moot.record.entry import Draft as Draft
    from moot.record.entry import Entry as Entry
    from moot.record.entry import Source as Source
    from moot.record.payloads import Frame as Frame
    from moot.record.payloads import Header as Header
    from moot.record.payloads import Member as Member
    from moot.record.payloads import Payload as Payload
    from moot.stats.ranks import Placed as Placed
    from moot.stats.ranks import kendall_w as kendall_w
    from moot.stats.ranks import placed as placed
    from moot.stats.ranks import preference_in_words as preference_in_words
    from moot.stats.ranks import self_preference as self_preference
    from moot.stats.spreads import Spread as Spread
    from moot.stats.spreads import chart_spreads as chart_spreads
    from moot.stats.spreads import spread_of as spread_of
    from moot.stats.spreads import widths_of as widths_of
    from moot.text.figures import figure as figure
    from moot.text.prose import listed as listed
    from moot.text.prose import plural as plural
    from moot.voting.rules import Ballot as Ballot
    from moot.voting.rules import Election as Election
    from moot.voting.rules import Rule as Rule

    __all__: list[str]
else:  # a type checker would take any name
    __getattr__ = _lazy(
        globals(),
        {
            "moot.engine.play.agent": "Agent",
            "moot.engine.outcome.brief": "BRIEF_PARTS BriefReply NotBlank brief_in_words firm_by_votes headline "
            "reasons_in recorded_brief send_back_once",
            "moot.engine.define.contest": "Contestable",
            "moot.engine.define.exporter": "Exporter",
            "moot.engine.play.frame": "FRAMER FramedConfig claim_and_denial claim_in frame needs_of posed",
            "moot.engine.define.gate": "Decides Revised Separated",
            "moot.engine.outcome.material": "Material",
            "moot.engine.define.options": "Option Subject",
            "moot.engine.define.capabilities": "ArgumentMap CarriesFiles Choices Defaults OwnDocuments "
            "Due GateTool Gated LiveView LookupRules NoRejudge OutsideEntries PrivateKeys ReceiptFields "
            "Redactions Rejudge Remembers Reviews SpecialKeys Suits TokenCounts "
            "Unlisted Unplanned Versions",
            "moot.engine.play.prompt": "Anonymous Template",
            "moot.engine.play.prose": "Prose",
            "moot.engine.define.protocol": "Protocol Role",
            "moot.engine.define.registry": "load_file register",
            "moot.engine.define.remembered": "Remembered",
            "moot.engine.play.room": "Aside Reply Room",
            "moot.engine.play.structured": "Failure",
            "moot.engine.define.study": "Asking Findings Study",
            "moot.models.plugged": "Provider",
            "moot.present": "Bar BarChart Brief Details Dissent Facts Finding Flag Heading Item Items Line Lines "
            "Paragraph Point Quote Section Summary Table Tabs Verbatim Version Where",
            "moot.protocols._kit": "CheckedQuotes Lettered Quotation SeatedConfig TopicConfig "
            "TwoAnswersConfig ask_and_emit check_quotes detail_of estimate_in introduce is_reply "
            "lettered lines_by_type list_of one_of says seat_roles seated text_of",
            "moot.protocols._questions": "answering choosing claim_of majority same_answer task_of",
            "moot.record.entry": "Draft Entry Source",
            "moot.record.payloads": "Frame Header Member Payload",
            "moot.stats.ranks": "Placed kendall_w placed preference_in_words self_preference",
            "moot.stats.spreads": "Spread chart_spreads spread_of widths_of",
            "moot.text.figures": "figure",
            "moot.text.prose": "listed plural",
            "moot.voting.rules": "Ballot Election Rule",
        },
    )
