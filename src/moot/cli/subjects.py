"""The subject of a debate from the command line: a text, standard input, or a file."""

import hashlib
import re
import shlex
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click

import moot
from moot.cli.hints import called, command
from moot.cli.options import decoded, stdin_bytes, stdin_text
from moot.engine.define.plugin_option import plugin_option
from moot.engine.define.protocol import Protocol
from moot.engine.define.registry import protocol_names
from moot.engine.define.shipped import DEFAULT
from moot.engine.define.submitted import LONGEST_SUBJECT, LONGEST_TITLE, submission
from moot.system.project import check_no_link
from moot.text import clip, one_line
from moot.text.yaml import parse_yaml, read_file

FILE_NAME = re.compile(r"\.(csv|diff|docx|html|jsonl?|md|patch|pdf|rst|toml|txt|ya?ml)$", re.IGNORECASE)
"""A subject that ends like this is a file name, even with blanks."""
LONGEST_FILE_NAME = 255
DEBATE_FILES = (".yaml", ".yml", ".py")
"""The endings of files that `moot run` takes."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """The subject as text, None if it is missing; the settings that say where it came from: the name of its file, and
    the hash of the bytes that were read from a file, from standard input or from git."""

    text: str | None
    settings: dict[str, str]


def subject_of(given: str | None, protocol: Protocol, revisions: str | None = None) -> Submitted:
    """What is debated: a text, a file, standard input, or with revisions of git the change between them."""
    text, content, source = _subject_text(given, protocol) if revisions is None else _change(given, revisions)
    subject = protocol.subject
    if not subject.document and submission(subject, text) is None:
        _check_topic(text, from_stdin=given == "-")
    settings = {"submitted": hashlib.sha256(content).hexdigest()} if content is not None else {}
    return Submitted(text, settings | ({subject.source: source} if subject.source and source else {}))


def _check_topic(text: str | None, *, from_stdin: bool) -> None:
    """Refuse impossible topics here, because a claim made from one would be wrong and confusing."""
    if text is not None and not text.strip():
        raise moot.ConfigError(f"there is no topic{' on standard input' * from_stdin}: it is empty", "topic")
    if text is not None and len(text.strip()) > LONGEST_SUBJECT:
        told = f"{len(text.strip()):,} characters, and at most {LONGEST_SUBJECT:,} are read"
        raise moot.ConfigError(f"the topic has {told}; a document is given with --context", "topic")


Read = tuple[str | None, bytes | None, str]
"""The text of a subject, the bytes that it was read from, and the name of the file."""


def _change(given: str | None, revisions: str) -> Read:
    from moot.evidence.diffs import without_binary
    from moot.evidence.git import patch

    if given is not None:
        raise moot.ConfigError(f"give either a subject or --diff, not both: {clip(one_line(given), LONGEST_TITLE)}")
    content = patch(Path.cwd(), revisions)
    if content is None:
        raise moot.ConfigError("--diff takes a change from git, and this is not a git repository")
    if not content.strip():
        raise moot.ConfigError(f"git finds no difference for {revisions}")
    # A file in another encoding must not make the whole change impossible to review.
    text = decoded(without_binary(content.decode("utf-8", "replace")).encode(), f"the change {revisions}")
    return text, content, f"git diff {revisions}"


def _subject_text(given: str | None, protocol: Protocol) -> Read:
    if not protocol.subject.document:
        refuse_what_is_none(given or "")
        return (stdin_text("topic").strip() if given == "-" else given), None, ""
    if given is None or given == "":
        return given, None, ""
    if given == "-":
        content = stdin_bytes(protocol.subject.name)
        return decoded(content, f"the {protocol.subject.name} on standard input"), content, ""
    file = file_of(given, protocol)
    if file is None:
        return given, None, ""
    if file.suffix.lower() == ".jsonl":
        raise moot.ConfigError(f"{given} has many subjects: `moot batch` debates each of them (`lines:` in its file)")
    check_no_link(file)
    content = read_file(file)
    text = decoded(content, str(file))
    if "\0" in text:
        raise moot.ConfigError(f"{file} is not a text: it has bytes of zero in it")
    if is_debate_file(file, text):
        told = f"{given} is a debate file, not an {protocol.subject.name}"
        raise moot.ConfigError(f"{told}. Run it: {command('run', given)}", protocol.subject.key)
    return text, content, given


def is_debate_file(file: Path, text: str) -> bool:
    """Whether a text file is YAML that names a protocol."""
    if file.suffix not in (".yaml", ".yml"):
        return False
    try:
        return parse_yaml(text.encode(), str(file)).get("protocol") in protocol_names()
    except moot.ConfigError:
        return False


def refuse_what_is_none(topic: str) -> None:
    """Refuse a topic that was most likely meant as something else, before a model debates it."""
    group = click.get_current_context().find_root().command
    if isinstance(group, click.Group) and topic in group.list_commands(click.get_current_context()):
        raise moot.ConfigError(f"{topic} is a command. Its options come after it: {called()} {topic} …")
    refuse_missing_file(topic)
    if topic.endswith(DEBATE_FILES) and Path(topic).is_file():
        raise moot.ConfigError(f"{topic} is a file, not a topic. Run it: {command('run', topic)}")


def refuse_missing_file(word: str) -> None:
    """Refuse a single word that ends like a document and is no file: its name must not be debated."""
    if len(word.split()) == 1 and FILE_NAME.search(word) and not Path(word).exists():
        words = f"printf %s {shlex.quote(word)} | {command(DEFAULT, '-')}"
        raise moot.ConfigError(f"there is no file {word}. To debate this text itself: {words}", "topic")


def is_document(given: str, protocol: Protocol) -> bool:
    """Whether a file was given in place of a question, which is then about what the file says."""
    if protocol.subject.document or given.endswith(DEBATE_FILES):
        return False
    with suppress(OSError, ValueError):
        return _like_a_path(given) and Path(given).is_file()
    return False


def file_of(name: str, protocol: Protocol) -> Path | None:
    """The file with this name; None if it can only be a text. A missing file is refused: a wrong path must not
    become the subject."""
    if "\0" in name or any(len(part.encode()) > LONGEST_FILE_NAME for part in name.split("/")):
        return None
    path = Path(name)
    try:
        if path.is_file():  # even one whose name has several lines: else the name would be judged instead
            return path
        if "\n" in name:
            return None
        fault = f"{name} is a folder" if path.is_dir() else f"there is no file {name}" if _like_a_path(name) else ""
    except OSError as error:  # for example, a folder without read permission
        fault = f"{name} cannot be read: {error.strerror}"
    if fault:
        words = f"printf %s {shlex.quote(name)} | {command(*plugin_option(protocol.name), protocol.name, '-')}"
        raise moot.ConfigError(f"{fault}. To debate this text itself: {words}", protocol.subject.key)
    return None


def _like_a_path(name: str) -> bool:
    if name.startswith(("/", "./", "../", "~/")) or FILE_NAME.search(name):
        return True
    return len(name.split()) == 1 and re.search(r"/|\.[A-Za-z][A-Za-z0-9]{0,4}$", name) is not None
