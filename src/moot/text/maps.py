"""The look of an argument map: colours for light and dark mode, lines, arrowheads that distinguish relations, and the
ids of its elements."""

import re
from importlib.resources import files

CSS = "\n" + (files("moot") / "data" / "map.css").read_text("utf-8")

_HEAD = (
    '<marker id="am-head-{kind}" viewBox="0 0 {width} 10" refX="{width}" refY="5" markerWidth="{width}" '
    'markerHeight="10" markerUnits="userSpaceOnUse" orient="auto-start-reverse">{shape}</marker>'
)
MARKERS = "".join(
    (
        _HEAD.format(kind="attack", width=11, shape='<path class="am-point" d="M0 .8 11 5 0 9.2z"/>'),
        _HEAD.format(kind="undercut", width=18, shape='<path class="am-point" d="M0 .8 9 5 0 9.2zM9 .8 18 5 9 9.2z"/>'),
        _HEAD.format(kind="support", width=10, shape='<circle class="am-ring" cx="5" cy="5" r="4"/>'),
    )
)
"""An attack ends in one arrowhead, an undercut in two, a support in a ring."""


def anchor(name: str) -> str:
    """The id of an argument's element: `arg-P1` for P1; all characters but ASCII letters, digits and - are replaced by
    numbers."""
    return "arg-" + re.sub(r"[^A-Za-z0-9-]", lambda match: f"_{ord(match[0]):x}_", name)
