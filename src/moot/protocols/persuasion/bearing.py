"""Whether a fact has to do with what it is cited for, as far as code can see."""

from moot.evidence.ranking import overlap, words

LEAST_SHARED = 0.1
"""The least share of a statement's words that a fact must have."""


def bears_on(fact: str, statement: str) -> bool:
    """Whether a fact shares words with a statement. Without this it cannot back the statement; the moderator can find
    that it does not even so."""
    share = overlap(statement, fact)
    if share is not None:
        return share >= LEAST_SHARED
    # Of a statement with few words one is enough. Nothing bears on one that has only words like “it will not do”.
    return bool(set(words(statement)) & set(words(fact)))
