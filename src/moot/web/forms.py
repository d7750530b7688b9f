"""The fields of a submitted form."""

from urllib.parse import parse_qsl

from fastapi import Request

import moot

MOST_FIELDS = 500


async def sent(request: Request) -> dict[str, str]:
    """The fields and their values; the last one if a field occurs twice. Line breaks are those of texts, not those
    that browsers send."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        fields = parse_qsl(body, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise moot.ConfigError(f"a form may have {MOST_FIELDS} fields") from None
    return {name: value.replace("\r\n", "\n") for name, value in fields}
