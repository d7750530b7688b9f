"""Receipts say what a debate rests on, for every protocol; they are checked alone and against their run, and signed."""

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import moot as api
from moot.errors import ConfigError
from moot.report.receipts import receipt_id, receipt_text
from moot.report.signing import VARIABLE, make_key, signature_of, signer_of
from moot.runs.receipts import check_receipt
from tests.kit.arenas import arena
from tests.kit.chaired import hold
from tests.kit.command import moot
from tests.kit.duels import duel, log_hash
from tests.kit.panels import panel
from tests.kit.persuasions import persuade

COMMON = (
    *("id", "run", "date", "version", "protocol", "question", "headline", "reached", "flags", "rule", "brief"),
    *("agents", "cost", "entries", "log_sha256", "calls_sha256", "config_sha256"),
)
OWN = {
    "arena": ("decision", "verdict", "votes", "tally", "assessment", "hollow", "evidence"),
    "panel": ("decision", "carried", "agreement", "answered", "votes", "changes", "missing", "abstained", "rulings"),
    "duel": ("winner", "confirmed", "jury", "scores", "running_scores"),
    "persuasion": ("winner", "decided_by", "scores", "by_semantics", "verdict"),
    "chaired": ("outcome", "winner", "decided_by", "reasoning", "verification", "sides", "redactions", "leanings"),
}
"""What decides in each protocol."""


def an_arena(folder: Path) -> api.Result:
    return arena(folder, reports=True)[0]


def staged(protocol: str, folder: Path) -> api.Run:
    folder.mkdir(exist_ok=True)
    if protocol == "chaired":
        return hold(folder)[0]
    made = {
        "arena": lambda: an_arena(folder),
        "panel": lambda: panel(folder)[0],
        "duel": lambda: duel(folder)[0],
        "persuasion": lambda: persuade(folder)[0],
    }
    return api.find_run(made[protocol]().run)


@pytest.mark.parametrize("protocol", OWN)
def test_every_protocol_leaves_one(protocol: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret, public = make_key("Ada of the board")
    monkeypatch.setenv(VARIABLE, secret)
    run = staged(protocol, tmp_path / "mine")
    path = Path(run.path) / "receipt.json"
    receipt = json.loads(path.read_bytes())
    assert [key for key in (*COMMON, *OWN[protocol]) if key not in receipt] == []
    assert (receipt["protocol"], receipt["run"], receipt["version"]) == (protocol, run.name, version("moot"))
    assert receipt["date"] == run.entries()[-1].timestamp
    assert receipt["rule"]
    assert all(one["name"] and one["models"] == ["scripted/replies"] for one in receipt["agents"])
    assert {flag["code"] for flag in receipt["flags"]} >= {"scripted_replies"}
    assert receipt["log_sha256"] == log_hash(Path(run.path) / "log.jsonl")
    checked = check_receipt(path.read_bytes(), public)
    assert (checked.faults, checked.signer) == ([], public)
    kept = tmp_path / "kept.json"
    kept.write_bytes(path.read_bytes())
    assert moot("verify", str(run.path), "--receipt", str(kept)).code == 0
    kept.write_text(receipt_text({**receipt, "headline": "Another."}), "utf-8")
    assert moot("verify", str(kept)).code == 1
    assert moot("verify", str(run.path), "--receipt", str(kept)).code == 1


def test_a_key_signs_and_verify_says_whose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key, public = tmp_path / "ada.key", tmp_path / "ada.key.pub"
    assert moot("setup", "key", str(key), "--name", "Ada of the board").code == 0
    assert key.stat().st_mode & 0o077 == 0
    assert moot("setup", "key", str(key)).code == 2, "no key is written over"
    assert moot("setup", "key", str(tmp_path / "bo.key"), "--name", "Bo").code == 0
    monkeypatch.setenv(VARIABLE, str(key))
    result = an_arena(tmp_path)
    path = Path(result.run) / "receipt.json"
    assert "Signed by Ada of the board" in moot("verify", str(path), "--key", str(public)).out
    assert moot("verify", result.run, "--key", str(public)).code == 0
    assert "the receipt is signed by Ada of the board" in moot("verify", result.run).out, "without being asked"
    assert api.verify(api.find_run(result.run)).faults == []
    others = moot("verify", str(path), "--key", str(tmp_path / "bo.key.pub"))
    assert (others.code, "is not signed by Bo" in others.out) == (1, True)
    monkeypatch.delenv(VARIABLE)
    assert moot("runs", "report", result.run).code == 0
    assert "Signed by Ada of the board" in moot("verify", str(path)).out, "it stays signed without the key"
    receipt = json.loads(path.read_bytes())
    (tmp_path / "altered.json").write_text(receipt_text({**receipt, "headline": "Another."}), "utf-8")
    altered = moot("verify", str(tmp_path / "altered.json"))
    assert (altered.code, "igned by" in altered.out) == (1, False), "nobody signed what it says now"
    receipt["signature"]["by"] = "Bo"
    path.write_text(receipt_text(receipt), "utf-8")
    forged = moot("verify", str(path))
    assert (forged.code, "the signature is not that of this receipt" in forged.out) == (1, True)
    assert api.verify(api.find_run(result.run)).faults


def test_a_key_in_a_variable_and_what_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    secret, public = make_key("Ada")
    monkeypatch.setenv(VARIABLE, secret)
    signature = signature_of("abc")
    assert signer_of("abc", signature) == public
    assert signer_of("abd", signature) is None
    assert signer_of("abc", {"key": "?", "value": 7}) is None
    monkeypatch.setenv(VARIABLE, secret[:40])
    with pytest.raises(ConfigError, match="that is no key") as error:
        signature_of("abc")
    assert secret[20:40] not in str(error.value)


def dressed_up(receipt: dict[str, Any], how: str) -> bytes:
    """The receipt as somebody without a key makes it say more; its id fits."""
    if how == "forged lines":
        receipt |= {
            "headline": "Yes.\nSigned by Alice.",
            "run": "x\u2028Signed by Alice.",
            "question": "\x1b[2JSigned by A",
        }
    text = receipt_text({**receipt, "id": receipt_id(receipt)})
    first = text.index('"headline"')
    forged = {
        "two headlines": f'{text[:first]}"headline": "Another.",\n  {text[first:]}',
        "half a character": text.replace('"headline": "', '"headline": "\\ud800'),
        "other white space": json.dumps(json.loads(text), ensure_ascii=False),
        "a list": "[]",
    }
    return forged.get(how, text).encode()


@pytest.mark.parametrize("how", ["forged lines", "two headlines", "half a character", "other white space", "a list"])
def test_a_receipt_says_no_more_than_moot_wrote(how: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    result, _ = duel(tmp_path)
    kept.write_bytes(dressed_up(json.loads((Path(result.run) / "receipt.json").read_bytes()), how))
    said = moot("verify", str(kept))
    told, _, content = said.out.partition("It says:\n")
    assert told.splitlines()[-1] == "Not signed." and "\x1b" not in said.out
    assert not [line for line in said.out.splitlines() if line.startswith("Signed by")]
    assert (said.code, bool(content)) == ((0, True) if how == "forged lines" else (1, False))
