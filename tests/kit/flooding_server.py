"""A server of the Model Context Protocol, on its standard streams, that answers a call with messages without end."""

import json
import sys
from typing import Any

NOTE = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x" * 1000}}


def say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        method = asked["method"]
        if method == "initialize":
            about = {"serverInfo": {"name": "flood", "version": "1"}, "capabilities": {"tools": {}}}
            result: dict[str, Any] = {"protocolVersion": asked["params"]["protocolVersion"], **about}
            say({"jsonrpc": "2.0", "id": asked["id"], "result": result})
        elif method == "tools/list":
            tools = [{"name": "flood", "description": "Floods.", "inputSchema": {"type": "object"}}]
            say({"jsonrpc": "2.0", "id": asked["id"], "result": {"tools": tools}})
        elif method == "tools/call":
            while True:
                say(NOTE)
        elif "id" in asked:
            say({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "not here"}})


if __name__ == "__main__":
    main()
