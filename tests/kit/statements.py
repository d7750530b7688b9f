"""Sixty statements with sources, made by hand and labelled, and the small web they cite.

`true` and `false` are about what the page says; `misquoted` puts words between quotation marks that the page does not
have, `hidden` quotes what the page has and does not show; `unrelated` cites a page on another matter; `invented` cites
or names a page that does not exist. `by_code` says whether code alone, without a model, must find it.
"""
# ruff: noqa: E501, ISC004 (data, a row a line)

from dataclasses import dataclass
from typing import Literal

Kind = Literal["true", "false", "misquoted", "unrelated", "hidden", "invented"]

_SECRETS = (
    "Nine out of ten shopkeepers want the trams to go.",
    "The council hid the true figures for many years.",
    "Every tram driver has been promised a golden watch.",
    "Cyclists pay no attention to the lights at all.",
    "The bridge was closed because it was about to fall.",
    "Nobody in the town had ever asked for the library.",
    "The heat pumps were bought from the mayor's brother.",
    "All the trees in the park are to be felled in spring.",
    "The ferry has lost more money than it has ever earned.",
    "Teachers were told to keep the results to themselves.",
)
PAGES = {
    "https://linz.example/trams": (
        "Trams in Linz",
        "<p>The trams of Linz carried 41 million passengers in 2019. A tram carries up to 220 people, and a bus 95. The "
        "city council has run the network since 1880.</p><p>On the bridge, trams run every four minutes in the morning. "
        "Delays fell by 12 per cent after the second track was opened in April 2016.</p>"
        f"<p hidden>{_SECRETS[0]}</p><p style='display:none'>{_SECRETS[1]}</p>",
    ),
    "https://road.example/charge": (
        "The charge for driving in",
        "<p>Stockholm tried a congestion charge from January to July 2006. Traffic across the cordon fell by about 20 per "
        "cent. After a referendum the charge was made permanent in August 2007.</p><p>Shops inside the cordon saw no "
        f"measurable loss. The revenue went to roads and to public transport.</p><p style='font-size:0'>{_SECRETS[2]}</p>"
        f"<div style='position:absolute;left:-9999px'>{_SECRETS[3]}</div>",
    ),
    "https://bridge.example/report": (
        "Report on the old bridge",
        "<style>.later { visibility: hidden }</style><p>The old bridge was built in 1911 of riveted steel. Inspectors found "
        "corrosion in 37 of its 240 hangers. Repairs would cost 8.5 million euros and take two summers.</p>"
        f"<p>The report advises against lorries of more than 12 tonnes.</p><p class='later'>{_SECRETS[4]}</p>",
    ),
    "https://library.example/year": (
        "A year of the new library",
        "<p>The new library had 310,000 visitors in its first year, twice as many as the old one. It is open until nine in "
        "the evening, and on Sundays without staff.</p><p>Half of its visitors borrow nothing: they read, study or wait for "
        f"a train.</p><noscript>{_SECRETS[5]}</noscript><!-- {_SECRETS[6]} -->",
    ),
    "https://heat.example/pumps": (
        "Heat pumps in old houses",
        "<p>In a trial with 75 old houses, heat pumps delivered 2.9 units of heat for each unit of power. Radiators had to be "
        "replaced in 11 houses. The mean cost was 14,200 euros before subsidy.</p><p>Tenants reported rooms that warmed up "
        f"more slowly, and bills that were lower in two winters out of three.</p><template>{_SECRETS[7]}</template>"
        f"<p style='opacity:0'>{_SECRETS[8]}</p><p style='height:0;overflow:hidden'>{_SECRETS[9]}</p>",
    ),
}
TRAMS, CHARGE, BRIDGE, LIBRARY, HEAT = PAGES
_WHERE_HIDDEN = (TRAMS, TRAMS, CHARGE, CHARGE, BRIDGE, LIBRARY, LIBRARY, HEAT, HEAT, HEAT)


@dataclass(frozen=True, slots=True)
class Statement:
    kind: Kind
    content: str
    urls: tuple[str, ...]
    by_code: bool


def _all(kind: Kind, *rows: tuple[str, str, bool]) -> list[Statement]:
    return [Statement(kind, content, tuple(url.split()), by_code) for content, url, by_code in rows]


STATEMENTS = [
    *_all(
        "true",
        ("Linz had 41 million tram passengers in 2019 [1].", TRAMS, False),
        ("A tram takes up to 220 people where a bus takes 95 [1].", TRAMS, False),
        ("As the page says, “delays fell by 12 per cent after the second track was opened” [1].", TRAMS, False),
        ("In Stockholm, traffic across the cordon fell by about 20 per cent in the trial of 2006 [1].", CHARGE, False),
        ("Shops inside the cordon lost nothing that could be measured [1].", CHARGE, False),
        ("Of the bridge's 240 hangers 37 were found corroded [1], and repairs take two summers [1].", BRIDGE, False),
        ("The repairs would cost 8.5 million euros [1].", BRIDGE, False),
        ("Three hundred and ten thousand people visited the library in its first year [1].", LIBRARY, False),
        (
            "The report says: “Half of its visitors borrow nothing: they read, study or wait for a train.” [1]",
            LIBRARY,
            False,
        ),
        ("Heat pumps gave 2.9 units of heat for a unit of power in 75 old houses [1].", HEAT, False),
    ),
    *_all(
        "false",
        ("Linz had 61 million tram passengers in 2019 [1].", TRAMS, False),
        ("A tram takes up to 95 people, fewer than a bus with 220 [1].", TRAMS, False),
        ("Delays on the tram bridge rose after the second track was opened [1].", TRAMS, False),
        ("In Gothenburg, traffic across the cordon fell by about 20 per cent [1].", CHARGE, False),
        ("Shops inside the cordon lost much of their trade [1].", CHARGE, False),
        ("Inspectors found corrosion in all 240 hangers of the bridge [1].", BRIDGE, False),
        ("Repairs of the bridge would cost 85 million euros [1].", BRIDGE, False),
        ("The library had fewer visitors than the old one in its first year [1].", LIBRARY, False),
        ("Radiators had to be replaced in 71 houses [1].", HEAT, False),
        ("Bills for heat were higher in two winters out of three [1].", HEAT, False),
    ),
    *_all(
        "misquoted",
        ("The page says: “delays fell by 21 per cent after the second track was opened” [1].", TRAMS, True),
        ("The council admits that 'trams run every forty minutes in the morning' [1].", TRAMS, True),
        ("“A tram carries up to 220 people, and a bus none” [1], we read.", TRAMS, True),
        ("“Shops inside the cordon saw a measurable loss” [1], it says.", CHARGE, True),
        ("It was said that «the charge was abolished in August 2007» [1].", CHARGE, True),
        ("The report advises “against lorries of any weight at all” [1].", BRIDGE, True),
        ('Inspectors wrote, "corrosion in 37 … of its 400 hangers" [1].', BRIDGE, True),
        ("“It is open until midnight, and on Sundays without staff” [1].", LIBRARY, True),
        ("“Half of its visitors borrow books, read, study” [1], says the report.", LIBRARY, True),
        ("Tenants reported ‘rooms that never warmed up in winter’ [1].", HEAT, True),
    ),
    *_all(
        "unrelated",
        ("Whales dive deeper than any submarine has gone so far [1].", TRAMS, False),
        ("Sourdough needs flour, water, salt and patience [1].", CHARGE, False),
        ("Chess engines beat every grandmaster by a wide margin [1].", BRIDGE, False),
        ("Vaccines train the immune system against viruses [1].", LIBRARY, False),
        ("Glaciers retreat fastest where summers grow longer [1].", HEAT, False),
        ("Trams are quieter than cars at night, measurements show [1].", TRAMS, False),
        ("A charge on parking fills the shops again [1].", CHARGE, False),
        ("Old bridges attract visitors who spend money in the town [1].", BRIDGE, False),
        ("Libraries raise the price of houses near by [1].", LIBRARY, False),
        ("Heat pumps are made of parts from abroad [1].", HEAT, False),
    ),
    *_all(
        "hidden",
        *((f"The page says: “{secret}” [1]", url, True) for secret, url in zip(_SECRETS, _WHERE_HIDDEN, strict=True)),
    ),
    *_all(
        "invented",
        (
            "Linz had 41 million tram passengers in 2019 [1], and dolphins steer them [2].",
            f"{TRAMS} https://linz.example/none",
            True,
        ),
        ("Traffic across the cordon fell by about 20 per cent [1].", "https://road.example/charges", True),
        ("Inspectors found corrosion in 37 of its 240 hangers [1].", "https://bridge.example/report-2", True),
        ("The new library had 310,000 visitors [1]; see https://library.example/made-up for more.", LIBRARY, True),
        ("A tram takes up to 220 people [1], as www.trams-of-the-world.example/linz has it.", TRAMS, True),
        ("Heat pumps gave 2.9 units of heat [1] (heat.example/second-trial says 4).", HEAT, True),
        ("Shops saw no measurable loss [1], cf. doi:10.1234/shops.2007.11.", CHARGE, True),
        ("The bridge was built in 1911 [1]. [CONJECTURE] See http://bridge.example/rumours too.", BRIDGE, True),
        ("Half of the visitors borrow nothing [1].", "https://library.example/year/2", True),
        ("Radiators had to be replaced in 11 houses [1][2].", f"{HEAT} https://heat.example/pumpz", True),
    ),
]
