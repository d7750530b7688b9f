"""Claims: the question of a topic as a sentence to debate, and its denial."""

import re
from collections.abc import Sequence

from moot.text.language import is_clearly_english, is_question, language_of

NO_STATEMENT = (
    "the question cannot be turned into a claim that one side holds and the other denies; make it a statement, such as "
    "“We should rewrite the billing service.”"
)
"""Why nobody can be for or against a topic that has no premise, and what to do."""
LONGEST_CHOICE = 300
LONGEST_OPTION = 10
"""The most words of an option."""
_VERSUS = re.compile(r"\s(?:vs\.?|versus)\s", re.IGNORECASE)
_SUBJECT = r"(?:(?:the|an?|our|my|your|their|this|that)\s)?[\w’'-]+"
_LEADS = [
    re.compile(form, re.IGNORECASE | re.DOTALL)
    for form in (
        r"[^:—–]*(?::|\s[—–])\s*(?P<rest>[^:]+)",
        r"(?:what|which|who)\b[^,]*,\s*(?P<rest>.+)",
        r"(?:is|are)\s(?!it\b)(?P<rest>.+\sor\s.+)\s(?:the\s)?(?:better|best|right|preferable)(?:\s(?:choice|option|one))?(?:\s(?:for|at|in|as|when|if|to)\s.+)?",
        r"whether (?:to|(?:we|i|they) should)\s(?P<rest>.+)",
        r"is it (?:better|best|wiser|cheaper|safer|nicer)\s(?P<rest>.+)",
        r"is it\s(?P<rest>.+)",
        rf"(?:should|shall|must|would|will|can|could)\s{_SUBJECT}\s(?:rather\s)?(?P<rest>.+)",
        rf"(?:do|does)\s{_SUBJECT}\s(?:prefer|choose|want|need)\s(?P<rest>.+)",
    )
]
"""Phrases that may precede the options."""
_YES_OR_NO = re.compile(
    r"(?:is|are|was|were|do|does|did|should|can|could|will|would|may|might|must|has|have|had|"
    r"what|which|who|whom|whose|how|why|when|where)\b",
    re.IGNORECASE,
)
_WHAT_IT_IS = re.compile(r"(?:is|are|was|were)\s(?!it\b)(?![^?]*\b(?:better|best|right|preferable)\b)", re.IGNORECASE)
"""A question of fact: “Is light a wave or a particle?”"""
_NO_OPTION = re.compile(
    r"(?:not|no|none|more|less|fewer|so|else|otherwise|worse|even|at|both|neither|another|the other|are they|is it)\b",
    re.IGNORECASE,
)
"""“Or not”, “or more”: not an option."""
_NO_CHOICE = re.compile(
    r"(?:and|of|in|on|at|by|with|without|from|for|over|under|who|whose|that|which)\b|.*\b(?:never|not|yes or no)\b",
    re.IGNORECASE,
)
"""Words that follow the subject of a yes-or-no question."""
_AFTER_SUBJECT = r"(?:of|in|on|at|with|without|from|for|over|under|who|whose|that|which)\b"
_COUNT = r"(?:(?<![\d.,])\d[\d.,]*+|one|two|three|four|five|six|seven|eight|nine|ten|an? \w++)"
_ABOUT = re.compile(
    rf"\b(?:{_COUNT} or (?:\d|two|three|four|five|six|seven|eight|nine|ten)|sooner or later)",
    re.IGNORECASE,
)
"""“One or two”, “sooner or later”: a quantity, not a choice."""
_BULLET = re.compile(r"^[^\S\n]*+(?:[-*•]|\d{1,2}[.)]|\(?[a-zA-Z]\))[^\S\n]++([^\n]++)", re.MULTILINE)
_AFTERTHOUGHT = re.compile(
    r",?\s(?:yes or no|or not|or (?:is|are) (?:it|they) not|and (?:why|how|when|what for))$", re.IGNORECASE
)
_ARTICLES = frozenset({"a", "an", "the"})
LONGEST_BARE = 8
"""The most words of a choice without a question mark."""
_VERB = r"(?:should|must|is|are|can|will)"
_NOT_PLAIN = (
    "if|when|unless|because|since|although|while|whether|that|which|who|whose|what|where|how|"
    "all|every|everyone|everybody|everything|each|both|most|many|some|someone|somebody|something|few|any|anyone|anybody|"
    "anything|no|none|nobody|nothing|nowhere|either|neither|only|not|never|"
    "do|does|did|has|have|had|was|were|could|would|may|might"
)
"""Words before the verb for which negating the verb would not deny the sentence, such as “Nobody should”."""
_DENIABLE = r"(?:should|is|are|can|will)"
"""Verbs that are denied by “not”. “Must not” is a stronger claim and does not deny “must”."""
_PLAIN = re.compile(
    rf"(?!.{{300}})(?P<subject>(?:(?!(?:{_NOT_PLAIN}|{_VERB})\b)[^\s,;:]+ ){{1,6}})(?P<verb>{_DENIABLE}) "
    rf"(?P<negated>not )?"
    rf"(?!(?:never|no|nothing|nobody|only|either|neither|both|always|all|every)\b)"
    rf"(?!.*(?:;|\b(?:because|since)\b|\b(?:and|but|or|so)\b.*\b{_VERB}\b))(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_OPENER = re.compile(rf"(?:{_NOT_PLAIN}|we|the|an?|our|this|these|those|there|it|you|they)\b", re.IGNORECASE)


def alternatives_of(topic: str) -> list[str]:
    """The options of a topic that asks for a choice: “A or B?”, “A vs B”, “A, B or C?”, or a list below it; empty for a
    yes-or-no question. Found by the form of the question alone, so callers have to say that they read it this way."""
    text = topic.strip()
    if len(text) > LONGEST_CHOICE:
        return []
    if len(listed := [one.strip() for one in _BULLET.findall(text)]) > 1:
        return _plain(listed)
    bare = "." not in text and len(text.split()) <= LONGEST_BARE
    if not (text.endswith("?") or _VERSUS.search(text) or bare) or _ABOUT.search(text):
        return []
    text = _AFTERTHOUGHT.sub("", text.rstrip("?. "))
    for lead in _LEADS:
        if led := lead.fullmatch(text):
            return [] if _NO_CHOICE.match(led["rest"]) else _split(led["rest"])
    return _of_what_it_is(text) if _YES_OR_NO.match(text) else _split(text)


def _split(text: str) -> list[str]:
    """The options of a text that contains nothing else."""
    several = len(re.findall(r",\s", text)) > 1
    if not several and not re.search(r"\bor\b", text, re.IGNORECASE) and not _VERSUS.search(text):
        return []
    parts = [part.strip() for part in re.split(r",\s*(?:or\s)?|\sor\s|\svs\.?\s|\sversus\s", text, flags=re.IGNORECASE)]
    return _plain([re.sub(r"^(?:either|between)\s", "", part, flags=re.IGNORECASE) for part in parts if part])


def _plain(parts: list[str]) -> list[str]:
    """The options, if the parts are options."""
    plain = len(parts) > 1 and not any(_NO_OPTION.match(part) or len(part.split()) > LONGEST_OPTION for part in parts)
    return _alike(parts) if plain and len({part.casefold() for part in parts}) == len(parts) else []


def _of_what_it_is(text: str) -> list[str]:
    """The options of “Is light a wave or a particle?”: phrases that begin with the same word on both sides of “or”."""
    left, _, right = text.rpartition(" or ")
    words, begins = left.split(), right.split()[:1]
    if not words or not begins or not re.match(r"(?:is|are|was|were)\b", text, re.IGNORECASE):
        return []
    wanted = _ARTICLES if begins[0].casefold() in _ARTICLES else {begins[0].casefold()}
    starts = [place for place, word in enumerate(words) if word.casefold() in wanted and place > 1]
    return _plain([" ".join(words[starts[-1] :]), right]) if starts else []


def choice_of(options: Sequence[str], topic: str = "", *, factual: bool = False) -> str:
    """The claim that the first of two options is better than the second, or right where the question has a right
    answer."""
    one, two = options[:2]
    if language_of(f"{topic} {one} {two}") == "other":
        return f"“{one}” > “{two}”"
    if len(one.split()) != len(two.split()):
        one, two = f"“{one}”", f"“{two}”"
    return f"The {'right answer' if factual else 'better choice'} is {one}, not {two}."


def _alike(options: list[str]) -> list[str]:
    """The options without the words before the first and after the last: from “use Postgres” and “MySQL first” the
    names; from “stay” and “should I go” the actions."""
    first, *others = [re.sub(r"^(?:should|shall|must)\s\w+\s", "", one, flags=re.IGNORECASE) for one in options]
    words = first.split()
    if all(one[0].isupper() for one in others) and not words[-1][0].islower():
        at = next(place for place, word in enumerate(words) if word[0].isupper() or place == len(words) - 1)
        return [" ".join(words[at:]), *map(_name, others)]
    for other in others:  # use X or use Y
        same = other.split()
        if len(words) > 1 and len(same) > 1 and words[0].casefold() != same[0].casefold() and same[0] in words:
            words = words[words.index(same[0]) :]
    first = " ".join(words)
    name = first[:1].isupper() and not first[1:2].isupper() and others[0][:1].islower()
    return [first[0].lower() + first[1:] if name else first, *others]


def _name(option: str) -> str:
    """A name without the words after it."""
    words = option.split()
    last = max(place for place, word in enumerate(words) if not word[0].islower())
    return " ".join(words[: last + 1])


def premise_of(topic: str, options: Sequence[str] | None = None) -> str | None:
    """The claim that a topic asks about: the affirmative answer, or the topic itself if it is a claim. None for
    questions that yes does not answer, and for questions that may be in another language: they are not wrapped in
    English. `options` are its alternatives, if they are known."""
    if options := alternatives_of(topic) if options is None else options:
        return choice_of(options, factual=_WHAT_IT_IS.match(topic) is not None)
    topic = re.sub(
        r",?\s(?:or not|yes or no|or (?:is|are) (?:it|they) not)\?$", "?", topic.strip(), flags=re.IGNORECASE
    )
    if re.match(r"(what|which|who|whom|whose|how|why|when|where)\b.*\?$", topic, re.IGNORECASE | re.DOTALL):
        return None
    subjects = "we|i|you|they|one|everyone|everybody|people|cities|schools|companies|teams|developers|governments"
    if asked := re.fullmatch(
        rf"should ({subjects}) (?!{_AFTER_SUBJECT}|.*\bor the other\b)(.+)\?", topic, re.IGNORECASE | re.DOTALL
    ):
        return f"{asked[1].capitalize()} should {asked[2]}."
    if not is_question(topic):
        return topic
    return f"The answer to the question “{topic}” is yes." if is_clearly_english(topic) else None


def denial_of(proposition: str) -> str:
    """The denial of a claim: with a negated verb if the sentence is simple enough, and with a sign if it is in another
    language."""
    claim = proposition.strip().rstrip(".!")
    if asked := re.fullmatch(r"The answer to the question (“.*”) is yes", claim, re.DOTALL):
        return f"The answer to the question {asked[1]} is no."
    if choice := re.fullmatch(r"The (better choice|right answer) is (.+), not (.+)", claim, re.DOTALL):
        return f"The {choice[1]} is {choice[3]}, not {choice[2]}."
    if choice := re.fullmatch(r"(“.+”) > (“.+”)", claim, re.DOTALL):
        return f"{choice[2]} > {choice[1]}"
    if language_of(claim) == "other":
        return claim[3:-1] if claim.startswith("¬ “") and claim.endswith("”") else f"¬ “{claim}”"
    if plain := _PLAIN.fullmatch(claim):
        return f"{plain['subject']}{plain['verb']} {'' if plain['negated'] else 'not '}{plain['rest']}."
    lowered = claim[:1].lower() + claim[1:] if _OPENER.match(claim) else claim
    return f"It is not the case that {lowered}."


def in_words(claim: str) -> str:
    """A claim for an English prompt: with words for the signs in a claim of another language."""
    if denied := re.fullmatch(r"¬ (“.*”)\.?", claim, re.DOTALL):
        return f"{denied[1]} is wrong."
    return re.sub(r"^(“.+”) > (“.+”)$", r"\1 is better than \2.", claim, flags=re.DOTALL)
