"""The parts of a debate that can be shown, as plain data. Renderers for HTML, Markdown and the terminal draw them.

A protocol describes the outcome in a `Summary`, the evidence for it in `Section`s of blocks, and each entry in a
`Line`. Any text in them can come from a model or a stranger, so renderers escape all of it.
"""

from moot.plugins.lazy import lazy as _lazy

__getattr__ = _lazy(globals())
