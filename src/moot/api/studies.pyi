# The names of this page, a line each. Each is loaded when it is asked for: see moot.plugins.lazy.
from moot.api._questions import answering as answering
from moot.api._questions import choosing as choosing
from moot.api._questions import claim_of as claim_of
from moot.api._questions import closing as closing
from moot.api._questions import majority as majority
from moot.api._questions import marked as marked
from moot.api._questions import same_answer as same_answer
from moot.engine.define.study import TRUTH as TRUTH
from moot.engine.define.study import Answer as Answer
from moot.engine.define.study import Asking as Asking
from moot.engine.define.study import Change as Change
from moot.engine.define.study import Content as Content
from moot.engine.define.study import Findings as Findings
from moot.engine.define.study import FoundAnswer as FoundAnswer
from moot.engine.define.study import Match as Match
from moot.engine.define.study import Question as Question
from moot.engine.define.study import Reading as Reading
from moot.engine.define.study import Study as Study
from moot.engine.define.study import Variation as Variation

__all__: list[str]  # noqa: PYI035 (made when the page is loaded)
