"""Names as they are compared: two that look the same are the same."""

import re
import unicodedata


def folded(text: str) -> str:
    """The text in one form of Unicode, without case and without characters that nobody sees, with one kind of
    apostrophe and single spaces; line breaks stay. Accents stay too: Zoë is not Zoe."""
    if text.isascii():
        plain = text.casefold()
    else:
        visible = "".join(one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one) != "Cf")
        plain = unicodedata.normalize("NFKC", visible.casefold().replace("i\u0307", "i"))
    return re.sub(r"[^\S\n]+", " ", re.sub("[‘’ʼ`´]", "'", plain))
