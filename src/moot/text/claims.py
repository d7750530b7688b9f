"""Claims: what a topic asks about, as a sentence that can be held, and the sentence that denies it."""

import re

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


def premise_of(topic: str) -> str | None:
    """The claim that a topic asks about: its affirmative answer, or the topic itself when it is a claim already.
    None for a question that yes does not answer."""
    if re.match(r"(what|which|who|whom|whose|how|why|when|where)\b.*\?$", topic, re.IGNORECASE | re.DOTALL):
        return None
    subjects = "we|i|you|they|one|everyone|everybody|people|cities|schools|companies|teams|developers|governments"
    if asked := re.fullmatch(rf"should ({subjects}) (.+)\?", topic, re.IGNORECASE | re.DOTALL):
        return f"{asked[1].capitalize()} should {asked[2]}."
    verbs = "is|are|was|were|do|does|did|should|can|could|will|would|may|might|must|has|have|had"
    if either := re.fullmatch(rf"(?!(?:{verbs})\b)([^?,]{{1,300}}) or ([^?,]{{1,300}})\?", topic, re.IGNORECASE):
        return f"The better choice is {either[1][:1].lower()}{either[1][1:]}, not {either[2]}."
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
