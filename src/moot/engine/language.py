"""The language of a debate: the rule for its agents, and the flags about checks that cannot read it."""

from dataclasses import dataclass
from functools import lru_cache

from moot.present import Flag
from moot.text.language import IDEOGRAPHS_PER_WORD, LETTERS_PER_WORD, has_spaces, is_english_name, language_of, unspaced

FIXED = "Field names and fixed choices of a JSON reply stay as they are."
COUNTING = (
    f"Where a limit is in words, {IDEOGRAPHS_PER_WORD} characters of Chinese or Japanese count as one, and "
    f"{LETTERS_PER_WORD} letters of another script that has no spaces between words."
)
NOT_ENGLISH = (
    "The debate is not in English, and some checks read English words alone: how far reasons, examples and vague words "
    "show in a text, and whether it ends in the middle. These stand aside here."
)

# Every prompt and every check of a debate asks for the language of its topic.
_language_of = lru_cache(maxsize=32)(language_of)


@dataclass(frozen=True, slots=True)
class Language:
    """The language of a debate: the `given` one, by its name, or else the language of its topic."""

    topic: str
    given: str | None = None

    @property
    def is_english(self) -> bool | None:
        """Whether it is English; None if that is unclear."""
        if self.given is not None:
            return is_english_name(self.given)
        found = _language_of(self.topic)
        return None if found is None else found == "en"

    @property
    def counts_characters(self) -> bool:
        """Whether it is written without spaces between words."""
        return not has_spaces(self.topic) if self.given is None else unspaced(self.given)

    def rule(self, *, small: bool) -> str:
        """The last sentences of every system prompt. No language is named but the given one: a short topic can look
        like English and be none."""
        named = self.given or "the topic's language"
        if small or (self.given is None and self.is_english):
            return f"Write in {named}."
        rule = f"Write in {named}, whatever language these instructions or the words of others are in. {FIXED}"
        return f"{rule} {COUNTING}" if self.counts_characters else rule

    def flags(self) -> list[Flag]:
        """A flag that checks for English words are skipped."""
        return [Flag(code="not_english", text=NOT_ENGLISH, severity="note")] if self.is_english is False else []
