# The names of this page, a line each. Each is loaded when it is asked for: see moot.plugins.lazy.
from moot.studies.rejudge.agreement import JudgeAgreement as JudgeAgreement
from moot.studies.rejudge.agreement import judge_agreement as judge_agreement
from moot.studies.rejudge.staging import Orders as Orders
from moot.studies.rejudge.staging import rejudge as rejudge
from moot.studies.rejudge.staging import rejudging_of as rejudging_of

__all__: list[str]  # noqa: PYI035 (made when the page is loaded)
