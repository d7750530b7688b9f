"""Every module with regular expressions is listed with what they are for. None decides an outcome by the words of a
text: what a text means is asked of a model, on record."""

import ast
from pathlib import Path

from tests.kit.sources import FILES, SOURCE, nodes

REASONS = {
    "quotations and citation marks": """
        text.citations text.quotations protocols.arena.evidence_quality protocols.chaired.citing
        protocols.chaired.rules protocols.persuasion.citations protocols.persuasion.legal
        protocols.persuasion.wording
        """,
    "form: headings, JSON, fences, sentences, words": """
        cli.display engine.play.endings engine.play.objects engine.define.plain engine.play.prompt engine.play.prose
        evidence.diffs evidence.pages
        evidence.ranking memory.store embedded.model stats.similarity models.scripted
        protocols.chaired.record protocols.panel.config protocols.panel.metrics pipelines.documents runs.search
        text.fences
        text.initials text.language protocols.chaired.sentences
        """,
    "cleaning and escaping": """
        engine.define.faults engine.staging.finding evidence.hidden feeds.feeds present.markdown api._kit
        report.markdown
        report.page report.safe publish.site studies.evaluate.texts studies.page
        text.clean text.maps text.marks text.yaml web.pages.rendering
        """,
    "numbers": "engine.play.reader protocols.chaired.computing studies.evaluate.dataset studies.evaluate.matching",
    "names by identity": "protocols.arena.board text.masking text.names web.pages.compare",
    "no prose: formats, files, addresses, names of models and runs": """
        argument.drawing argument.formats argument.formats.af argument.formats.apx argument.formats.argdown
        argument.commands.files argument.formats.dot argument.formats.tgf
        cli.run_names cli.subjects cli.wording deliver.delivery engine.define.default_model
        engine.define.registry
        engine.define.versions evidence.addresses evidence.context evidence.folders evidence.git
        evidence.tools
        models.failures models.families models.registry models.sizes embedded.weights
        protocols.chaired.config protocols.persuasion.payloads record.files report publish.decisions
        publish.folder service.host studies.batch.items studies.evaluate.loading web.pages.contest web.plain_text
        web.security
        """,
}


def uses_patterns(path: Path) -> bool:
    imported = (node for node in nodes(path) if isinstance(node, ast.Import | ast.ImportFrom))
    return any(
        node.module == "re" if isinstance(node, ast.ImportFrom) else any(one.name == "re" for one in node.names)
        for node in imported
    )


def test_every_module_with_patterns_says_what_they_are_for() -> None:
    listed = [name for several in REASONS.values() for name in several.split()]
    assert len(listed) == len(set(listed)), "each has one reason"
    found = {
        ".".join(part for part in path.relative_to(SOURCE).with_suffix("").parts if part != "__init__")
        for path in FILES
        if uses_patterns(path)
    }
    assert found - set(listed) == set(), "add it with its reason; what a text means is asked of a model"
    assert set(listed) - found == set(), "these have no patterns any more"
