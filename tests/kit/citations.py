"""Honest sentences in six languages with the pages that they cite in other words, rebuttals that reason and cite
nothing, and what becomes of them and of false citations in debates whose verifier reads well.

`benchmarks/citations.py` prints the rates that stand in docs/chaired.md.
"""

import asyncio
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import moot
from moot.evidence.pages import Text, readable
from moot.protocols.chaired.payloads import Redaction, Ruling, Verification
from moot.testing import Scripted, ScriptedModel
from moot.text.sentences import sentences
from tests.kit.chaired import PACK, model_of
from tests.kit.statements import PAGES, STATEMENTS

PARAPHRASES: list[tuple[str, str, str]] = [
    # language, sentence, page
    (
        "English",
        "The UK banned new diesel cars.",
        "The United Kingdom has banned the sale of new diesel cars, the government said.",
    ),
    (
        "English",
        "Most Europeans live close to a tram stop.",
        "Most people in Europe live close to a tram stop, the survey found.",
    ),
    ("English", "Half of all riders, 50%, came by bus.", "One in two riders came by bus, according to the operator."),
    (
        "English",
        "Roughly two million people, or 2,000,000, use it.",
        "Some 2.04 million people use it, the agency reports for the year.",
    ),
    (
        "English",
        "The line opened on 3 May 2019.",
        "The line opened on May 3rd, 2019, to crowds of onlookers in the rain.",
    ),
    (
        "English",
        "German cities kept their trams.",
        "Cities in Germany have largely kept their trams, unlike those in France.",
    ),
    (
        "English",
        "Paris closed 100 streets to cars.",
        "The French capital closed a hundred streets to cars outside of schools.",
    ),
    (
        "English",
        "Prof. Miller found that noise fell by 3 dB.",
        "Miller and colleagues found that noise fell by three decibels at night.",
    ),
    (
        "English",
        "Cars take up 12 square metres per person.",
        "A car takes up twelve square metres of road for each person in it.",
    ),
    (
        "English",
        "The fee rose from £5 to £15, i.e. it tripled to 300%.",
        "The fee rose from £5 to £15 between 2003 and 2020, three times as much.",
    ),
    (
        "English",
        "Berliners walk more than they drive.",
        "People in Berlin walk more than they drive, says the city's survey.",
    ),
    (
        "English",
        "Ridership doubled between 2010 and 2020.",
        "From 2010 to 2020 the number of riders grew by 100 per cent.",
    ),
    (
        "German",
        "Straßenbahnen befördern viertausend Menschen pro Stunde.",
        "Eine Straßenbahn befördert stündlich 4000 Personen auf einer einzigen Spur.",
    ),
    (
        "German",
        "Autos verursachen Lärm, Abgase und Unfälle.",
        "Lärm und Abgase kommen vor allem vom Autoverkehr, ebenso die meisten Verkehrsunfälle.",
    ),
    (
        "German",
        "Studien belegen sinkende Unfallzahlen.",
        "Die Zahl der Unfälle sinkt, wie mehrere Untersuchungen belegen.",
    ),
    ("Chinese", "有轨电车每小时运送4000人。", "有轨电车一条车道每小时可以运送四千名乘客，远远超过小汽车。"),
    (
        "French",
        "Les trams transportent 4 000 personnes par heure.",
        "Un tramway transporte quatre mille voyageurs par heure sur une seule voie.",
    ),
    (
        "English",
        "CO2 emissions fell by a quarter.",
        "Carbon dioxide output was 25 per cent lower than in the year before.",
    ),
    ("English", "About 4,000 people took part.", "Exactly 3,987 participants were counted at the gates of the fair."),
    (
        "English",
        "The WHO warns of fine dust.",
        "Fine particles are a danger to health, the World Health Organization says.",
    ),
    ("English", "A third of the budget goes to roads.", "Roads take up 33 per cent of what the town spends in a year."),
    (
        "English",
        "The bridge is almost a kilometre long.",
        "At 985 metres the bridge is the longest of the whole region.",
    ),
    (
        "English",
        "It has been running since the mid-nineties.",
        "The first train of the new line left the depot in autumn 1995.",
    ),
    (
        "English",
        "Dr. Chen's team measured 20 °C in the shade, no more.",
        "Under the trees it was 68 degrees Fahrenheit at most, the group around Chen reports.",
    ),
    ("German", "Jeder Vierte fährt mit dem Rad.", "Der Anteil des Radverkehrs an allen Wegen liegt bei 25 Prozent."),
    ("German", "Die Fahrt dauert anderthalb Stunden.", "Nach rund 90 Minuten erreicht der Zug den Bahnhof am Meer."),
    ("German", "Rund 1,5 Mio. Euro kostet der Umbau.", "Für den Umbau sind 1.480.000 Euro im Haushalt vorgesehen."),
    ("German", "Der Bund zahlt die Hälfte.", "Fifty per cent of the cost is borne by the federal government."),
    (
        "German",
        "In Österreich stieg die Zahl um ein Fünftel.",
        "Von Wien bis Vorarlberg wurden zwanzig Prozent mehr gezählt als im Vorjahr.",
    ),
    (
        "German",
        "Das Gesetz gilt seit dem 1. Januar 2020.",
        "Anfang 2020 ist das Gesetz in Kraft getreten, teilt das Ministerium mit.",
    ),
    (
        "French",
        "Un Parisien sur trois n'a pas de voiture.",
        "À Paris, environ 33 % des habitants vivent sans automobile.",
    ),
    (
        "French",
        "Le trafic a baissé de moitié en dix ans.",
        "Entre 2010 et 2020, la circulation a diminué de 50 pour cent.",
    ),
    (
        "French",
        "La ligne coûte quelque 40 millions d'euros.",
        "Le coût de la ligne s'élève à 39,6 M€ selon la métropole.",
    ),
    (
        "French",
        "L'OMS recommande moins de bruit la nuit.",
        "L'Organisation mondiale de la santé conseille de réduire le bruit nocturne.",
    ),
    (
        "French",
        "Les bus roulent toutes les cinq minutes.",
        "Twelve buses an hour leave the stop, at regular intervals.",
    ),
    (
        "French",
        "M. Dupont a mesuré une hausse de 3 dB.",
        "L'équipe de Dupont constate trois décibels de plus qu'auparavant.",
    ),
    ("Chinese", "超过一半的居民乘坐公共交通。", "调查显示，53%的市民出行时选择公交或地铁，而不是自己开车。"),
    ("Chinese", "事故减少了三分之一。", "与上一年相比，交通事故的数量下降了约百分之三十三。"),
    ("Chinese", "这条线路于2019年5月开通。", "二〇一九年五月三日，新线路在雨中正式投入运营。"),
    ("Chinese", "噪音降低了3分贝。", "Measurements at night showed a level that was three decibels lower."),
    ("Chinese", "一辆车平均只坐一个多人。", "每辆小汽车的平均载客量为1.3人，这一数字多年来没有变化。"),
    ("Chinese", "世卫组织认为空气污染有害健康。", "世界卫生组织指出，空气中的污染物会对人的健康造成损害。"),
    ("Japanese", "路面電車は1時間に4000人を運ぶ。", "路面電車は一車線で毎時四千人の乗客を輸送することができる。"),
    ("Japanese", "事故は半分に減った。", "この十年間で交通事故の件数は五十パーセント減少したという。"),
    ("Japanese", "約200万人が利用している。", "年間の利用者は二百四万人に達したと運営会社は発表している。"),
    ("Japanese", "東京の住民の多くは車を持っていない。", "都内では自家用車を所有しない世帯が過半数を占めている。"),
    ("Japanese", "WHOは騒音に警告している。", "世界保健機関は夜間の騒音が健康に与える影響に注意を促した。"),
    ("Japanese", "工事費は四千万円だった。", "工事には4,000万円がかかり、市がその全額を負担している。"),
    ("Arabic", "ينقل الترام أربعة آلاف شخص في الساعة.", "يستطيع الترام أن ينقل ٤٠٠٠ راكب كل ساعة في مسار واحد فقط."),
    ("Arabic", "انخفضت الحوادث بمقدار الربع.", "تراجع عدد حوادث المرور بنسبة 25 في المئة مقارنة بالعام الماضي."),
    ("Arabic", "يسكن معظم الناس قرب محطة.", "أغلب السكان يقيمون على مسافة قصيرة من إحدى محطات النقل."),
    ("Arabic", "افتتح الخط في مايو 2019.", "بدأ تشغيل الخط الجديد في الثالث من شهر أيار عام ٢٠١٩."),
    (
        "Arabic",
        "تضاعف عدد الركاب خلال عشر سنوات.",
        "Between 2010 and 2020 the number of riders grew by one hundred per cent.",
    ),
    (
        "Arabic",
        "هل يكفي ذلك؟ تقول المنظمة إن الهواء أنظف.",
        "أكدت منظمة الصحة العالمية أن نوعية الهواء تحسنت في المدينة.",
    ),
]
REBUTTALS: list[tuple[str, str]] = [
    ("English", "Four thousand an hour is 32,000 in a working day of eight hours."),
    ("English", "If the line cost 40 million euros, half of that would be 20 million."),
    ("English", "Suppose that 100 people wait at a stop: they all need a seat."),
    ("English", "The point in my opening applies 24/7."),
    ("English", "You cannot be 100% sure of that."),
    ("English", "Article 12 of your own charter does not follow from #2."),
    ("English", "Since 2020 is not mentioned in #2, we do not know."),
    ("English", "By 2050 none of us may be here to judge it."),
    ("English", "Your argument has three steps, and the second fails."),
    ("English", "My opponent's 4,000 is a peak and no mean."),
    ("English", "Even if it were 50 % cheaper, my point would stand."),
    ("English", "I concede the 25 per cent, and ask what follows."),
    ("English", "Of your 2 reasons, 1 is a matter of taste."),
    ("English", "That would be 3.5 times as much [= 14 / 4], if #2 were right."),
    ("German", "Selbst wenn es 50 Prozent billiger wäre, bliebe mein Einwand bestehen."),
    ("German", "Ihr Argument hat drei Schritte, und der zweite trägt nicht."),
    ("German", "Angenommen, 100 Leute warten: dann brauchen alle 100 einen Platz."),
    ("German", "Ich räume die 4.000 ein; daraus folgt aber nichts für 2030."),
    ("French", "Même à 50 % moins cher, mon objection tiendrait."),
    ("French", "Supposons que 100 personnes attendent : il leur faut 100 places."),
    ("French", "Votre argument comporte trois étapes, et la deuxième échoue."),
    ("French", "Rien dans #2 ne parle de l'année 2030."),
    ("Chinese", "即使便宜百分之五十，我的论点仍然成立。"),
    ("Chinese", "你的论证有三个步骤，第二步不成立。"),
    ("Chinese", "假设有100人在等车，那么他们都需要座位。"),
    ("Chinese", "每小时4000人，八小时就是32000人。"),
    ("Japanese", "たとえ50％安くても、私の主張は変わらない。"),
    ("Japanese", "あなたの議論には三つの段階があり、二つ目が成り立たない。"),
    ("Japanese", "仮に100人が待っているとすれば、全員に席が必要だ。"),
    ("Japanese", "1時間に4000人なら、8時間で32000人になる。"),
    ("Arabic", "حتى لو كان أرخص بنسبة 50 في المئة لبقيت حجتي قائمة."),
    ("Arabic", "لحجتك ثلاث خطوات، والثانية لا تصمد."),
    ("Arabic", "لنفترض أن 100 شخص ينتظرون: كلهم يحتاجون إلى مقعد."),
    ("Arabic", "أسلّم بالرقم 4000، لكن لا يلزم منه شيء."),
]


Page = tuple[str, str, str]
"""Its address, title and text."""
One = TypeVar("One")
AT_ONCE = 8
"""Sentences in a statement: as many as it may have sources."""


@dataclass(slots=True)
class Rate:
    """How many of so many sentences were ruled on, or sent back to their author."""

    of: int = 0
    ruled: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{len(self.ruled)} of {self.of}"


def paraphrases() -> dict[str, Rate]:
    """By language, how many honest paraphrases were ruled on or not confirmed, though the verifier quotes the passage
    and says that it supports the sentence."""
    rates = {language: Rate() for language, _, _ in PARAPHRASES}
    for few in _by_statement(PARAPHRASES):
        pages = [(f"https://pages.example/{number}", "A page", page) for number, (_, _, page) in enumerate(few)]
        content = " ".join(f"{sentence} [{number}]" for number, (_, sentence, _) in enumerate(few, 1))
        readings = {number: _reading("supports", page) for number, (_, _, page) in enumerate(few, 1)}
        entries = _opening(content, pages, readings, [url for url, _, _ in pages])
        found = [one.data for one in entries if isinstance(one.data, Verification) and one.target_seq == 2]
        confirmed = [one.quote for one in found if one.status == "confirmed"]
        against = _against(entries)
        for language, sentence, page in few:
            ruled = any(one in sentence for one in against) or page.rstrip(".。") not in confirmed
            rates[language].of += 1
            rates[language].ruled += [sentence] * ruled
    return rates


def rebuttals() -> dict[str, Rate]:
    """By language, how many rebuttals without a source were sent back or ruled on, though the chair names none."""
    rates = {language: Rate() for language, _ in REBUTTALS}
    for few in _by_statement(REBUTTALS):
        content = "\n\n".join(sentence for _, sentence in few)
        said = {"thought": "", "type": "rebuttal", "rebuttal_to_seq": 3, "sources": [], "content": content}
        cited = {"thought": "", "type": "opening_statement", "sources": [{"url": PACK[0]["url"]}]}
        first = cited | {"content": "Trams carry people in 14 of 20 towns [1]."}
        model = model_of({"promoter@opening/turn": first, "promoter@r1/turn": said})
        against = _against(_held(model, []))
        again = sum(one.key.startswith("promoter@r1/") for one in model.requests) > 1
        for language, sentence in few:
            rates[language].of += 1
            rates[language].ruled += [sentence] * (again or any(one in sentence for one in against))
    return rates


def false_citations() -> dict[str, Rate]:
    """By kind, how many of the labelled statements were ruled on, struck or redacted. The verifier says of the false
    and the unrelated ones what the page says, and yes to all others."""
    rates: dict[str, Rate] = {}
    pages = [(url, title, _text(body)) for url, (title, body) in PAGES.items()]
    first = {url: sentences(text)[0].text for url, _, text in pages}
    for one in STATEMENTS:
        rate = rates.setdefault(one.kind, Rate())
        rate.of += 1
        answer = {"false": "contradicts", "unrelated": "says_nothing"}.get(one.kind, "supports")
        readings = {number: _reading(answer, first.get(one.urls[0], "")) for number in (1, 2)}
        rate.ruled += [one.content] * bool(_against(_opening(one.content, pages, readings, one.urls)))
    return rates


def honest_table(quoted: Mapping[str, Rate], reasoned: Mapping[str, Rate]) -> str:
    """By language: paraphrases that are ruled on, and rebuttals that are sent back or ruled on."""
    rows = [f"| {language} | {rate} | {reasoned[language]} |" for language, rate in quoted.items()]
    return "\n".join(["| language | paraphrases ruled on | rebuttals sent back or ruled on |", "|---|---|---|", *rows])


def false_table(labelled: Mapping[str, Rate]) -> str:
    """By kind: statements that are ruled on, struck or redacted."""
    rows = [f"| {kind} | {rate} |" for kind, rate in labelled.items()]
    return "\n".join(["| statements | ruled on, struck or redacted |", "|---|---|", *rows])


def _by_statement(listed: Sequence[One]) -> Iterator[Sequence[One]]:
    for start in range(0, len(listed), AT_ONCE):
        yield listed[start : start + AT_ONCE]


def _reading(supports: str, quote: str) -> Scripted:
    return {"quote": quote, "explanation": "So it says.", "supports": supports, "confidence": 0.9}


def _text(body: str) -> str:
    found = readable(f"<html><body><article>{body}</article></body></html>".encode(), "text/html")
    assert isinstance(found, Text)
    return found.text


def _against(entries: Sequence[moot.Entry]) -> list[str]:
    """The sentences of the promoter that rulings go against; a blank for a turn or an entry that is struck."""
    ruled = [one.data for one in entries if isinstance(one.data, Ruling | Redaction)]
    return [getattr(one, "sentence", None) or "" for one in ruled if one.against == "promoter"]


def _opening(
    content: str, pages: Sequence[Page], readings: dict[int, Scripted], urls: Sequence[str]
) -> Sequence[moot.Entry]:
    """The entries of a debate that the promoter opens with this. Readings are by the number of the citation."""
    said = {"thought": "", "type": "opening_statement", "sources": [{"url": url} for url in urls], "content": content}
    answers: dict[str, Any] = {"promoter@opening/turn": said}
    for number, reading in readings.items():
        answers |= {f"verifier@promoter.opening.{number}{version}/check": reading for version in ("", ".again")}
    return _held(model_of(answers), pages)


def _held(model: ScriptedModel, pages: Sequence[Page]) -> Sequence[moot.Entry]:
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder) / "pack"
        pack.mkdir()
        listed = [*PACK, *({"url": url, "title": title, "text": text} for url, title, text in pages)]
        (pack / "pages.jsonl").write_text("".join(json.dumps(one) + "\n" for one in listed), "utf-8")
        config = moot.configure(
            "chaired",
            topic="Trams are better than cars.",
            evidence={"pack": str(pack)},
            max_rounds=1,
            model=model.name,
            seed=7,
            out=str(Path(folder) / "runs"),
        )
        result = asyncio.run(moot.run(config, models={model.name: model}, reports=False))
        assert (result.status, result.reason) == ("done", None)
        return moot.find_run(result.run).entries()
