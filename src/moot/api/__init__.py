"""The API for authors of protocols, features, and providers.

    from moot.api import Protocol, Room, Template

A protocol is an async function over a `Room`, with a `Protocol` that describes it. docs/protocols.md builds one step by
step. The built-in protocols import nothing else of moot but rooms that can be used alone, such as `moot.text`.
"""

from moot.plugins.lazy import lazy as _lazy

__getattr__ = _lazy(globals())
