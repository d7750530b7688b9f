"""What `moot setup doctor` checks of the models inside moot."""

import ctypes.util
import sys
from importlib.metadata import version
from importlib.util import find_spec

from moot.embedded.weights import have_weights, weights_path
from moot.models.catalogue import CATALOGUE
from moot.runs.doctor import Check


def checks(model: str) -> list[Check]:
    """The runtime, which a debate needs if this is its model, and the weights."""
    if find_spec("xllamacpp") is None:
        hint = "pip install 'moot[embedded]', or choose another model with -m or MOOT_MODEL."
        return [Check("embedded runtime", False if model.startswith("embedded") else None, "not installed", hint)]
    checks = [Check("embedded runtime", True, f"xllamacpp {version('xllamacpp')}")]
    if sys.platform == "linux" and ctypes.util.find_library("gomp") is None:
        checks.append(Check("libgomp", False, "missing", "Install it, on Debian: apt-get install libgomp1"))
    for name, weights in CATALOGUE.items():
        if have_weights(weights):
            checks.append(Check(name, True, str(weights_path(weights))))
        else:
            by_itself = f"The first debate fetches it ({weights.download_size / 1e6:.0f} MB)."
            hint = by_itself if weights.by_itself else f"If wanted: {weights.fetch_command}"
            checks.append(Check(name, None, "not fetched", hint))
    return checks
