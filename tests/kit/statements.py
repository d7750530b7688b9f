"""Sixty statements with sources, made by hand and labelled, and the small web they cite.

`true` and `false` are about what the page says; `misquoted` puts words between quotation marks that the page does not
have, `hidden` quotes what the page has and does not show; `unrelated` cites a page on another matter; `invented` cites
or names a page that does not exist, the only kind that code finds without a model.
"""

from dataclasses import dataclass
from pathlib import Path

from moot.text.yaml import parse_yaml


@dataclass(frozen=True, slots=True)
class Statement:
    kind: str
    content: str
    urls: tuple[str, ...]


_DATA = parse_yaml(Path(__file__).with_name("citations.yaml").read_bytes(), "citations.yaml")
PAGES = {url: (page["title"], page["body"]) for url, page in _DATA["pages"].items()}
STATEMENTS = [
    Statement(kind, one["says"], tuple(one["urls"])) for kind, several in _DATA["statements"].items() for one in several
]
