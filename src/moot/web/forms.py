"""What a form of a page sends."""

from urllib.parse import parse_qsl

from fastapi import Request


async def sent(request: Request) -> dict[str, str]:
    """The fields and what was typed into them; of one that comes twice, the last."""
    body = (await request.body()).decode("utf-8", "replace")
    return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=500))
