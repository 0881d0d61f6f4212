"""Corrections that are older than their history get the reason that the admin's own log keeps."""

from uuid import uuid4

from django.db import migrations

BATCH = 1000
UNKNOWN = "Made before reasons were kept here."


def tell_corrections(apps, schema_editor):
    ReputationChange = apps.get_model("emperors", "ReputationChange")
    Correction = apps.get_model("emperors", "Correction")
    untold = ReputationChange.objects.filter(reason="correction", correction=None)
    for change in untold.order_by("pk").iterator(BATCH):
        logged = logged_for(apps, change)
        Correction.objects.create(
            emperor_id=change.emperor_id,
            key=uuid4(),
            asked=change.change,
            change=change,
            reason=logged.change_message.partition(": ")[2][:200] if logged else UNKNOWN,
            author_id=logged.user_id if logged else None,
            at=change.at,
        )


def logged_for(apps, change):
    """The admin wrote it down a moment after the change, as "+5: reason"."""
    entries = apps.get_model("admin", "LogEntry").objects.filter(
        content_type__app_label="emperors",
        content_type__model="emperor",
        object_id=str(change.emperor_id),
        change_message__startswith=f"{change.change:+d}: ",
        action_time__gte=change.at,
    )
    return entries.order_by("action_time").first()


class Migration(migrations.Migration):
    dependencies = [
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("emperors", "0002_corrections"),
    ]

    operations = [migrations.RunPython(tell_corrections, migrations.RunPython.noop)]
