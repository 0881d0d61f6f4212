"""What the chronicle tells of decay: one entry a week for each living emperor who lost by it.

Each emperor's week ends on a weekday of his own, by his number: so that no day of the week
has seven days' entries to write.
"""

from datetime import date, datetime, timedelta

from dynasties.chronicle.models import Entry, Mention
from dynasties.houses.models import Dynasty
from emperors.models import Emperor, ReputationChange
from emperors.sets import write

KIND = "reputation-decayed"
WEEK = 7


def roman_digit(unit: int, letters: str) -> str:
    """One place of a regnal number as SQL: ten digits in a row, four letters wide."""
    row = "".join(digit.strip("-").ljust(4) for digit in letters.split())
    return f"trim(substr('{row}', number / {unit} % 10 * 4 + 1, 4))".replace("%", "%%")


# `Emperor.full_name`, in the database.
FULL_NAME = " || ".join(
    (
        "name || ' '",
        f"substr('{'M' * 100}', 1, number / 1000)",
        roman_digit(100, "- C CC CCC CD D DC DCC DCCC CM"),
        roman_digit(10, "- X XX XXX XL L LX LXX LXXX XC"),
        roman_digit(1, "- I II III IV V VI VII VIII IX"),
    )
)
# As `dynasties.chronicle.facts.encode` would have it. Whose he was in the end, if he changed hands.
TELL = f"""
INSERT INTO {{Entry}} (kind, at, facts)
SELECT %(kind)s, %(now)s, {{json}}(
    'emperor', {{json}}('subject', 'emperor', 'number', emperor.id, 'name', emperor.full_name),
    'dynasty', {{json}}('subject', 'dynasty', 'number', dynasty.id, 'name', dynasty.name),
    'points', week.points
)
FROM (
    SELECT emperor_id, -SUM(change) AS points, MAX(id) AS last FROM {{ReputationChange}}
    WHERE day BETWEEN %(first)s AND %(day)s AND emperor_id %% 7 = %(weekday)s
    GROUP BY emperor_id
) AS week
JOIN {{ReputationChange}} AS lost ON lost.id = week.last
JOIN {{Dynasty}} AS dynasty ON dynasty.id = lost.dynasty_id
JOIN (SELECT id, {FULL_NAME} AS full_name FROM {{Emperor}} WHERE died_at IS NULL) AS emperor
    ON emperor.id = week.emperor_id
"""  # noqa: S608
MENTION = """
INSERT INTO {Mention} (entry_id, subject, number, at)
SELECT id, subject, CAST(facts -> subject ->> 'number' AS bigint), at
FROM {Entry} CROSS JOIN (SELECT 'emperor' AS subject UNION ALL SELECT 'dynasty') AS subjects
WHERE kind = %(kind)s AND at = %(now)s AND owner_id IS NULL
    AND id > %(last)s
"""
MODELS = (Dynasty, Emperor, Entry, Mention, ReputationChange)


def tell_weeks(*, ending: date, at: datetime) -> int:
    """Tell the week of those whose week ends on this day; return how many entries it took."""
    facts = {"kind": KIND, "now": at, "day": ending, "last": _last_entry()}
    week = {"first": ending - timedelta(days=WEEK - 1), "weekday": ending.toordinal() % WEEK}
    told = write(TELL, MODELS, facts | week)
    if told:
        write(MENTION, MODELS, facts)
    return told


def _last_entry() -> int:
    """Entries from here on are ours: two days may be applied by one tick of a clock."""
    last = Entry.objects.order_by("-pk").values_list("pk", flat=True).first()
    return last or 0
