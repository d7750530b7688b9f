"""Commands about models: which there are, and which is the default."""

import asyncio
from dataclasses import asdict

import click

import moot
from moot.cli.notes import tell
from moot.cli.options import JSON, print_json, say_plugin_faults
from moot.cli.roofs import Roof
from moot.engine.define.default_model import set_default_model
from moot.models.plugged import PLUGGED_IN
from moot.models.registry import ModelSettings, describe_providers, http_providers, open_model
from moot.text import printable


@click.group(cls=Roof, invoke_without_command=True)
@click.option("--find", "word", default="", metavar="WORD", help="List all models whose name contains WORD.")
@JSON
@click.pass_context
def models(context: click.Context, word: str, as_json: bool) -> int:
    """List the available models and how to set up others.

    Asks every configured server for its models, and shows how many tokens each can read and its price in dollars per
    million tokens of input and output.
    """
    if context.invoked_subcommand is not None:
        return 0
    from moot.cli.tables import print_offers, print_providers
    from moot.engine.define.layers import load_options
    from moot.models.offers import ask_all

    say_plugin_faults(PLUGGED_IN.faults())
    providers = describe_providers()
    listed = asyncio.run(ask_all(load_options().prices)) if http_providers() else []
    offers = [offer for one in listed for offer in one.offers if word.casefold() in offer.name.casefold()]
    if as_json:
        print_json(
            {
                "providers": [asdict(one) for one in providers],
                "models": [asdict(one) for one in offers],
                "faults": {one.provider: one.fault for one in listed if one.fault},
            }
        )
        return 0
    if not word:
        print_providers(providers)
    print_offers(listed, offers, whole=bool(word))
    return 0


@click.command()
@click.argument("name", metavar="MODEL")
def default(name: str) -> int:
    """Set the default model in your own moot.yaml.

    MODEL is provider/name. It is not called.
    """
    try:
        open_model(name, ModelSettings())
    except moot.NotReady as error:
        tell(str(error))
    file = set_default_model(name)
    click.echo(printable(f"{name} is now the default model (saved in {file})."))
    return 0
