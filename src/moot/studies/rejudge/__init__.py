"""Re-judging without re-debating: other judges, the other order, another rule, over debates that are over."""

from moot.studies.rejudge.agreement import JudgeAgreement, judge_agreement
from moot.studies.rejudge.staging import Orders, rejudge, rejudging_of

__all__ = ["JudgeAgreement", "Orders", "judge_agreement", "rejudge", "rejudging_of"]
