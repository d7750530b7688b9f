"""Receipts say what a debate rests on, for every protocol; they are checked alone and against their run, and signed."""

import json
from pathlib import Path
from typing import Any

import pytest

import moot as api
from moot.errors import ConfigError
from moot.report.signing import VARIABLE, make_key, signature_of, signer_of
from moot.runs.receipts import check_receipt
from tests.kit.arenas import arena
from tests.kit.command import moot
from tests.kit.duels import duel
from tests.kit.panels import panel
from tests.kit.persuasions import persuade

COMMON = ("id", "run", "date", "version", "protocol", "question", "headline", "flags", "agents", "rule", "log_sha256")


def receipt_in(result: api.Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(result.run) / "receipt.json").read_bytes())
    return found


def an_arena(folder: Path) -> api.Result:
    return arena(folder, reports=True)[0]


def test_every_protocol_leaves_one(tmp_path: Path) -> None:
    made = [an_arena(tmp_path), panel(tmp_path)[0], duel(tmp_path)[0], persuade(tmp_path)[0]]
    for result in made:
        receipt = receipt_in(result)
        assert [key for key in COMMON if key not in receipt] == [], result.protocol
        assert receipt["run"] == api.find_run(result.run).name
        assert receipt["version"]
        assert check_receipt(Path(result.run) / "receipt.json").faults == []
    arenas, panels, duels, _ = map(receipt_in, made)
    assert (arenas["rule"]["vote"], arenas["judgement"]["scores"]["Ada"]) == ("majority", 8.0)
    assert [one["choice"] for one in arenas["votes"]] == ["Ada"] * 3
    assert (panels["rule"]["agreement_needed"], len(panels["votes"])) == ("0.6", 5)
    assert set(duels["scores"]) == {one["name"] for one in duels["agents"] if one["role"] == "debater"}


def test_a_receipt_is_checked_alone_and_against_its_run(tmp_path: Path) -> None:
    result, other = an_arena(tmp_path / "one"), arena(tmp_path / "two", reports=True, seed=2)[0]
    kept = tmp_path / "kept.json"
    kept.write_bytes((Path(result.run) / "receipt.json").read_bytes())
    alone = moot("verify", str(kept))
    assert (alone.code, "is whole." in alone.out, "Not signed." in alone.out) == (0, True, True)
    assert moot("verify", result.run, "--receipt", str(kept)).code == 0
    against = moot("verify", other.run, "--receipt", str(kept))
    assert (against.code, "was altered at 'log_sha256'" in against.out) == (1, True)
    moved = tmp_path / "elsewhere"
    Path(result.run).rename(moved)
    assert api.verify(api.find_run(str(moved))).faults == [], "where a run stands is no part of it"
    receipt = json.loads(kept.read_bytes())
    kept.write_text(json.dumps({**receipt, "decision": "Another."}), "utf-8")
    altered = moot("verify", str(kept))
    assert (altered.code, "its id is not the hash of the rest" in altered.out) == (1, True)
    assert moot("verify", str(tmp_path / "none.json")).code == 2


def test_a_key_signs_and_verify_says_whose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key, public = tmp_path / "ada.key", tmp_path / "ada.key.pub"
    assert moot("keygen", str(key), "--name", "Ada of the board").code == 0
    assert key.stat().st_mode & 0o077 == 0
    assert moot("keygen", str(key)).code == 2, "no key is written over"
    assert moot("keygen", str(tmp_path / "bo.key"), "--name", "Bo").code == 0
    monkeypatch.setenv(VARIABLE, str(key))
    result = an_arena(tmp_path)
    path = Path(result.run) / "receipt.json"
    assert "Signed by Ada of the board" in moot("verify", str(path), "--key", str(public)).out
    assert moot("verify", result.run, "--key", str(public)).code == 0
    assert api.verify(api.find_run(result.run)).faults == []
    others = moot("verify", str(path), "--key", str(tmp_path / "bo.key.pub"))
    assert (others.code, "is not signed by Bo" in others.out) == (1, True)
    monkeypatch.delenv(VARIABLE)
    assert moot("report", result.run).code == 0
    assert "Signed by Ada of the board" in moot("verify", str(path)).out, "it stays signed without the key"
    receipt = json.loads(path.read_bytes())
    receipt["signature"]["by"] = "Bo"
    path.write_text(json.dumps(receipt), "utf-8")
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
