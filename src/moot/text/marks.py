"""Chat template marks: text that the tokenizer of some model family reads as the end of a turn, the start of another,
and the like. Such marks are broken up before sending, so that they are only text."""

import json
import re
from collections.abc import Callable
from typing import Any

from moot.text.json import parse_json

_NAMES = (
    "s|bos|eos|pad|unk|mask|cls|sep|sop|eop|eot|eoh|eoa|eom|BOS_TOKEN|EOS_TOKEN|PAD_TOKEN"  # ends and beginnings
    "|(?:start|end|begin|beginning)_of_\\w+|start_header_id|end_header_id|turn|im_start|im_end|endoftext"  # turns
    "|user|assistant|system|human|bot|model|developer|tool|observation|instructions?|sys|inst"  # roles
    "|role|seed:\\w+|longcat_\\w+"  # Ling, Seed-OSS, LongCat
    "|think|thinking|think_on|think_off"
    "|reasoning|answer|tool_calls?|tool_responses?|tools|tool_sep|function_calls?|arg_key|arg_value"  # Qwen, GLM
    "|unused_?\\d+|extra_id_\\d+|extra_token_\\d+|reserved_\\w+|SPECIAL_\\d+|ctrl\\d+|special_\\w+"  # spare tokens
    "|fim_\\w+|file_sep|filename|repo_?name|gh_stars|issue_\\w+|jupyter_\\w+|empty_output|commit_\\w+"  # code
    "|image|img|video|audio|vision_\\w+|image_soft_token|start_of_image|pre|suf|mid|\\w+:tool_call|\\w+:think"
)
_IN_BRACKETS = (
    "INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|ARGS|CALL_ID|THINK|IMG\\w*|AUDIO"
    "|PREFIX|SUFFIX|MIDDLE|MODEL_SETTINGS|CONTROL_\\d+|CLS|SEP|MASK|PAD|UNK|gMASK|sMASK|BOS|EOS|EOT"
    "|start_header_id|end_header_id|UNUSED_TOKEN_\\d+"  # Kimi, InternLM
)
# Each pattern begins with a fixed character, so that the search can skip to it, and looks for the end of a mark before
# it compares all names.
_MARKS = (
    ("<", re.compile(rf"<(?=[|｜]|(?=/?[\w:]++>)/?(?i:{_NAMES})>|</?(?i:SYS)>>)")),
    ("[", re.compile(rf"\[(?=\||/?(?i:{_IN_BRACKETS})\]|e~\[)")),
    ("]", re.compile(r"\](?=~!?\w{1,9}[\[\]]|!\w~\[|<\]\w{1,20}\[>\[)")),  # MiniMax
    ("|", re.compile(r"\|(?=>)(?<=\w\|)")),
    ("｜", re.compile(r"｜(?=>)(?<=\w｜)")),
)


def unmarked(text: str) -> str:
    """The text with a blank after the first character of every mark."""
    return _broken(text, lambda sign: f"{sign} ")


def unmarked_value(value: Any) -> Any:
    """A JSON value with a blank in every mark of its texts and keys. No mark has a character that JSON escapes, so they
    are found in its JSON, however deep they are."""
    text = json.dumps(value, ensure_ascii=False)
    return value if (broken := unmarked(text)) == text else parse_json(broken, halves=True)


def unmarked_json(text: str) -> str:
    """JSON with the first character of every mark spelled as an escape, so that it means the same."""
    return _broken(text, lambda sign: f"\\\\u{ord(sign):04x}")


def _broken(text: str, spelled: Callable[[str], str]) -> str:
    if "<" in text or "[" in text or "|" in text or "]" in text or "｜" in text:  # most texts have none
        for sign, mark in _MARKS:
            if sign in text:
                text = mark.sub(spelled(sign), text)
    return text
