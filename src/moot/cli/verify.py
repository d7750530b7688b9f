"""The command that checks a run or a receipt."""

from dataclasses import asdict, replace
from pathlib import Path

import click

import moot
from moot.cli.options import JSON, OUT, print_json, runs_folder
from moot.cli.run_names import LATEST_RUN
from moot.report.receipts import FILE
from moot.report.signing import read_public_key
from moot.runs.receipts import about_file, check_receipt
from moot.runs.verify import Verification, receipt_of_run_faults
from moot.text import clip, one_line, printable
from moot.text.yaml import read_file

LONGEST_LINE = 1000
SAID = ("run", "date", "question", "headline")
"""What is shown of a receipt."""


@click.command()
@LATEST_RUN
@OUT
@JSON
@click.option(
    "--receipt",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A copy of the receipt, to compare with the run's.",
)
@click.option("--key", type=click.Path(path_type=Path), metavar="FILE", help="The public key of the expected signer.")
@click.option(
    "--file", type=click.Path(path_type=Path), metavar="FILE", help="With a receipt: the text that should have passed."
)
def verify(name: str, out: str | None, as_json: bool, receipt: Path | None, key: Path | None, file: Path | None) -> int:
    """Check that a run or a receipt has not been altered.

    Checks that no line was changed, removed or reordered, that the journal gives the same log again without calling a
    model, and that the result belongs to both. Lists what could not be checked. If RUN is a receipt (a .json file),
    only the receipt is checked: its hash, its signature, and with --file whether this file is the one that passed.
    """
    if name.endswith(".json"):
        return verify_receipt(Path(name), key, file, as_json=as_json)
    if file is not None:
        raise moot.ConfigError("--file is compared with a receipt: give the receipt.json of the run, not the run")
    run = moot.find_run(name, runs_folder(out))
    found = with_receipt(run, moot.verify(run), receipt, key)
    if as_json:
        print_json({"run": run.address, "ok": not found.faults, **asdict(found)})
    else:
        for fault in found.faults:
            click.echo(printable(f"FAULT  {fault}"))
        for note in found.notes:
            click.echo(printable(f"note   {note}"))
        if not found.faults:
            click.echo(f"{run.name}: {found.entries} entries and {found.replies} replies verified, nothing altered.")
    return 1 if found.faults else 0


def verify_receipt(path: Path, key: Path | None, file: Path | None, *, as_json: bool) -> int:
    """Check a receipt on its own, and print its signer; with a file, also whether the receipt is about this file."""
    found = check_receipt(read_file(path), read_public_key(key) if key else None)
    signer, faults, told = found.signer, list(found.faults), ""
    if file is not None:
        fits, told = about_file(found.receipt, read_file(file))
        faults += [] if fits else [f"{file}: {told}"]
    if as_json:
        signed = {"by": signer.name, "fingerprint": signer.fingerprint} if signer else None
        about = {"file": {"path": str(file), "about": told}} if file is not None else {}
        print_json({"receipt": str(path), "ok": not faults, "signed": signed, "faults": faults, **about})
        return 1 if faults else 0
    lines = [f"FAULT  {fault}" for fault in faults]
    lines += [f"{path}: the receipt is whole."] if not found.faults else []
    lines += [f"{file}: {told}"] if file is not None and not faults else []
    lines += [f"Signed by {signer}." if signer else "Not signed."]
    if not found.faults:  # what it says stands apart, and cannot look like what moot says of it
        lines += ["It says:", *(f"  {name}: {found.receipt.get(name)}" for name in SAID)]
    for line in lines:
        click.echo(f"{'  ' * line.startswith(' ')}{clip(one_line(line), LONGEST_LINE)}")
    return 1 if faults else 0


def with_receipt(run: moot.Run, found: Verification, receipt: Path | None, key: Path | None) -> Verification:
    """The findings about a run, plus the differences between the run and a receipt: its own, or the one in that
    file."""
    wanted = read_public_key(key) if key else None
    own = run.place.read(FILE)
    faults = list(found.faults)
    if receipt is not None:
        content = read_file(receipt)
        checked = check_receipt(content, wanted)
        faults += [*checked.faults, *receipt_of_run_faults(run, content)]
    elif own is not None:
        checked = check_receipt(own, wanted)
        faults += checked.faults
    elif wanted is None:
        return found
    else:
        return replace(found, faults=[*faults, f"there is no receipt that {wanted} could have signed"])
    note = f"the receipt is {f'signed by {checked.signer}' if checked.signer else 'not signed'}"
    return replace(found, faults=list(dict.fromkeys(faults)), notes=[*found.notes, note])
