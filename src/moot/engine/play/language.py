"""The language of a debate: the rule for its agents."""

from dataclasses import dataclass

from moot.text.language import (
    IDEOGRAPHS_PER_WORD,
    LETTERS_PER_WORD,
    has_spaces,
    in_english_letters,
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

    def rule(self, *, small: bool) -> str:
        """The last sentences of every system prompt. What is longer is left out where it is hardly ever needed."""
        named = self.given or "the topic's language"
        if small or (self.given is None and in_english_letters(self.topic)):
            return f"Write in {named}."
        rule = f"Write in {named}; field names and fixed choices stay as they are."
        return rule if self.given is None and has_spaces(self.topic) else f"{rule} {COUNTING}"
