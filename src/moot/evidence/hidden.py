"""Hidden text of a page: readers do not see it, so it cannot be quoted.

Detected from the page alone: elements and attributes, inline styles, and the page's own style sheets. Text hidden by a
script or an external style sheet is not detected.
"""

import re
from typing import Any

_NEVER_SHOWN = frozenset({"template", "noscript", "datalist"})
_COMPOUND = re.compile(r"([a-z][a-z0-9]*)?((?:[.#][\w-]+|\[[\w-]+\])*)", re.IGNORECASE)
_PART = re.compile(r"([.#\[])([\w-]+)")
_RULE = re.compile(r"(?<![^{}])([^{}]++)\{([^{}]*+)\}")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_NUMBER = re.compile(r"-?\d{0,9}(?:\.\d{1,9})?")
_COLOURS = {"white": "#ffffff", "black": "#000000", "red": "#ff0000"}
MOST_CSS = 200_000
MOST_RULES = 500
"""The most hiding rules of a page that are checked; each is compared with every element."""
OUT_OF_SIGHT = -999.0
"""In pixels: text moved this far is off the screen."""
PIXELS = {"em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "%": 10.0, "vw": 10.0, "vh": 10.0}

Style = dict[str, str]
Compound = tuple[str, frozenset[tuple[str, str]]]


def drop_hidden(tree: Any) -> None:
    """Remove hidden elements from a tree of `lxml.html`."""
    hiding = _hiding_selectors(tree)
    for element in [one for one in tree.iter() if isinstance(one.tag, str)]:
        if element.getparent() is not None and _is_hidden(element, hiding):
            element.drop_tree()
        else:  # the text extractor drops every element with `hidden` in its style, such as `overflow: hidden`
            element.attrib.pop("style", None)


def _is_hidden(element: Any, hiding: list[list[Compound]]) -> bool:
    if element.tag in _NEVER_SHOWN or element.get("hidden") is not None:
        return True
    if _hides(_declared(element.get("style") or "")):
        return True
    return any(_matches(element, selector) for selector in hiding)


def _hiding_selectors(tree: Any) -> list[list[Compound]]:
    """The selectors with which the page's own style sheets hide elements. Later declarations override earlier ones of
    the same selector."""
    css = "\n".join(one.text or "" for one in tree.iter("style"))[:MOST_CSS]
    styles: dict[str, Style] = {}
    for selectors, style in _RULE.findall(_for_screens(_without_comments(css))):
        for selector in selectors.split(","):
            styles.setdefault(" ".join(selector.split()), {}).update(_declared(style))
    found = [_compounds(selector) for selector, style in styles.items() if _hides(style)]
    return [one for one in found if one and one[-1] not in _WHOLE_PAGE][:MOST_RULES]


_WHOLE_PAGE: tuple[Compound, ...] = (("body", frozenset()), ("html", frozenset()), ("", frozenset()))


def _compounds(selector: str) -> list[Compound]:
    """The parts of a selector, from the outermost to the target; empty if the selector is not supported."""
    found = []
    for part in selector.replace(">", " ").split():
        whole = _COMPOUND.fullmatch(part)
        if whole is None:
            return []
        found.append(((whole[1] or "").lower(), frozenset((one[1], one[2]) for one in _PART.finditer(whole[2]))))
    return found


def _matches(element: Any, selector: list[Compound]) -> bool:
    *outer, own = selector
    if not _is(element, own):
        return False
    for above in element.iterancestors() if outer else ():
        if outer and _is(above, outer[-1]):
            outer.pop()
    return not outer


def _is(element: Any, compound: Compound) -> bool:
    tag, signs = compound
    if tag and element.tag != tag:
        return False
    classes = (element.get("class") or "").split() if signs else ()
    return all(
        name in classes if sign == "." else element.get("id") == name if sign == "#" else element.get(name) is not None
        for sign, name in signs
    )


def _for_screens(css: str) -> str:
    """The style sheet without its rules for print only."""
    kept, position = [], 0
    while (start := css.find("@media", position)) != -1:
        opened = css.find("{", start)
        if opened == -1:
            break
        kept.append(css[position:start])
        end = _end_of_block(css, opened)
        about = css[start:opened].lower()
        kept.append("" if "print" in about and "screen" not in about else css[opened + 1 : end - 1])
        position = end
    return "".join([*kept, css[position:]])


def _end_of_block(css: str, opened: int) -> int:
    depth = 0
    for brace in re.compile(r"[{}]").finditer(css, opened):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return len(css)


def _declared(style: str) -> Style:
    """The declarations of a style; the last one of a property wins."""
    pairs = (one.partition(":") for one in _without_comments(style.lower()).split(";"))
    return {name.strip(): " ".join(value.replace("!important", "").split()) for name, _, value in pairs}


def _hides(style: Style) -> bool:
    if style.get("display") == "none" or style.get("visibility") in ("hidden", "collapse"):
        return True
    if style.get("content-visibility") == "hidden" or _is_see_through(style) or _has_no_size(style):
        return True
    moved = ("text-indent", "left", "right", "top", "bottom", "margin-left", "margin-top")
    if any((_pixels(style.get(name, "")) or 0) <= OUT_OF_SIGHT for name in moved):
        return True
    transform = style.get("transform", "").replace(" ", "")
    shifts = [_pixels(one) or 0 for one in re.findall(r"translate[xy3d]*\(([^(),]{1,20})", transform)]
    return any(shift <= OUT_OF_SIGHT for shift in shifts) or transform.startswith("scale(0)")


def _is_see_through(style: Style) -> bool:
    """Whether the text is transparent or has the colour of its background."""
    opacity = _figure(style.get("opacity", ""))
    if opacity is not None and opacity <= 0.05:
        return True
    colour = _colour(style.get("color", ""))
    ground = _colour(style.get("background-color", "") or style.get("background", ""))
    clear = re.fullmatch(r"rgba\(.{1,40}[,/]0(?:\.0+)?%?\)|#\w{6}00", colour) is not None
    filtered = style.get("filter", "").replace(" ", "") in ("opacity(0)", "opacity(0%)")
    return colour == "transparent" or clear or filtered or (bool(colour) and colour == ground)


def _has_no_size(style: Style) -> bool:
    size = _pixels(style.get("font-size", ""))
    if (size is not None and size < 2) or style.get("zoom") in ("0", "0%"):
        return True
    clip = style.get("clip", "").replace(" ", "").replace(",", "")
    if re.match(r"rect\((?:[01](?:px)?){4}\)", clip):
        return True
    if re.match(r"(?:inset\((?:50|100)%|circle\(0)", style.get("clip-path", "").replace(" ", "")):
        return True
    cut = style.get("overflow", "").startswith(("hidden", "clip"))
    sizes = [_pixels(style.get(name, "")) for name in ("height", "width", "max-height", "max-width")]
    return cut and any(one is not None and 0 <= one <= 1 for one in sizes)


def _colour(value: str) -> str:
    value = _COLOURS.get(value, value.replace(" ", ""))
    short = re.fullmatch(r"#(\w)(\w)(\w)", value)
    return "#" + "".join(2 * one for one in short.groups()) if short else value


def _pixels(value: str) -> float | None:
    """A CSS length in approximate pixels; None if it is not a length."""
    number = _NUMBER.match(value)
    figure = _figure(number[0]) if number else None
    return None if figure is None or number is None else figure * PIXELS.get(value[number.end() :].strip(), 1.0)


def _figure(value: str) -> float | None:
    try:
        return float(value.removesuffix("%")) / (100 if value.endswith("%") else 1)
    except ValueError:
        return None


def _without_comments(css: str) -> str:
    """An unclosed comment extends to the end of the sheet, as in a browser."""
    return _COMMENT.sub("", css)
