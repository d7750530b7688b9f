"""The API for authors of protocols, features, and providers.

    from moot.api import Protocol, Room, Template

A protocol is an async function over a `Room`, with a `Protocol` that describes it. docs/protocols.md builds one step by
step. The built-in protocols import nothing else of moot but rooms that can be used alone, such as `moot.text`.
"""

from typing import TYPE_CHECKING

from moot.plugins.lazy import lazy as _lazy

if TYPE_CHECKING:
    from moot.api._kit import CheckedQuotes as CheckedQuotes
    from moot.api._kit import Lettered as Lettered
    from moot.api._kit import Quotation as Quotation
    from moot.api._kit import SeatedConfig as SeatedConfig
    from moot.api._kit import TopicConfig as TopicConfig
    from moot.api._kit import TwoAnswersConfig as TwoAnswersConfig
    from moot.api._kit import ask_and_emit as ask_and_emit
    from moot.api._kit import check_quotes as check_quotes
    from moot.api._kit import detail_of as detail_of
    from moot.api._kit import estimate_in as estimate_in
    from moot.api._kit import introduce as introduce
    from moot.api._kit import introduction as introduction
    from moot.api._kit import is_reply as is_reply
    from moot.api._kit import lettered as lettered
    from moot.api._kit import lines_by_type as lines_by_type
    from moot.api._kit import list_of as list_of
    from moot.api._kit import member as member
    from moot.api._kit import one_of as one_of
    from moot.api._kit import parts_of as parts_of
    from moot.api._kit import patience as patience
    from moot.api._kit import says as says
    from moot.api._kit import seat_roles as seat_roles
    from moot.api._kit import seated as seated
    from moot.api._kit import text_of as text_of
    from moot.api._questions import answering as answering
    from moot.api._questions import choosing as choosing
    from moot.api._questions import claim_of as claim_of
    from moot.api._questions import majority as majority
    from moot.api._questions import same_answer as same_answer
    from moot.api._questions import task_of as task_of
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
    from moot.engine.define.frozen import is_frozen as is_frozen
    from moot.engine.define.gate import Decides as Decides
    from moot.engine.define.gate import Ground as Ground
    from moot.engine.define.gate import Revised as Revised
    from moot.engine.define.gate import Separated as Separated
    from moot.engine.define.options import Option as Option
    from moot.engine.define.options import Subject as Subject
    from moot.engine.define.plain import plain_line as plain_line
    from moot.engine.define.protocol import Protocol as Protocol
    from moot.engine.define.protocol import Role as Role
    from moot.engine.define.registry import load_file as load_file
    from moot.engine.define.registry import register as register
    from moot.engine.define.registry import voting_rules as voting_rules
    from moot.engine.define.remembered import Cast as Cast
    from moot.engine.define.remembered import Remembered as Remembered
    from moot.engine.define.study import TRUTH as TRUTH
    from moot.engine.define.study import Answer as Answer
    from moot.engine.define.study import Asking as Asking
    from moot.engine.define.study import Change as Change
    from moot.engine.define.study import Content as Content
    from moot.engine.define.study import Findings as Findings
    from moot.engine.define.study import Match as Match
    from moot.engine.define.study import Question as Question
    from moot.engine.define.study import Reading as Reading
    from moot.engine.define.study import Said as Said
    from moot.engine.define.study import Study as Study
    from moot.engine.define.study import Variation as Variation
    from moot.engine.define.study import plain_words as plain_words
    from moot.engine.outcome.brief import BRIEF_PARTS as BRIEF_PARTS
    from moot.engine.outcome.brief import MOST_REASONS as MOST_REASONS
    from moot.engine.outcome.brief import BriefBesides as BriefBesides
    from moot.engine.outcome.brief import BriefReply as BriefReply
    from moot.engine.outcome.brief import NotBlank as NotBlank
    from moot.engine.outcome.brief import Reasons as Reasons
    from moot.engine.outcome.brief import ReplyText as ReplyText
    from moot.engine.outcome.brief import brief_in_words as brief_in_words
    from moot.engine.outcome.brief import firm_by_votes as firm_by_votes
    from moot.engine.outcome.brief import headline as headline
    from moot.engine.outcome.brief import point as point
    from moot.engine.outcome.brief import points as points
    from moot.engine.outcome.brief import reasons_in as reasons_in
    from moot.engine.outcome.brief import recorded_brief as recorded_brief
    from moot.engine.outcome.brief import send_back_once as send_back_once
    from moot.engine.outcome.brief import without_answer as without_answer
    from moot.engine.outcome.material import Material as Material
    from moot.engine.outcome.result import Result as Result
    from moot.engine.play.agent import Agent as Agent
    from moot.engine.play.agent import flags_of as flags_of
    from moot.engine.play.agent import part_of as part_of
    from moot.engine.play.branches import published as published
    from moot.engine.play.casting import Models as Models
    from moot.engine.play.frame import FRAMER as FRAMER
    from moot.engine.play.frame import FramedConfig as FramedConfig
    from moot.engine.play.frame import claim_and_denial as claim_and_denial
    from moot.engine.play.frame import claim_in as claim_in
    from moot.engine.play.frame import denied as denied
    from moot.engine.play.frame import frame as frame
    from moot.engine.play.frame import held as held
    from moot.engine.play.frame import needs_of as needs_of
    from moot.engine.play.frame import posed as posed
    from moot.engine.play.prompt import Anonymous as Anonymous
    from moot.engine.play.prompt import Fact as Fact
    from moot.engine.play.prompt import Prompt as Prompt
    from moot.engine.play.prompt import Template as Template
    from moot.engine.play.prompt import fenced as fenced
    from moot.engine.play.prose import THINKING as THINKING
    from moot.engine.play.prose import Prose as Prose
    from moot.engine.play.room import TRIES as TRIES
    from moot.engine.play.room import Deadline as Deadline
    from moot.engine.play.room import Reply as Reply
    from moot.engine.play.room import Room as Room
    from moot.engine.play.room import Task as Task
    from moot.engine.play.stance import Stance as Stance
    from moot.engine.play.stance import both_sides as both_sides
    from moot.engine.play.stance import weighing as weighing
    from moot.engine.play.structured import THOUGHT as THOUGHT
    from moot.engine.play.structured import Failure as Failure
    from moot.engine.play.structured import Fault as Fault
    from moot.engine.play.structured import Shape as Shape
    from moot.engine.play.structured import parse as parse
    from moot.engine.sources.citations import IN_DEBATES as IN_DEBATES
    from moot.engine.sources.citations import citations as citations
    from moot.engine.sources.citations import is_in as is_in
    from moot.engine.staging.runs import Run as Run
    from moot.engine.staging.runs import slug as slug
    from moot.errors import CallFailed as CallFailed
    from moot.errors import ConfigError as ConfigError
    from moot.errors import KeyFault as KeyFault
    from moot.errors import QuorumLost as QuorumLost
    from moot.models.embeddings import Alike as Alike
    from moot.models.embeddings import alike as alike
    from moot.models.embeddings import threshold_of as threshold_of
    from moot.models.plugged import Provider as Provider
    from moot.plugins.extras import require as require
    from moot.plugins.features import Command as Command
    from moot.plugins.features import Feature as Feature
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
    from moot.record.entry import Draft as Draft
    from moot.record.entry import Entry as Entry
    from moot.record.entry import Source as Source
    from moot.record.entry import data_of as data_of
    from moot.record.entry import first_data as first_data
    from moot.record.entry import header_of as header_of
    from moot.record.entry import now as now
    from moot.record.journal import Record as Record
    from moot.record.payloads import Cited as Cited
    from moot.record.payloads import Frame as Frame
    from moot.record.payloads import Given as Given
    from moot.record.payloads import Header as Header
    from moot.record.payloads import Member as Member
    from moot.record.payloads import Payload as Payload
    from moot.record.payloads import Payloads as Payloads
    from moot.record.payloads import Side as Side
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
            "moot.api._kit": "CheckedQuotes Lettered Quotation SeatedConfig TopicConfig TwoAnswersConfig ask_and_emit "
            "check_quotes detail_of estimate_in introduce introduction is_reply lettered "
            "lines_by_type list_of member one_of parts_of patience says seat_roles seated text_of",
            "moot.api._questions": "answering choosing claim_of majority same_answer task_of",
            "moot.engine.define.capabilities": "ArgumentMap CarriesFiles Choices Defaults Due GateTool Gated LiveView "
            "LookupRules NoRejudge OutsideEntries OwnDocuments PrivateKeys "
            "ReceiptFields Redactions Rejudge Remembers Reviews SpecialKeys Suits "
            "TokenCounts Unlisted Unplanned Versions",
            "moot.engine.define.contest": "Contestable",
            "moot.engine.define.exporter": "Exporter",
            "moot.engine.define.frozen": "is_frozen",
            "moot.engine.define.gate": "Decides Ground Revised Separated",
            "moot.engine.define.options": "Option Subject",
            "moot.engine.define.plain": "plain_line",
            "moot.engine.define.protocol": "Protocol Role",
            "moot.engine.define.registry": "load_file register voting_rules",
            "moot.engine.define.remembered": "Cast Remembered",
            "moot.engine.define.study": "Answer Asking Change Content Findings Match Question Reading Said Study "
            "TRUTH Variation plain_words",
            "moot.engine.outcome.brief": "BRIEF_PARTS BriefBesides BriefReply MOST_REASONS NotBlank Reasons ReplyText "
            "brief_in_words firm_by_votes headline point points reasons_in "
            "recorded_brief send_back_once without_answer",
            "moot.engine.outcome.material": "Material",
            "moot.engine.outcome.result": "Result",
            "moot.engine.play.agent": "Agent flags_of part_of",
            "moot.engine.play.branches": "published",
            "moot.engine.play.casting": "Models",
            "moot.engine.play.frame": "FRAMER FramedConfig claim_and_denial claim_in denied frame held needs_of posed",
            "moot.engine.play.prompt": "Anonymous Fact Prompt Template fenced",
            "moot.engine.play.prose": "Prose THINKING",
            "moot.engine.play.room": "Task Deadline Reply Room TRIES",
            "moot.engine.play.stance": "Stance both_sides weighing",
            "moot.engine.play.structured": "Failure Fault Shape THOUGHT parse",
            "moot.engine.sources.citations": "IN_DEBATES citations is_in",
            "moot.engine.staging.runs": "Run slug",
            "moot.errors": "CallFailed ConfigError KeyFault QuorumLost",
            "moot.models.embeddings": "Alike alike threshold_of",
            "moot.models.plugged": "Provider",
            "moot.plugins.extras": "require",
            "moot.plugins.features": "Command Feature",
            "moot.present": "Bar BarChart Brief Details Dissent Facts Finding Flag Heading Item Items Line Lines "
            "Paragraph Point Quote Section Summary Table Tabs Verbatim Version Where",
            "moot.record.entry": "Draft Entry Source data_of first_data header_of now",
            "moot.record.journal": "Record",
            "moot.record.payloads": "Cited Frame Given Header Member Payload Payloads Side",
            "moot.stats.ranks": "Placed kendall_w placed preference_in_words self_preference",
            "moot.stats.spreads": "Spread chart_spreads spread_of widths_of",
            "moot.text.figures": "figure",
            "moot.text.prose": "listed plural",
            "moot.voting.rules": "Ballot Election Rule",
        },
    )
