"""Comparison of names: two names that look the same are the same."""

import re
import unicodedata


def folded(text: str) -> str:
    """The text in normalised Unicode, without case and invisible characters, with one kind of apostrophe and single
    spaces; line breaks are kept. Accents are kept, too: Zoë is not Zoe."""
    if text.isascii():
        plain = text.casefold()
    else:
        visible = "".join(one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one) != "Cf")
        plain = unicodedata.normalize("NFKC", visible.casefold().replace("i\u0307", "i"))
    return re.sub(r"[^\S\n]+", " ", re.sub("[‘’ʼ`´]", "'", plain))
