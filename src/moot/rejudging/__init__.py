"""Re-judging without re-debating: other judges, the other order, another rule, over debates that are over."""

from moot.rejudging.agreement import JudgeAgreement, judge_agreement
from moot.rejudging.staging import Orders, rejudge, rejudging_of

__all__ = ["JudgeAgreement", "Orders", "judge_agreement", "rejudge", "rejudging_of"]
