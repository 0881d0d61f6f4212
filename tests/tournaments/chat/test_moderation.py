"""Reports keep their evidence for moderators alone; moderators silence, for a time and a reason."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from dynasties.accounts.export import export_account
from tests.factories import AdminFactory, DynastyFactory, StaffFactory
from tests.tournaments.chat.cast import Table, a_table, a_table_with_a_guest, ruler
from tournaments.announcements.models import Tournament
from tournaments.chat import errors, moderation
from tournaments.chat.access import SEATS, SPECTATORS
from tournaments.chat.models import Line, Report, Silence
from tournaments.chat.moderation import Complaint, report_echo, report_line
from tournaments.consequences.services import call_off
from tournaments.seating.players import Player

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def reported(table: Table, why: str = "Insults me.") -> Report:
    """The other seat reports what one has said."""
    line = table.say(table.one, "marker-insult")
    complaint = Complaint(SEATS, line.number, why)
    return report_line(tournament=table.tournament, player=table.other, complaint=complaint)


def end(table: Table) -> None:
    """End a training: it leaves no trace."""
    seats = list(table.tournament.seats.all())
    call_off(tournament=table.tournament, seats=seats, at=timezone.now())
    assert not Tournament.objects.filter(pk=table.tournament.pk).exists()


# --- Reporting -------------------------------------------------------------------------------


def test_a_report_keeps_the_line_and_those_around_it() -> None:
    table = a_table()
    for words in ("First.", "Second."):
        table.say(table.other, words)
    table.say(table.watcher, "in the stands")
    report = reported(table)
    assert [each["text"] for each in report.evidence] == ["First.", "Second.", "marker-insult"]
    assert (report.text, report.why) == ("marker-insult", "Insults me.")
    assert (report.dynasty, report.other_dynasty) == (table.other.dynasty, table.one.dynasty)
    assert report.evidence[-1]["house"] == table.one.dynasty.name
    assert (report.code, report.title) == (table.tournament.code, table.tournament.title)


def test_the_same_reader_reports_a_line_once() -> None:
    table = a_table()
    report = reported(table)
    again = report_line(
        tournament=table.tournament,
        player=table.other,
        complaint=Complaint(SEATS, report.number, "And again!"),
    )
    assert again == report
    assert Report.objects.count() == 1


def test_only_what_somebody_may_read_can_be_reported_by_him() -> None:
    table = a_table()
    number = table.say(table.one).number
    cases = {
        table.watcher: errors.NoSuchLine,
        table.passer_by: errors.NotHeard,
        table.one: errors.NotToOneself,
    }
    for player, refusal in cases.items():
        with pytest.raises(refusal):
            report_line(
                tournament=table.tournament, player=player, complaint=Complaint(SEATS, number)
            )
    table.become("finished")
    report_line(
        tournament=table.tournament, player=table.watcher, complaint=Complaint(SEATS, number)
    )


def test_reports_have_an_end_for_today(monkeypatch) -> None:
    monkeypatch.setattr(moderation, "MOST_REPORTS_A_DAY", 1)
    table = a_table()
    reported(table)
    with pytest.raises(errors.TooManyReports):
        reported(a_table_of(table))


def a_table_of(table: Table) -> Table:
    """Another line at the same table."""
    Line.objects.all().update(said_at=timezone.now() - HOUR)
    return table


@pytest.mark.parametrize("why", ["\0", "x" * 501, "x" * 100_000])
def test_an_unfit_reason_is_refused_in_words(why: str) -> None:
    table = a_table()
    table.say(table.one)
    with pytest.raises((errors.Unspeakable, errors.TooLong)):
        report_line(
            tournament=table.tournament, player=table.other, complaint=Complaint(SEATS, 1, why)
        )


# --- After training has left no trace --------------------------------------------------------


def test_the_evidence_outlives_a_training(audit) -> None:
    table = a_table("training")
    report = reported(table)
    end(table)
    report.refresh_from_db()
    assert report.evidence[-1]["text"] == "marker-insult"
    assert report.other_dynasty == table.one.dynasty
    assert not Line.objects.exists()
    audit()


def test_the_last_words_of_a_training_can_be_reported_for_a_while(
    django_capture_on_commit_callbacks,
) -> None:
    table, _browser = a_table_with_a_guest()
    table.say(table.other, "marker-insult")
    with django_capture_on_commit_callbacks(execute=True):
        end(table)
    code = table.tournament.code
    report = report_echo(code=code, player=table.one, complaint=Complaint(SEATS, 1, "See!"))
    assert (report.text, report.other_guest) == ("marker-insult", table.other.guest)
    for complaint in (Complaint(SEATS, 2), Complaint(SPECTATORS, 1)):
        with pytest.raises(errors.NoSuchLine):
            report_echo(code=code, player=table.one, complaint=complaint)
    with pytest.raises(errors.NotHeard):
        report_echo(code=code, player=Player(), complaint=Complaint(SEATS, 1))
    with pytest.raises(errors.NoSuchLine):
        report_echo(code="nosuchcode", player=table.one, complaint=Complaint(SEATS, 1))


# --- Silences --------------------------------------------------------------------------------


def test_whoever_is_silenced_says_nothing_anywhere_and_reads_why() -> None:
    table, elsewhere = a_table(), a_table()
    made = moderation.silence(
        whom=table.one.person, lasts=HOUR, reason="Insults.", moderator=AdminFactory()
    )
    for place in (table, elsewhere):
        with pytest.raises(errors.Silenced, match=r"Insults\."):
            place.say(table.one)
    table.say(table.other)
    assert moderation.lift_silence(silence=made, moderator=AdminFactory())
    assert not moderation.lift_silence(silence=made, moderator=AdminFactory())
    table.say(table.one)


def test_a_silence_ends_by_itself_and_stays_as_history() -> None:
    table = a_table()
    made = moderation.silence(
        whom=table.one.person, lasts=HOUR, reason="Insults.", moderator=AdminFactory()
    )
    past = {"began_at": made.began_at - 2 * HOUR, "ends_at": made.ends_at - 2 * HOUR}
    Silence.objects.update(**past)
    table.say(table.one)
    assert Silence.objects.get().author is not None


def test_a_guest_who_was_silenced_founds_no_voice_with_a_dynasty() -> None:
    table, _browser = a_table_with_a_guest()
    moderation.silence(
        whom=table.other.person, lasts=HOUR, reason="Insults.", moderator=AdminFactory()
    )
    house = DynastyFactory()
    table.other.guest.became = house.ruler
    table.other.guest.save()
    for voice in (table.other, ruler(house)):
        with pytest.raises(errors.Silenced):
            table.say(voice)


def test_a_report_is_handled_once_with_all_that_follows() -> None:
    table = a_table()
    report, judge = reported(table), AdminFactory()
    ruling = {"report": report, "moderator": judge, "verdict": "Insults."}
    assert moderation.handle_report(**ruling, silence_for=HOUR, take_down=True)
    assert not moderation.handle_report(**ruling, silence_for=HOUR)
    report.refresh_from_db()
    assert (report.handled_by, report.verdict) == (judge, "Insults.")
    assert report.evidence[-1]["text"] == "marker-insult"
    assert Line.objects.get().text == ""
    silence = Silence.objects.get()
    assert (silence.dynasty, silence.report) == (table.one.dynasty, report)


# --- The admin -------------------------------------------------------------------------------


@pytest.fixture
def office() -> Client:
    client = Client()
    client.force_login(AdminFactory())
    return client


def test_a_moderator_reads_the_evidence_as_text_and_decides(office: Client) -> None:
    table = a_table()
    table.say(table.other, "<script>alert('x')</script>")
    report = reported(table)
    page = reverse("admin:tournaments_report_change", args=[report.pk])
    content = office.get(page).content.decode()
    assert "marker-insult" in content
    assert "<script>alert(" not in content
    assert "&lt;script&gt;alert(" in content
    refused = office.post(page, {"verdict": "", "silence_for": "24"})
    assert refused.status_code == 200
    assert not Silence.objects.exists()
    office.post(page, {"verdict": "Insults.", "silence_for": "24", "take_down": "on"})
    silence = Silence.objects.get()
    assert silence.ends_at - silence.began_at == timedelta(days=1)
    report.refresh_from_db()
    assert report.handled_at is not None
    assert office.get(page).status_code == 200
    assert office.post(page, {"verdict": "Other."}).status_code == 403
    assert Report.objects.get().verdict == "Insults."


def test_reports_can_be_listed_by_what_still_waits(office: Client) -> None:
    reported(a_table())
    listing = reverse("admin:tournaments_report_changelist")
    assert "marker-insult" in office.get(listing, {"state": "open"}).content.decode()
    assert "marker-insult" not in office.get(listing, {"state": "handled"}).content.decode()
    assert office.get(listing, {"q": "marker"}).status_code == 200


def test_a_silence_is_imposed_and_lifted_in_the_admin_and_never_edited(office: Client) -> None:
    table = a_table()
    add = reverse("admin:tournaments_silence_add")
    typed = {"dynasty": table.one.dynasty.pk, "guest": "", "span": "1", "reason": "Insults."}
    assert office.get(add).status_code == 200
    assert office.post(add, {**typed, "dynasty": ""}).status_code == 200
    assert not Silence.objects.exists()
    assert office.post(add, typed).status_code == 302
    made = Silence.objects.get()
    with pytest.raises(errors.Silenced):
        table.say(table.one)
    page = reverse("admin:tournaments_silence_change", args=[made.pk])
    assert office.get(page).status_code == 200
    assert office.post(page, {**typed, "reason": "None."}).status_code == 403
    listing = reverse("admin:tournaments_silence_changelist")
    assert table.one.dynasty.name in office.get(listing).content.decode()
    office.post(listing, {"action": "lift", "_selected_action": [made.pk]})
    table.say(table.one)
    made.refresh_from_db()
    assert made.lifted_by is not None


def test_staff_see_reports_only_with_that_office() -> None:
    report = reported(a_table())
    staff = StaffFactory()
    page = reverse("admin:tournaments_report_change", args=[report.pk])
    client = Client()
    client.force_login(staff)
    assert client.get(page).status_code == 403
    staff.user_permissions.add(Permission.objects.get(codename="view_report"))
    assert b"marker-insult" in client.get(page).content
    assert client.post(page, {"verdict": "Mine."}).status_code == 403


# --- What the account itself may know -----------------------------------------------------------


def test_an_export_tells_what_was_said_and_who_was_silenced_but_not_by_whom_reported() -> None:
    table = a_table()
    report = reported(table, why="marker-why")
    moderation.handle_report(
        report=report, moderator=AdminFactory(), verdict="Insults.", silence_for=HOUR
    )
    accused = str(export_account(table.one.user)["chat"])
    assert "marker-insult" in accused
    assert "Insults." in accused
    assert "marker-why" not in accused
    assert "marker-why" in str(export_account(table.other.user)["chat"])
