# The names of this page, a line each. Each is loaded when it is asked for: see moot.plugins.lazy.
from moot.engine.define.capabilities import ArgumentMap as ArgumentMap
from moot.engine.define.capabilities import CarriesFiles as CarriesFiles
from moot.engine.define.capabilities import Choices as Choices
from moot.engine.define.capabilities import Defaults as Defaults
from moot.engine.define.capabilities import Gated as Gated
from moot.engine.define.capabilities import GateTool as GateTool
from moot.engine.define.capabilities import LiveView as LiveView
from moot.engine.define.capabilities import LookupRules as LookupRules
from moot.engine.define.capabilities import NoRejudge as NoRejudge
from moot.engine.define.capabilities import OutsideEntries as OutsideEntries
from moot.engine.define.capabilities import OwnDocuments as OwnDocuments
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
from moot.engine.define.gate import Decides as Decides
from moot.engine.define.gate import Ground as Ground
from moot.engine.define.gate import Revised as Revised
from moot.engine.define.gate import Separated as Separated
from moot.engine.define.remembered import Cast as Cast
from moot.engine.define.remembered import Proposed as Proposed
from moot.engine.define.remembered import Remembered as Remembered

__all__: list[str]  # noqa: PYI035 (made when the page is loaded)
