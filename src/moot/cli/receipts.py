"""Commands for receipts: checking them, and the keys that sign them."""

import os
from dataclasses import replace
from pathlib import Path

import click

import moot
from moot.cli.options import print_json
from moot.runs.verify import Verification
from moot.text import clip, one_line, printable

LONGEST_TOPIC = 200


@click.command()
@click.argument("path", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--name", default="", metavar="NAME", help="Name of the signer, shown on receipts.")
def key(path: Path, name: str) -> int:
    """Make a key to sign receipts with.

    FILE is the private key; give FILE.pub to people who check your receipts. With MOOT_SIGNING_KEY=FILE, moot signs
    every receipt.
    """
    from moot.report.signing import make_key

    if len(name.splitlines()) > 1:
        raise moot.ConfigError("a name is one line")
    secret, public = make_key(name)
    beside = path.with_name(f"{path.name}.pub")
    if beside.exists():
        raise moot.ConfigError(f"{beside} is there already; give the key another name")
    try:
        # Private from the start, and never over an existing key.
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(f"{secret}\n")
        beside.write_text(f"{public.line}\n", "utf-8")
    except OSError as error:
        raise moot.ConfigError(f"{path} cannot be written: {error.strerror}") from error
    click.echo(f"{path} signs as {printable(name) or 'nobody in particular'} ({public.fingerprint}).")
    click.echo(f"Give {beside} to those who check, and set MOOT_SIGNING_KEY={path}")
    return 0


def verify_receipt(path: Path, key: Path | None, file: Path | None, *, as_json: bool) -> int:
    """Check a receipt on its own, and print its signer; with a file, also whether the receipt is about this file."""
    from moot.report.signing import read_public_key
    from moot.runs.receipts import about_file, check_receipt

    found = check_receipt(path, read_public_key(key) if key else None)
    signer, faults = found.signer, list(found.faults)
    told = None
    if file is not None:
        fits, told = about_file(found.receipt, _bytes_of(file))
        faults += [] if fits else [f"{file}: {told}"]
    if as_json:
        signed = {"by": signer.name, "fingerprint": signer.fingerprint} if signer else None
        about = {"file": {"path": str(file), "about": told}} if file is not None else {}
        print_json({"receipt": str(path), "ok": not faults, "signed": signed, "faults": faults, **about})
        return 1 if faults else 0
    for fault in faults:
        click.echo(printable(f"FAULT  {fault}"))
    if not found.faults:
        receipt = found.receipt
        click.echo(printable(f"The receipt of {receipt.get('run')}, {receipt.get('date')}, is whole."))
        click.echo(
            printable(f"{clip(one_line(str(receipt.get('question'))), LONGEST_TOPIC)}: {receipt.get('headline')}")
        )
    if not faults and file is not None:
        click.echo(printable(f"{file}: {told}"))
    if signer or "signature" not in found.receipt:
        click.echo(printable(f"Signed by {signer}." if signer else "Not signed."))
    return 1 if faults else 0


def _bytes_of(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise moot.ConfigError(f"{file} cannot be read: {error.strerror}") from error


def with_receipt(run: moot.Run, found: Verification, receipt: Path | None, key: Path | None) -> Verification:
    """The findings about a run, plus the differences between the run and a receipt: its own, or the one in that
    file."""
    from moot.report.receipts import FILE
    from moot.report.signing import read_public_key
    from moot.runs.receipts import check_content, check_receipt, parsed
    from moot.runs.verify import receipt_of_run_faults

    wanted = read_public_key(key) if key else None
    own = run.place.read(FILE)
    faults = list(found.faults)
    if receipt is not None:
        checked = check_receipt(receipt, wanted)
        faults += [*checked.faults, *receipt_of_run_faults(run, receipt.read_bytes())]
    elif own is not None and parsed(own) is not None:
        checked = check_content(own, f"{FILE} of {run.name}", wanted)
        faults += checked.faults
    elif wanted is None:
        return found
    else:
        return replace(found, faults=[*faults, f"there is no receipt that {wanted} could have signed"])
    notes = [f"the receipt is signed by {checked.signer}"] if checked.signer else []
    return replace(found, faults=list(dict.fromkeys(faults)), notes=[*found.notes, *notes])
