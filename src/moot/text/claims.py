"""Claims: what a topic asks about, as a sentence that can be held, and the sentence that denies it."""

import re
from collections.abc import Sequence

LONGEST_CHOICE = 300
LONGEST_OPTION = 10
"""Words of an option."""
_VERSUS = re.compile(r"\s(?:vs\.?|versus)\s", re.IGNORECASE)
_SUBJECT = r"(?:(?:the|an?|our|my|your|their|this|that)\s)?[\w’'-]+"
_LEADS = [
    re.compile(form, re.IGNORECASE | re.DOTALL)
    for form in (
        r"[^:]*:\s*(?P<rest>[^:]+)",
        r"(?:what|which|who)\b[^,]*,\s*(?P<rest>.+)",
        r"(?:is|are)\s(?!it\b)(?P<rest>.+\sor\s.+)\s(?:the\s)?(?:better|best|right|preferable)(?:\s(?:choice|option|one))?",
        r"is it (?:better|best|wiser|cheaper|safer|nicer)\s(?P<rest>.+)",
        r"is it\s(?P<rest>.+)",
        rf"(?:should|shall|must|would|will|can|could)\s{_SUBJECT}\s(?:rather\s)?(?P<rest>.+)",
        rf"(?:do|does)\s{_SUBJECT}\s(?:prefer|choose|want|need)\s(?P<rest>.+)",
    )
]
"""What may stand before the options."""
_YES_OR_NO = re.compile(
    r"(?:is|are|was|were|do|does|did|should|can|could|will|would|may|might|must|has|have|had|"
    r"what|which|who|whom|whose|how|why|when|where)\b",
    re.IGNORECASE,
)
_NO_OPTION = re.compile(r"(?:not|no|more|less|fewer|so|later|else|otherwise|worse|even|at)\b", re.IGNORECASE)
"""“Or not”, “or more”: no option of its own."""
_VERB = r"(?:should|must|is|are|can|will)"
_NOT_PLAIN = (
    "if|when|unless|because|since|although|while|whether|that|which|who|whose|what|where|how|"
    "all|every|everyone|everybody|everything|each|both|most|many|some|someone|somebody|something|few|any|anyone|anybody|"
    "anything|no|none|nobody|nothing|nowhere|either|neither|only|not|never|"
    "do|does|did|has|have|had|was|were|could|would|may|might"
)
"""Words before the verb with which the denied verb would not deny the sentence: “Nobody should” is no plain claim."""
_PLAIN = re.compile(
    rf"(?!.{{300}})(?P<subject>(?:(?!(?:{_NOT_PLAIN}|{_VERB})\b)[^\s,;:]+ ){{1,6}})(?P<verb>{_VERB}) (?P<negated>not )?"
    rf"(?!(?:never|no|nothing|nobody|only|either|neither|both|always|all|every)\b)"
    rf"(?!.*(?:;|\b(?:because|since)\b|\b(?:and|but|or|so)\b.*\b{_VERB}\b))(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_OPENER = re.compile(rf"(?:{_NOT_PLAIN}|we|the|an?|our|this|these|those|there|it|you|they)\b", re.IGNORECASE)


def alternatives_of(topic: str) -> list[str]:
    """The options between which a topic asks to choose, “A or B?”, “A vs B”, “A, B or C?”; none for a question that is
    answered by yes or no. Found by the form of the question alone, so whoever reads it so has to say so."""
    text = topic.strip()
    if len(text) > LONGEST_CHOICE or not (text.endswith("?") or _VERSUS.search(text)):
        return []
    text = text.rstrip("?. ")
    for lead in _LEADS:
        if led := lead.fullmatch(text):
            text = led["rest"]
            break
    else:
        if _YES_OR_NO.match(text):
            return []
    if not re.search(r"\bor\b", text, re.IGNORECASE) and not _VERSUS.search(text):
        return []
    parts = [part.strip() for part in re.split(r",\s*(?:or\s)?|\sor\s|\svs\.?\s|\sversus\s", text, flags=re.IGNORECASE)]
    parts = [re.sub(r"^(?:either|between)\s", "", part, flags=re.IGNORECASE) for part in parts if part]
    plain = len(parts) > 1 and not any(_NO_OPTION.match(part) or len(part.split()) > LONGEST_OPTION for part in parts)
    return _alike(parts) if plain and len({part.casefold() for part in parts}) == len(parts) else []


def choice_of(options: Sequence[str]) -> str:
    """The claim that the first of two options is better than the second."""
    one, two = options[:2]
    if len(one.split()) != len(two.split()):
        one, two = f"“{one}”", f"“{two}”"
    return f"The better choice is {one}, not {two}."


def _alike(options: list[str]) -> list[str]:
    """The options without what leads up to the first, where the others are names: of “use Postgres”, “MySQL” the
    verb."""
    words = options[0].split()
    named = all(len(one.split()) == 1 and not one[0].islower() for one in options[1:])
    if named and len(words) > 1 and not words[-1][0].islower():
        return [words[-1], *options[1:]]
    first = options[0]
    name = first[:1].isupper() and not first[1:2].isupper() and options[1][:1].islower()
    return [first[0].lower() + first[1:], *options[1:]] if name else options


def premise_of(topic: str) -> str | None:
    """The claim that a topic asks about: its affirmative answer, or the topic itself when it is a claim already.
    None for a question that yes does not answer."""
    if options := alternatives_of(topic):
        return choice_of(options)
    topic = re.sub(r",? or not\?$", "?", topic, flags=re.IGNORECASE)
    if re.match(r"(what|which|who|whom|whose|how|why|when|where)\b.*\?$", topic, re.IGNORECASE | re.DOTALL):
        return None
    subjects = "we|i|you|they|one|everyone|everybody|people|cities|schools|companies|teams|developers|governments"
    if asked := re.fullmatch(rf"should ({subjects}) (.+)\?", topic, re.IGNORECASE | re.DOTALL):
        return f"{asked[1].capitalize()} should {asked[2]}."
    return f"The answer to the question “{topic}” is yes." if topic.endswith("?") else topic


def denial_of(proposition: str) -> str:
    """The claim denied, in plain words where the sentence is plain enough to be denied by its verb."""
    claim = proposition.strip().rstrip(".!")
    if asked := re.fullmatch(r"The answer to the question (“.*”) is yes", claim, re.DOTALL):
        return f"The answer to the question {asked[1]} is no."
    if choice := re.fullmatch(r"The better choice is (.+), not (.+)", claim, re.DOTALL):
        return f"The better choice is {choice[2]}, not {choice[1]}."
    if plain := _PLAIN.fullmatch(claim):
        return f"{plain['subject']}{plain['verb']} {'' if plain['negated'] else 'not '}{plain['rest']}."
    lowered = claim[:1].lower() + claim[1:] if _OPENER.match(claim) else claim
    return f"It is not the case that {lowered}."
