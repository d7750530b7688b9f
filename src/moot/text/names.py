"""Names as they are compared: two that look the same are the same."""

import unicodedata


def folded(text: str) -> str:
    """The text in one form of Unicode, without case and without characters that nobody sees. Accents stay: Zoë is not
    Zoe."""
    if text.isascii():
        return text.casefold()
    visible = "".join(one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one) != "Cf")
    return unicodedata.normalize("NFKC", visible.casefold())
