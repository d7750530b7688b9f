"""Looks up the places that somebody names in a text or a diff. A place that is not there is none."""

from collections.abc import Iterator, Sequence

from moot.evidence.diffs import Passage, unquoted
from moot.present.findings import Where
from moot.text.quotations import find_quote

MOST_HITS = 50
"""The most places at which one quotation is found in a passage."""


def locate(named: Where, passages: Sequence[Passage]) -> Where | None:
    """The place that is meant, as the passages have it. The quotation counts: of several places where it is, the one
    nearest to the line that is named, and None if no line is. A line alone must be in the passages, and so must a file.
    """
    within = [one for one in passages if _same_file(named.file, one.file)]
    if named.quote.strip():
        return _nearest(list(_quoted(named.quote, within)), named.line)
    if named.line is not None:
        return _at_line(named.line, within)
    return Where(file=within[0].file) if within and named.file and within[0].file else None


def _same_file(named: str, file: str) -> bool:
    """Whether a name is that of a file. It may lack its first folders, and have a prefix as in a diff."""
    plain = unquoted(named.strip()).removeprefix("./")
    return not plain or any(
        file == one or file.endswith(f"/{one}") for one in (plain, plain.removeprefix("a/"), plain.removeprefix("b/"))
    )


def _nearest(hits: Sequence[Where], line: int | None) -> Where | None:
    standing = [one for one in hits if not one.removed] or hits
    if len(standing) == 1:
        return standing[0]
    return min(standing, key=lambda one: abs((one.line or 0) - line)) if standing and line is not None else None


def _at_line(line: int, passages: Sequence[Passage]) -> Where | None:
    hits = [one for one in passages if not one.removed and one.first <= line < one.first + len(one.lines)]
    if len(hits) != 1:
        return None
    text = hits[0].lines[line - hits[0].first]
    return Where(file=hits[0].file, line=line, end_line=line, quote=text.strip())


def _quoted(quote: str, passages: Sequence[Passage]) -> Iterator[Where]:
    """Everywhere that a quotation is. Whoever copies lines of a diff may have copied their signs."""
    unsigned = "\n".join(line[1:] if line[:1] in ("+", "-") else line for line in quote.strip("\n").split("\n"))
    for passage in passages:
        found = list(_in_passage(quote, passage)) or list(_in_passage(unsigned, passage))
        yield from found


def _in_passage(quote: str, passage: Passage) -> Iterator[Where]:
    text, start = "\n".join(passage.lines), 0
    for _ in range(MOST_HITS):
        found = find_quote(quote, text[start:], least=1)
        if found is None:
            return
        # Removed lines have no number any more, but that of the line after them.
        first = passage.first + (0 if passage.removed else text.count("\n", 0, start + found.start))
        last = first + (0 if passage.removed else found.text.count("\n"))
        yield Where(file=passage.file, line=first, end_line=last, quote=found.text, removed=passage.removed)
        following = text.find("\n", start + found.start)
        if following < 0:
            return
        start = following + 1
