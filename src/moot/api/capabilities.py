"""What a protocol can do besides being played: values for `Protocol.capabilities`, and what they take."""

from moot.plugins.lazy import lazy as _lazy

__getattr__ = _lazy(globals())
