"""A site of chosen debates for the public: an index with a search, and a page for each. Files only, without a server.

Left out are private thoughts, notes that only some agents saw, reasons for marks that were not public, and what each
agent was sent. The same runs give the same files, byte for byte.
"""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader
from markupsafe import Markup

from moot.engine.outcome.material import Material, Spoken
from moot.record.files import CHECKSUMS, checksums
from moot.report import page
from moot.report.public import public_contents
from moot.text import clip, one_line
from moot.text.prose import sentence

INDEX = "index.html"
LONGEST_DESCRIPTION = 300


@dataclass(frozen=True, slots=True)
class Site:
    """`address` is where the site will be, with a slash at its end; empty if that is not known."""

    title: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of a page elsewhere: in the index, and by whoever previews a link."""

    file: str
    title: str
    description: str
    kind: str = "article"
    headline: str = ""
    protocol: str = ""
    date: str = ""
    cast: str = ""
    words: str = ""
    warnings: Sequence[str] = ()


def site_files(site: Site, debates: Mapping[str, Material]) -> dict[str, bytes]:
    """The files of a site by name, for these debates by the names of their pages, in this order."""
    found: dict[str, bytes] = {}
    pages = []
    for name, material in debates.items():
        contents = public_contents(material)
        shown = _shown(name, material, contents["transcript"])
        found[shown.file] = _render("site_page.html.jinja", site=site, shown=shown, **contents)
        pages.append(shown)
    about = clip("; ".join(f"{one.title}: {one.headline}" for one in pages), LONGEST_DESCRIPTION)
    index = Shown(INDEX, site.title, about, kind="website")
    script = (files("moot.publish") / "site.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    found[INDEX] = _render(
        "site_index.html.jinja",
        site=site,
        shown=index,
        pages=pages,
        checksums=CHECKSUMS,
        script=Markup(script),  # noqa: S704 (moot's own)
        script_source=Markup(f"'sha256-{digest}'"),  # noqa: S704
    )
    return {**found, CHECKSUMS: checksums(found)}


def _shown(name: str, material: Material, transcript: Sequence[Spoken]) -> Shown:
    summary, header = material.result.summary, material.header
    title = clip(one_line(material.topic), page.LONGEST_TITLE)
    headline = one_line(summary.headline)
    reason = one_line(next((point.text for point in summary.brief.because), summary.reached))
    spoken = [one.entry.content for one in transcript if one.line.text is None]
    # As the browser lowers the words that are searched for, which leaves an ß as it is.
    words = sorted(set(" ".join([title, headline, name, *spoken]).lower().split()))
    return Shown(
        file=f"{name}.html",
        title=title,
        description=clip(f"{sentence(headline)} {reason}".strip(), LONGEST_DESCRIPTION),
        headline=headline,
        protocol=material.result.protocol,
        date=material.entries[0].timestamp if material.entries else "",
        cast=", ".join(member.name for member in header.cast) if header else "",
        words=" ".join(words),
        warnings=[flag.text for flag in summary.flags if flag.severity == "warning"],
    )


def _render(template: str, **values: Any) -> bytes:
    text = _environment().get_template(template).render(**values)
    return re.sub(r"\n{3,}", "\n\n", text).encode()


@cache
def _environment() -> Environment:
    loader = ChoiceLoader([PackageLoader("moot", "publish"), PackageLoader("moot", "report")])
    return page.environment_of(loader, html=True)
