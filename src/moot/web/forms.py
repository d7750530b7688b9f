"""The fields of a submitted form."""

from urllib.parse import parse_qsl

from fastapi import Request

import moot

MOST_FIELDS = 500


async def sent(request: Request) -> dict[str, str]:
    """The fields and their values; the last one if a field occurs twice."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError:
        raise moot.ConfigError(f"a form may have {MOST_FIELDS} fields") from None
