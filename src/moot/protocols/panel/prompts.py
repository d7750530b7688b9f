"""What the panel is asked, in a full form and in a short one for small models; and the facts that fill it."""

from collections.abc import Sequence

from moot.engine.agent import Agent
from moot.engine.prompt import Fact, Template, fenced
from moot.protocols.panel.payloads import Change, Position, Proposal
from moot.protocols.panel.sitting import Sitting
from moot.record.entry import Draft

LONGEST_EXCERPT = 600
"""Characters of an idea that was accepted before: enough to tell a duplicate."""
LONGEST_HEARSAY = 160
"""Characters of a claim as a small model is told of it."""


def facts(sitting: Sitting, agent: Agent, heard: Sequence[Draft], number: int) -> dict[str, Fact]:
    """What every prompt may say. The brief and the idea stand there only for an agent that has not had them yet."""
    first = not agent.history
    config = sitting.panel.config
    rulings = [draft for draft in sitting.rulings if draft.speaker != agent.name and sitting.usable(draft)]
    return {
        "number": number,
        "brief": _brief(sitting) if first else "",
        "idea": [sitting.idea] if first else [],
        "accepted": _accepted(config.accepted) + _asked_for(sitting.asked_for) if first else "",
        "intro": ("\n\n" if first else "") + "What has been said:\n\n" if heard else "",
        "heard": list(heard),
        "ruled": "\n\nThis did not settle it yet. What the validators hold:\n\n" if rulings else "",
        "rulings": rulings,
        "gap": "\n\n" if first or heard or rulings else "",
        "asked_for": CHANGES_WANTED if config.chosen.each_change else LABEL_WANTED,
        "question": config.chosen.question,
        **small_talk(sitting, agent, heard, number),
    }


def proposal_facts(proposals: Sequence[Proposal]) -> dict[str, Fact]:
    """The proposed modifications under their numbers, each once."""
    lines = {one.number: f"{one.number} ({one.persona}): {' '.join(one.text.split())}" for one in reversed(proposals)}
    listed = "\n".join(reversed(lines.values()))
    quoted = fenced(listed, "proposed modifications") if listed else "Nobody has proposed a modification."
    return {"proposals": quoted, "listed": listed}


def change_facts(changes: Sequence[Draft]) -> dict[str, Fact]:
    texts = [f"{draft.data.number}: {draft.data.text}" for draft in changes if isinstance(draft.data, Change)]
    return {"changes": list(changes), "change_list": "\n".join(texts)}


def revision_facts(sitting: Sitting, required: Sequence[str]) -> dict[str, Fact]:
    listed = "\n".join(f"- {' '.join(text.split())}" for text in required)
    return {"idea": sitting.idea, "required": fenced(listed, "required changes"), "listed": listed}


def _brief(sitting: Sitting) -> str:
    kind = sitting.panel.config.chosen
    labels = "\n".join(f"- {label}: {meaning}" for label, meaning in kind.labels.items())
    what = "Each proposed change gets one of these" if kind.each_change else "The answer is one of these"
    return (
        f"The panel decides this: {kind.question}\n\n{what}:\n{labels}\n\nWhat counts: {kind.criteria}\n\nThe idea:\n\n"
    )


def _accepted(ideas: Sequence[str]) -> str:
    if not ideas:
        return ""
    short = [text if len(text) <= LONGEST_EXCERPT else f"{text[:LONGEST_EXCERPT].rstrip()} […]" for text in ideas]
    quoted = "\n\n".join(fenced(text, f"accepted idea {number}") for number, text in enumerate(short, 1))
    return f"\n\nThese have been accepted already. Say so if this one is a near-duplicate of one of them:\n\n{quoted}"


def _asked_for(required: Sequence[str]) -> str:
    """What the version before was sent back with, for a panel that has not seen it."""
    if not required:
        return ""
    quoted = fenced("\n".join(f"- {' '.join(text.split())}" for text in required), "changes asked for")
    return (
        "\n\nThis is a revised version. The one before was sent back with these changes to make; check whether they "
        f"were made, and ask for nothing anew that was:\n\n{quoted}"
    )


def small_talk(sitting: Sitting, agent: Agent, heard: Sequence[Draft], number: int) -> dict[str, Fact]:
    """What the short prompts say, and how the answers to them begin; `{label}` is filled in once it is chosen."""
    idea, told = " ".join(sitting.idea.content.split()), _hearsay(heard)
    *most, last = sitting.panel.config.chosen.labels
    choice = "Answer in one sentence." if sitting.labels == () else f"Say {', '.join(most)} or {last}."
    if sitting.panel.config.chosen.each_change:
        says = ("I think", "The idea could be better, because it", "We should")
        says_it, rules = f"{says[min(number, 2) - 1]}\n{says[2]}", "No change is needed, because"
    else:
        says_it = ("I say {label}, because", "Now I say {label}, because", "My last word is {label}, because")[
            min(number, 3) - 1
        ]
        rules = "The ruling is {label}, because"
    return {
        "shown": f"The idea: {idea}\n\n" if not agent.history else "",
        "hearsay": f"{told}\n\n" if told else "",
        "choice": choice,
        "says": says_it,
        "rules": rules,
    }


def _hearsay(heard: Sequence[Draft]) -> str:
    """What others said, as a small model can take it in: who, what for, and the claim."""
    told = []
    for draft in heard:
        if isinstance(draft.data, Position):
            claim = " ".join((draft.data.claim or "").split())[:LONGEST_HEARSAY]
            told.append(f"{draft.speaker} says {draft.data.label or 'this'}: {claim}")
    return "\n".join(told)


LABEL_WANTED = (
    "Make your claim in a few sentences, give the evidence it rests on, admit what is weak about it, and name the "
    "modifications you would have made to the idea, each as one concrete change. Then give your label, or `abstain` if "
    "you cannot choose one, and how confident you are of it, from 0 to 1."
)
CHANGES_WANTED = (
    "Say in a few sentences what would improve the idea most, give the evidence that rests on, admit what is weak "
    "about it, and put every change you propose into modifications, each as one concrete change. Then give how "
    "confident you are, from 0 to 1."
)

POSITION = Template("""
{brief}{idea}{accepted}{intro}{heard}{gap}This is round {number}:
take your position. Take up what was said before you, if anything, in your responses: agree,
disagree or agree in part, and say why. {asked_for} No list needs more than three items; leave empty what you have
nothing for.
""")

REBUTTAL = Template("""
{brief}{idea}{accepted}{intro}{heard}{ruled}{rulings}{gap}This
is round {number}: respond to the others. Answer what they actually said, in responses: agree, disagree or agree in
part, and say why. Change your mind where they are right, and hold on where they are not. {asked_for} No list
needs more than three items; leave empty what you have nothing for.
""")

CONVERGENCE = Template("""
{brief}{idea}{accepted}{intro}{heard}{ruled}{rulings}{gap}This
is round {number}, in which the panel looks for what it can agree on. Say in your responses what you can now accept
and what you cannot, and why; give up a label for a reason, not for peace. This may be your last word. {asked_for} No
list needs more than three items; leave empty what you have nothing for.
""")

RULE = Template("""
{brief}{idea}{accepted}{intro}{heard}{gap}These modifications were proposed:

{proposals}

Round {number} is over, and you rule. Check whether the arguments follow from what they rest on and whether the panel
contradicts itself, and name what does not hold under inconsistencies. Decide on the arguments, not on how many
made them. Give your reasoning, the key points, the modifications that your ruling requires, the numbers of the
proposals that these adopt, and the next steps; then your label, or `abstain` if you cannot choose one, and how
confident you are of it, from 0 to 1. No list needs more than three items; leave empty what you have nothing for.
""")

MERGE = Template("""
These changes to the idea were proposed. Some of them may say the same in other words.

{proposals}

Name the pairs that say the same, each as a proposal and the earlier one that it says the same as; none if all of them
differ. Two say the same only if whoever votes for one must also vote for the other. The panel then votes on each change
once, in the words of its first proposal.
""")

RULE_ON_CHANGES = Template("""
{brief}{idea}{accepted}{intro}{heard}{gap}The panel votes on these changes, each by itself:

{changes}

Vote yes or no on every one of them, for what it does for the idea and not for who proposed it. Give your reasoning,
name what does not hold in the arguments under inconsistencies, the key points and the next steps, and how
confident you are, from 0 to 1. No list needs more than three items; leave empty what you have nothing for.
""")

VOTE = Template("""
{brief}{idea}{accepted}{intro}{heard}{gap}The panel votes on these changes, each by itself:

{changes}

Vote yes or no on every one of them, for what it does for the idea and not for who proposed it. Give how confident
you are, from 0 to 1.
""")

REVISE = Template("""
The panel has sent this idea back:

{idea}

It is to be changed in these points:

{required}

Write the idea anew, whole, with these changes made and everything else as it was. Keep its form: a YAML document stays
one, with the same keys. No comment of yours belongs into it.
""")
