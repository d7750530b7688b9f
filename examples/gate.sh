#!/bin/sh
# The gate in a pipeline: expensive work begins only for an idea that the panel approves.
#   examples/gate.sh IDEA [OPTIONS OF moot panel]
# Exit code 0: approved, and decision.json has the idea as it was approved, which may be a later version.
#           1: not approved; the reasons are printed.   Otherwise: moot could not decide, and can be asked again.
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

decision = json.load(open("decision.json"))
print(f"Not approved: {decision['decision']}, with {decision['agreement']:.0%} of the weight.")
for change in decision["modifications_required"]:
    print(f"- {change}")
END
    exit 1
    ;;
*)
    echo "No decision (exit code $code); go on with: moot resume latest" >&2
    exit "$code"
    ;;
esac
