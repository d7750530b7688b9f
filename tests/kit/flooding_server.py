"""A server of the Model Context Protocol, on its standard streams, that answers a call with messages without end. With
`many` it has a list of tools in several pages and answers, with `odd` a tool that breaks the protocol, and with `dies`
it complains and ends."""

import json
import sys
from typing import Any

NOTE = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x" * 1000}}


def say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def pages(cursor: str | None) -> dict[str, Any]:
    """Four pages of six tools, of which two have too many parameters and two the same name."""
    page = int(cursor or 0)
    names = [f"tool {6 * page + number}" for number in range(6)] if page else ["same.name", "same/name", *"abcd"]
    long = {f"parameter_{number}": {"type": "string", "description": "x" * 50} for number in range(100)}
    shapes = {name: long if name in ("c", "d") else {} for name in names}
    tools = [{"name": name, "inputSchema": {"type": "object", "properties": one}} for name, one in shapes.items()]
    return {"tools": tools, **({"nextCursor": str(page + 1)} if page < 3 else {})}


def main(how: str = "") -> None:
    if how == "dies":
        sys.exit("first line\nno config was found")
    for line in sys.stdin:
        asked = json.loads(line)
        method = asked["method"]
        if method == "initialize":
            about = {"serverInfo": {"name": "flood", "version": "1"}, "capabilities": {"tools": {}}}
            result: dict[str, Any] = {"protocolVersion": asked["params"]["protocolVersion"], **about}
            say({"jsonrpc": "2.0", "id": asked["id"], "result": result})
        elif method == "tools/list":
            tools = [
                {"name": "flood", "description": "Floods.", "inputSchema": {} if how == "odd" else {"type": "object"}}
            ]
            listed = pages((asked.get("params") or {}).get("cursor")) if how == "many" else {"tools": tools}
            say({"jsonrpc": "2.0", "id": asked["id"], "result": listed})
        elif method == "tools/call" and how == "many":
            link = {"type": "resource_link", "name": "Report", "uri": "https://example.com/r"}
            say({"jsonrpc": "2.0", "id": asked["id"], "result": {"content": [link]}})
        elif method == "tools/call":
            while True:
                say(NOTE)
        elif "id" in asked:
            say({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "not here"}})


if __name__ == "__main__":
    main(*sys.argv[1:])
