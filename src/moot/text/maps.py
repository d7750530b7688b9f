"""The look of an argument map: colours for light and dark mode, lines, arrowheads that distinguish relations, and the
ids of its elements."""

import re

CSS = """
.am { --am-paper: #fdfcfa; --am-card: #fff; --am-ink: #1c1e22; --am-soft: #575d68; --am-rule: #b9b5aa;
  --am-attack: #ab241c; --am-support: #1d6a35; color-scheme: light dark; font-family: system-ui, -apple-system,
  "Segoe UI", Roboto, "Noto Sans", Ubuntu, sans-serif; font-size: 12.5px; max-width: none; }
.am-side-0 { --am-own: #1d51b3; } .am-side-1 { --am-own: #98217b; } .am-side-2 { --am-own: #775700; }
.am-side-3 { --am-own: #0a6577; } .am-side-4 { --am-own: #4d5461; }
@media screen and (prefers-color-scheme: dark) {
  .am { --am-paper: #14161a; --am-card: #1b1e24; --am-ink: #e7e5df; --am-soft: #a6adb9; --am-rule: #4a505c;
    --am-attack: #ff9f96; --am-support: #86d49b; }
  .am-side-0 { --am-own: #9fc0ff; } .am-side-1 { --am-own: #f09fd9; } .am-side-2 { --am-own: #e3c257; }
  .am-side-3 { --am-own: #6fd0e0; } .am-side-4 { --am-own: #b9c0cb; }
}
.am-paper { fill: var(--am-paper); }
.am-box { fill: var(--am-card); stroke: var(--am-own, var(--am-rule)); stroke-width: 1.3; }
.am-arg:target .am-box { stroke-width: 3; }
.am a:focus .am-box, .am a:hover .am-box { stroke-width: 2.5; }
.am text { fill: var(--am-ink); }
.am .am-name { font-weight: 650; font-size: 13px; }
.am .am-side { fill: var(--am-own, var(--am-soft)); font-size: 10.5px; letter-spacing: .03em; }
.am .am-score { text-anchor: end; font-variant-numeric: tabular-nums; fill: var(--am-soft); }
.am .am-key { fill: var(--am-soft); }
.am-track { fill: var(--am-rule); opacity: .45; }
.am-bar { fill: var(--am-own, var(--am-soft)); }
.am-swatch { fill: var(--am-card); stroke: var(--am-own); stroke-width: 2.5; }
.am-attack, .am-undercut, .am-support { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
.am-attack { stroke: var(--am-attack); marker-start: url(#am-head-attack); }
.am-undercut { stroke: var(--am-attack); stroke-dasharray: 1.6 3.4; stroke-linecap: round;
  marker-start: url(#am-head-undercut); }
.am-support { stroke: var(--am-support); stroke-dasharray: 7 4; marker-start: url(#am-head-support); }
.am-fallen { opacity: .5; } .am-fallen .am-box { stroke-dasharray: 4 3; }
.am-point { fill: var(--am-attack); } .am-ring { fill: var(--am-paper); stroke: var(--am-support); stroke-width: 1.6; }
"""

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
