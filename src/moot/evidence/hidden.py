"""What a page holds and nobody who opens it sees: it is no part of what the page says, and cannot be quoted.

Found by the signs that stand in the page itself: elements and attributes, styles on the element, and the simple rules
of its own style sheets. What a script or a sheet from elsewhere hides is not found.
"""

import re
from typing import Any

_NEVER_SHOWN = frozenset({"template", "noscript", "datalist"})
_HIDING = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|opacity:0(?:\.0+)?(?:;|$)|font-size:0(?:[a-z%]*)(?:;|$)"
    r"|(?:text-indent|left|right|top|margin-left):-\d{4,}|clip:rect\(0|clip-path:inset\((?:50|100)%"
    r"|(?:max-)?(?:height|width):0(?:px)?;.*overflow:hidden|overflow:hidden;.*(?:max-)?(?:height|width):0(?:px)?(?:;|$)"
    r"|color:transparent|transform:scale\(0"
)
_RULE = re.compile(r"(?<![^{}])([^{}]++)\{([^{}]*+)\}")
_SIMPLE = re.compile(r"([a-z0-9]*)((?:[.#][\w-]+)?)", re.IGNORECASE)
MOST_CSS = 200_000


def drop_hidden(tree: Any) -> None:
    """Take out of an HTML tree what is not shown."""
    hiding = _selectors(tree)
    for element in [one for one in tree.iter() if isinstance(one.tag, str)]:
        if element.getparent() is not None and _is_hidden(element, hiding):
            element.drop_tree() if hasattr(element, "drop_tree") else _drop(element)


def _is_hidden(element: Any, hiding: set[tuple[str, str]]) -> bool:
    if element.tag in _NEVER_SHOWN or element.get("hidden") is not None:
        return True
    if _hides(element.get("style") or ""):
        return True
    names = ["", *(f".{name}" for name in (element.get("class") or "").split()), f"#{element.get('id')}"]
    return bool(hiding) and any((tag, name) in hiding for tag in ("", element.tag) for name in names if tag or name)


def _selectors(tree: Any) -> set[tuple[str, str]]:
    """The elements, classes and ids that the page's own style sheets hide."""
    css = "\n".join(one.text or "" for one in tree.iter("style"))[:MOST_CSS]
    found = set()
    for selectors, style in _RULE.findall(_without_comments(css)):
        if _hides(style):
            for selector in selectors.split(","):
                if simple := _SIMPLE.fullmatch(selector.strip()):
                    found.add((simple[1].lower(), simple[2]))
    return found - {("", ""), ("body", ""), ("html", "")}


def _hides(style: str) -> bool:
    return bool(_HIDING.search(re.sub(r"\s|!important", "", style.lower())))


def _drop(element: Any) -> None:
    """As lxml.html's `drop_tree`: the text after the element stays."""
    parent, before = element.getparent(), element.getprevious()
    if element.tail:
        if before is not None:
            before.tail = (before.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def _without_comments(css: str) -> str:
    """A comment without an end goes on to the end of the sheet, as it does in a browser."""
    kept, position = [], 0
    while (start := css.find("/*", position)) != -1:
        kept.append(css[position:start])
        end = css.find("*/", start + 2)
        position = len(css) if end == -1 else end + 2
    return "".join([*kept, css[position:]])
