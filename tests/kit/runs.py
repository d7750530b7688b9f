"""What a debate has left: its entries, and what its models were asked."""

import moot
from moot.testing import ScriptedModel


def entries(result: moot.Result) -> list[moot.Entry]:
    return moot.find_run(result.run).entries()


def asked(model: ScriptedModel, key: str) -> str:
    """The last prompt sent at that key."""
    return [request for request in model.requests if request.key == key][-1].messages[-1].content
