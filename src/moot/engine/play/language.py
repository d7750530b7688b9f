"""The language of a debate: the rule for its agents."""

from dataclasses import dataclass

from moot.text.language import (
    IDEOGRAPHS_PER_WORD,
    LETTERS_PER_WORD,
    has_spaces,
    in_english_letters,
    is_english_name,
    unspaced,
)

COUNTING = (
    f"Where a limit is in words, {IDEOGRAPHS_PER_WORD} characters of Chinese or Japanese count as one, and "
    f"{LETTERS_PER_WORD} letters of another script that has no spaces between words."
)


@dataclass(frozen=True, slots=True)
class Language:
    """The language of a debate: the `given` one, by its name, or else the language of its topic, whichever that is."""

    topic: str
    given: str | None = None

    @property
    def may_be_english(self) -> bool:
        return in_english_letters(self.topic) if self.given is None else is_english_name(self.given)

    @property
    def counts_characters(self) -> bool:
        """Whether it is written without spaces between words."""
        return not has_spaces(self.topic) if self.given is None else unspaced(self.given)

    def rule(self, *, small: bool) -> str:
        """The last sentences of every system prompt. What is longer is left out where it is hardly ever needed."""
        named = self.given or "the topic's language"
        if small or (self.given is None and self.may_be_english):
            return f"Write in {named}."
        rule = f"Write in {named}; field names and fixed choices stay as they are."
        return f"{rule} {COUNTING}" if self.counts_characters else rule
