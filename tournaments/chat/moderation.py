"""Reports, with evidence that outlives the tournament, and what moderators do about them."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction

from dynasties.accounts.models import Guest, User
from dynasties.clock import database_now
from dynasties.relations.people import Person
from tournaments.announcements.models import Tournament
from tournaments.chat import errors
from tournaments.chat.echoes import echoes_of
from tournaments.chat.models import Line, Report, Silence
from tournaments.chat.selectors import lines_around
from tournaments.chat.services import hold, line_before, refuse_own
from tournaments.chat.witness import testimony
from tournaments.chat.wording import clean_line
from tournaments.seating.players import Player

BEFORE, AFTER = 15, 5
MOST_REPORTS_A_DAY = 20
DAY = timedelta(days=1)
LONGEST_REASON = 200
LONGEST_NAME = 120


@dataclass(frozen=True)
class Complaint:
    """What a reader complains of: a line by its room and number, and why."""

    room: str
    number: int
    why: str = ""


# --- Reporting -----------------------------------------------------------------------------


@transaction.atomic
def report_line(*, tournament: Tournament, player: Player, complaint: Complaint) -> Report:
    """Tell the moderators of a line that the player may read, with those around it.

    Who has reported it already gets his report again. Raises Refused.
    """
    why = clean_line(complaint.why) if complaint.why.strip() else ""
    held = hold(tournament)
    who, line = line_before(held, player, complaint.room, complaint.number)
    refuse_own(who.person, line)
    said = lines_around(line, before=BEFORE, after=AFTER)
    evidence = [testimony(each, complaint.room) for each in said]
    return _file(held.code, held.title, who.person, complaint.number, why, evidence)


@transaction.atomic
def report_echo(*, code: str, player: Player, complaint: Complaint) -> Report:
    """Report a line of a training that has just left no trace, from what is remembered of it.

    When it was over everybody could read both rooms. Raises Refused.
    """
    why = clean_line(complaint.why) if complaint.why.strip() else ""
    person = player.person
    if person.is_nobody:
        raise errors.NotHeard
    remembered = echoes_of(code)
    low, high = complaint.number - BEFORE, complaint.number + AFTER
    said = [
        each
        for each in remembered.get("lines", [])
        if each["room"] == complaint.room and low <= each["number"] <= high
    ]
    return _file(code, remembered.get("title", ""), person, complaint.number, why, said)


def _file(
    code: str,
    title: str,
    by: Person,
    number: int,
    why: str,
    evidence: list[dict[str, Any]],
) -> Report:
    said = next((each for each in evidence if each["number"] == number), None)
    if said is None:
        raise errors.NoSuchLine
    own = Report.objects.filter(by.among("dynasty", "guest"))
    made = own.filter(code=code, room=said["room"], number=number).first()
    if made is not None:
        return made
    now = database_now()
    if own.filter(made_at__gt=now - DAY).count() >= MOST_REPORTS_A_DAY:
        raise errors.TooManyReports
    return Report.objects.create(
        code=code,
        title=title,
        room=said["room"],
        number=number,
        dynasty_id=by.dynasty,
        guest_id=None if by.dynasty else by.guest,
        other_dynasty_id=said["dynasty"],
        # A guest may have left since: what is remembered of a training outlives him.
        other_guest=Guest.objects.filter(pk=said["guest"]).first(),
        who=said["who"][:LONGEST_NAME],
        text=said["text"],
        why=why,
        evidence=evidence,
        made_at=now,
    )


# --- Deciding ------------------------------------------------------------------------------


@transaction.atomic
def handle_report(
    *,
    report: Report,
    moderator: User,
    verdict: str,
    silence_for: timedelta | None = None,
    take_down: bool = False,
) -> bool:
    """Close a report with a verdict, and do what follows from it; False if it was closed."""
    held = Report.objects.select_for_update(of=("self",)).get(pk=report.pk)
    if held.handled_at is not None:
        return False
    held.handled_at, held.handled_by, held.verdict = database_now(), moderator, verdict
    held.save(update_fields=["handled_at", "handled_by", "verdict"])
    if take_down:
        _take_down(held)
    if silence_for is not None and not held.about.is_nobody:
        silence(
            whom=held.about,
            lasts=silence_for,
            reason=verdict,
            moderator=moderator,
            report=held,
        )
    return True


@transaction.atomic
def silence(
    *,
    whom: Person,
    lasts: timedelta,
    reason: str,
    moderator: User,
    report: Report | None = None,
) -> Silence:
    """Let a person say nothing in any chat for a time. Earlier silences stay as history."""
    now = database_now()
    return Silence.objects.create(
        dynasty_id=whom.dynasty,
        guest_id=None if whom.dynasty else whom.guest,
        reason=reason[:LONGEST_REASON],
        began_at=now,
        ends_at=now + lasts,
        author=moderator,
        report=report,
    )


@transaction.atomic
def lift_silence(*, silence: Silence, moderator: User) -> bool:
    """End a silence before its time; False if it is over."""
    now = database_now()
    running = Silence.objects.filter(pk=silence.pk, lifted_at=None, ends_at__gt=now)
    return bool(running.update(lifted_at=now, lifted_by=moderator))


def _take_down(report: Report) -> None:
    """The words leave the chat; the evidence keeps them."""
    Line.objects.filter(
        room__tournament__code=report.code, room__name=report.room, number=report.number
    ).update(text="")
