#!/bin/sh
# The gate in a pipeline: expensive work begins only for an idea that the panel approves.
#   examples/gate.sh IDEA [OPTIONS OF moot panel]
# Name the model that decides, with -m or MOOT_MODEL; without one, or if IDEA is a file that is not there, nothing is
# decided and the exit code is 2.
# Exit code 0: the idea is approved as it was submitted; decision.json has the whole decision.
#         100: not approved; the reasons are printed.   Any other: no decision, as the codes of moot say.
set -eu
idea=$1
shift

code=0
moot panel "$idea" --require accept --json --quiet "$@" >decision.json || code=$?
case $code in
0)
    echo "Approved. Begin with:"
    python3 -c 'import json; print(json.load(open("decision.json"))["idea"])'
    ;;
100)
    python3 - <<'END'
import json

gate = json.load(open("decision.json"))["gate"]
print(f"Not approved. {gate['why']}")
for change in gate["conditions"]:
    print(f"- {change}")
END
    exit 100
    ;;
2)
    echo "No decision: the idea, an option or a setting is wrong; see above." >&2
    exit 2
    ;;
*)
    echo "No decision (exit code $code); go on with: moot resume latest" >&2
    exit "$code"
    ;;
esac
