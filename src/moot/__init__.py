"""moot stages structured debates between language models and leaves a decision that can be audited.

    import asyncio, moot

    result = asyncio.run(moot.duel("Should we rewrite the billing service in Rust?", model="openai/gpt-5"))
    print(result.outcome.winner, result.run)

`moot.sync.duel(…)` does the same without `asyncio`, in scripts and notebooks. A debate runs in a folder of its own;
`find_run` opens it again, `resume` takes it up where it stopped.
"""

from moot.plugins.lazy import lazy as _lazy

__getattr__ = _lazy(globals())
