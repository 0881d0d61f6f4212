"""What made-up dynasties and emperors are called, in several alphabets.

A dynasty's name is a form with two or three places, and each number leads to another choice of
words for them. No word of a place looks like the beginning of another: so no two names look
alike, whatever their length, and nobody need remember which are taken.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from math import gcd, prod
from typing import NamedTuple

from django.db.models import Q

from dynasties.houses.models import Dynasty
from dynasties.houses.names import name_key, name_slug
from emperors.models import roman


def joined(beginnings: str, endings: str) -> tuple[str, ...]:
    return tuple(first + last for first in beginnings.split() for last in endings.split())


def distinct(words: Iterable[str]) -> tuple[str, ...]:
    """Those that look like no other, and like the beginning of no other."""
    keys = {name_key(word): word for word in sorted(words)}
    ordered = sorted(keys)
    clashing = {one for one, other in pairwise(ordered) if other.startswith(one)}
    return tuple(keys[key] for key in ordered if key not in clashing)


@dataclass(frozen=True)
class Tongue:
    """How names are made in one language."""

    form: str
    places: tuple[tuple[str, ...], ...]
    mottoes: tuple[str, ...]
    people: tuple[str, ...]

    @cached_property
    def choices(self) -> tuple[tuple[str, ...], ...]:
        return tuple(distinct(words) for words in self.places)

    @cached_property
    def capacity(self) -> int:
        return prod(len(words) for words in self.choices)

    @cached_property
    def stride(self) -> int:
        """So that neighbours in number are strangers in name: it visits every choice once."""
        stride = int(self.capacity * 0.618)
        while gcd(stride, self.capacity) != 1:
            stride += 1
        return stride

    def name(self, number: int) -> str:
        """A name for each number below the capacity."""
        rest, place, words = (number + 7) * self.stride % self.capacity, -1, list[str]()
        for choice in self.choices:
            # On from the word before: two places with the same words seldom get the same one.
            rest, step = divmod(rest, len(choice))
            place = (place + 1 + step) % len(choice)
            words.append(choice[place])
        return self.form.format(*words)


_ENGLISH = joined(
    "Alder Ash Beck Birch Black Bram Cold Crow Deer Dun East Elder Elm Fair Fen Fox Glen Gold "
    "Grey Hart Hazel Heath High Holm Kel Lang Lin Marsh Moor North Oak Raven Red Stan Swan Thorn "
    "West White Wolf Wy",
    "bourne bridge brook bury combe croft dale den field ford gate grove ham hurst ley mere "
    "mont shaw stead stoke stow thwaite ton wick wold wood worth",
)
_SURNAMES = (
    "Abad Alba Arce Baena Blanco Bravo Calvo Cano Casas Cobos Conde Cruz Daza Duarte Egea Ferrer "
    "Franco Gallo Gil Haro Ibarra Jara Lago Lara León Luna Marín Mena Mora Nieto Ochoa Ortiz Oña "
    "Paz Peña Pinto Quesada Reyes Rico Ríos Rojas Ruiz Salas Soto Tapia Toro Ulloa Vega Vidal Zea"
).split()
_TOWNS = joined(
    "Villa Torre Fuente Sierra Ribera Puebla Cueva Loma Vega Oliva",
    "alta blanca clara fría hermosa honda llana mayor nueva real rubia seca sola verde",
)
_RUSSIAN_HOUSES = joined(
    "Бел Ветр Волк Ворон Гром Дубр Зим Клён Коз Лис Мед Мороз Орл Рыб Сел Сокол Тих Хвой Чащ "
    "Ястреб",
    "ских овых аевых ицких анных",
)
_RUSSIAN_TOWNS = joined(
    "Бело Вишне Высоко Глубо Добро Звено Камне Красно Ново Озеро Речно Светло Старо Тихо Ярко",
    "горья града дола леса поля реча устья холма",
)
_GREEK_HOUSES = joined(
    "Αργυρ Βασιλ Γαβρ Δαφν Ελαι Ηλι Θαλασσ Ιωνι Καλλ Λυκ Μαυρ Νικ Ξανθ Ορφ Πετρ Ροδ Σταυρ Φωτ",
    "άκη άτου έλλη ίδη όπουλου ώνη",
)
_GREEK_TOWNS = (
    "Αίγινας Άνδρου Βέροιας Δράμας Έδεσσας Ζακύνθου Ηπείρου Θάσου Ιθάκης Καβάλας Κέρκυρας Λάρισας "
    "Λευκάδας Μήλου Νάξου Ξάνθης Πάρου Ρόδου Σάμου Σύρου Τήνου Ύδρας Φθίας Χίου"
).split()
_ARABIC_HOUSES = (
    "النخيل النجوم الرمال البحار الجبال الورد الزيتون الصقور السيوف القمر الغيوم الأسود الخيول "
    "الينابيع الفجر الضياء الرماح اللؤلؤ المرجان العقيق الياسمين الكروم"
).split()
_ARABIC_TOWNS = (
    "الأندلس بغداد بصرى تدمر تلمسان حلب حمص دمشق زبيد سمرقند سنجار شيراز صنعاء طنجة ظفار عدن غزنة "
    "فاس قرطبة كربلاء مراكش نجران واسط يافا"
).split()
_KANJI = "青赤白黒金銀月星雪花風雲雷森川山海島橋松竹梅桜桐柳菊蓮鶴鷹狼虎龍"
_MORE_KANJI = "原野田沢谷崎浜岡坂城宮門里村井池泉瀬峰岳"
_HINDI_HOUSES = (
    "चंद्र सूर्य अग्नि नाग सिंह मयूर हंस गरुड़ कमल मेघ वज्र शंख त्रिशूल धनुष मौर्य गंग यादव चालुक्य"
).split()
_HINDI_TOWNS = (
    "काशी मथुरा उज्जैन अवध मगध पाटन जयपुर अजमेर धार विदर्भ कन्नौज मालवा झाँसी ग्वालियर रीवा पन्ना"
).split()

ENGLISH = Tongue(
    "House {} of {}",
    (_ENGLISH, _ENGLISH),
    (
        "We remember, and we return",
        "Late, but never last",
        "Stone outlives the storm",
        "Ask the river",
        "Not one step for nothing",
        "What we hold, we mend",
        "",
    ),
    tuple(
        "Alaric Beatrix Cedric Diana Edmund Freya Godwin Helena Isolde Jasper Katherine Leofric "
        "Maud Nigel Oswald Philippa Quentin Rowena Sigmund Theodora Ulric Violet Wilfred "
        "Ysolt".split()
    ),
)
SPANISH = Tongue(
    "Casa {} {} de {}",
    (tuple(_SURNAMES), tuple(_SURNAMES), _TOWNS),
    (
        "Ni un paso atrás",
        "Lo nuestro, entero",
        "¿Quién, sino nosotros?",
        "Antes ceniza que humo",
        "",
    ),
    tuple(
        "Alonso Blanca Constanza Diego Elvira Fadrique Gonzalo Inés Jimena Lope Leonor Mencía Nuño "
        "Ordoño Pelayo Ramiro Sancha Teresa Urraca Violante".split()
    ),
)
RUSSIAN = Tongue(
    "Дом {} из {}",
    (_RUSSIAN_HOUSES, _RUSSIAN_TOWNS),
    ("Ветер не знает стен", "Снег помнит всё", "Кто идёт, тот дойдёт", ""),
    tuple(
        "Анна Борис Василиса Глеб Дарья Ефим Злата Игорь Людмила Мстислав Ольга Ростислав "
        "Святослав Тихон Фёдор Ярослав".split()
    ),
)
GREEK = Tongue(
    "Οίκος {} {}",
    (_GREEK_HOUSES, tuple(_GREEK_TOWNS)),
    ("Η θάλασσα ξεπλένει τα πάντα", "Μηδέν άγαν", "Αργά και σταθερά", ""),
    tuple("Αλέξιος Βερενίκη Γαλήνη Δημήτριος Ειρήνη Ζωή Ηρακλής Θεοδώρα Ιουστίνος Κωνσταντίνος "
          "Λέων Μιχαήλ Νικηφόρος Ρωμανός Στέφανος Φωκάς".split()),
)  # fmt: skip
ARABIC = Tongue(
    "بيت {} من {}",
    (tuple(_ARABIC_HOUSES), tuple(_ARABIC_TOWNS)),
    ("الجذور قبل الثمار", "الصبر مفتاح الفرج", ""),
    tuple(
        "أمير بدر جعفر حمزة خالد زينب سلمى شهاب طارق عائشة فاطمة قاسم كريم ليلى مريم نور هارون "
        "ياسر".split()
    ),
)
JAPANESE = Tongue(
    "{}{}の{}家",
    (tuple(_KANJI), tuple(_MORE_KANJI), tuple(_KANJI)),
    ("静かなること林の如く", "七転び八起き", ""),
    tuple(
        "晶子 家光 氏康 早雲 義経 清盛 静香 忠勝 千代 時宗 直虎 信長 秀吉 政宗 光秀 義元".split()
    ),
)
HINDI = Tongue(
    "{} वंश {}",
    (tuple(_HINDI_HOUSES), tuple(_HINDI_TOWNS)),
    ("सत्यमेव जयते", "धैर्य ही बल है", ""),
    tuple(
        "अशोक बिंबिसार चेतना दशरथ गौरी हर्ष इंदिरा जयंत कृष्ण लीला मीरा नरसिंह पृथ्वी "
        "राजेंद्र सीता विक्रम".split()
    ),
)

# Below this many, no two numbers lead to one name.
MOST_HOUSES = 700_000
NAMES_AT_ONCE = 1000
# The large ones come more often, so that the small ones do not run out before them.
_ROUND = (
    *(ENGLISH, SPANISH, ENGLISH, JAPANESE, ENGLISH, SPANISH, ENGLISH, GREEK),
    *(ENGLISH, SPANISH, ENGLISH, RUSSIAN, ENGLISH, SPANISH, ENGLISH, ARABIC),
    *(ENGLISH, SPANISH, ENGLISH, JAPANESE, ENGLISH, SPANISH, ENGLISH, HINDI),
)


def tongues() -> Sequence[Tongue]:
    return (ENGLISH, SPANISH, RUSSIAN, GREEK, ARABIC, JAPANESE, HINDI)


class Ruler(NamedTuple):
    """Somebody whom a made-up world shall have: an address, and a dynasty called so."""

    email: str
    tongue: Tongue
    dynasty: str
    motto: str


class HouseName(NamedTuple):
    tongue: Tongue
    name: str


def free_names() -> Iterator[HouseName]:
    """Names that no dynasty of the world has, nor one that looks like it."""
    any_taken = Dynasty.objects.exists()
    for first in range(0, MOST_HOUSES, NAMES_AT_ONCE):
        names = [house_name(number) for number in range(first, first + NAMES_AT_ONCE)]
        yield from _not_taken(names) if any_taken else names


def _not_taken(names: list[HouseName]) -> list[HouseName]:
    keys = [name_key(each.name) for each in names]
    slugs = [name_slug(each.name) for each in names]
    rivals = Dynasty.objects.filter(Q(name_key__in=keys) | Q(slug__in=slugs))
    taken = {text for pair in rivals.values_list("name_key", "slug") for text in pair}
    return [
        each
        for each, key, slug in zip(names, keys, slugs, strict=True)
        if key not in taken and slug not in taken
    ]


def house_name(number: int) -> HouseName:
    """The name of the dynasty of this number, and its language. Never the same name twice.

    A language that has run out of names leaves its turn to English, whose names are many.
    """
    turn, place = divmod(number, len(_ROUND))
    tongue = _ROUND[place]
    own = turn * _SHARES[tongue.form] + _PLACES[place]
    if own < tongue.capacity:
        return HouseName(tongue, tongue.name(own))
    return HouseName(ENGLISH, ENGLISH.name(ENGLISH.capacity - 1 - number))


_SHARES = {tongue.form: _ROUND.count(tongue) for tongue in _ROUND}
_PLACES = tuple(_ROUND[:place].count(tongue) for place, tongue in enumerate(_ROUND))


@lru_cache(maxsize=10_000)
def numeral(number: int) -> str:
    return roman(number)


@lru_cache(maxsize=10_000)
def key_of(name: str) -> str:
    return name_key(name)
