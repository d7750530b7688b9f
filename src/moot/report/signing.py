"""Signatures of receipts: Ed25519, with a key of the user in a file or a variable.

A key is one line: its type, the key in base64, and the name of its owner. The name is chosen by the owner; whoever
checks a signature has to know that the key is theirs.
"""

import base64
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from moot.errors import ConfigError
from moot.plugins.extras import require
from moot.system.home import expanded
from moot.text import printable

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

VARIABLE = "MOOT_SIGNING_KEY"
PRIVATE, PUBLIC = "ed25519-private", "ed25519-public"


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key of 32 bytes with the name of its owner."""

    raw: bytes
    name: str

    @property
    def line(self) -> str:
        return f"{PUBLIC} {base64.b64encode(self.raw).decode()} {self.name}".rstrip()

    def __str__(self) -> str:
        return f"{self.name or 'a key without a name'} ({self.fingerprint})"

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(self.raw).hexdigest()[:16]


def make_key(name: str) -> tuple[str, PublicKey]:
    """A new key: the private line, and its public half."""
    made = _needed().generate()
    secret = base64.b64encode(made.private_bytes_raw()).decode()
    return f"{PRIVATE} {secret} {name}".rstrip(), _public(made, name)


def signature_of(receipt_id: str) -> dict[str, Any] | None:
    """The signature of a receipt with the user's key; None if the user has none."""
    given = os.environ.get(VARIABLE, "").strip()
    if not given:
        return None
    text = given if given.startswith(PRIVATE) else _read(expanded(given))
    raw, name = _parsed(text, PRIVATE)
    key = _needed().from_private_bytes(raw)
    public = _public(key, name)
    value = base64.b64encode(key.sign(_message(receipt_id, name))).decode()
    return {"algorithm": "ed25519", "by": name, "key": base64.b64encode(public.raw).decode(), "value": value}


def signer_of(receipt_id: str, signature: Any) -> PublicKey | None:
    """The signer of that receipt; None if the signature is invalid."""
    _needed()
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        raw, value = (base64.b64decode(signature[field], validate=True) for field in ("key", "value"))
        name = str(signature["by"])
        Ed25519PublicKey.from_public_bytes(raw).verify(value, _message(receipt_id, name))
    except (InvalidSignature, KeyError, TypeError, ValueError):
        return None
    return PublicKey(raw, name)


def read_public_key(path: Path) -> PublicKey:
    return PublicKey(*_parsed(_read(path), PUBLIC))


def _message(receipt_id: str, name: str) -> bytes:
    return f"moot receipt {receipt_id} by {name}".encode()


def _public(key: "Ed25519PrivateKey", name: str) -> PublicKey:
    return PublicKey(key.public_key().public_bytes_raw(), name)


def _needed() -> "type[Ed25519PrivateKey]":
    require("sign")
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"the key {printable(str(path))} cannot be read: {error}") from error


def _parsed(line: str, kind: str) -> tuple[bytes, str]:
    """The bytes of a key and its name. Errors do not quote the key."""
    parts = line.split(maxsplit=2)
    try:
        raw = base64.b64decode(parts[1], validate=True) if parts[:1] == [kind] else b""
    except (IndexError, ValueError):
        raw = b""
    if len(raw) != 32:
        raise ConfigError(f"that is no key: it should be one line, `{kind} BASE64 NAME`, as moot setup key writes it")
    return raw, parts[2] if len(parts) > 2 else ""
