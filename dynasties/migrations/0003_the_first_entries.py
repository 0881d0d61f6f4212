"""Dynasties that are older than the chronicle get their founding and their fall told."""

from django.db import migrations

BATCH = 1000


def tell_what_happened(apps, schema_editor):
    Dynasty = apps.get_model("dynasties", "Dynasty")
    for house in Dynasty.objects.filter(opened_at__isnull=False).order_by("opened_at").iterator(BATCH):
        tell(apps, house, "dynasty-founded", house.opened_at)
        if house.fallen_at is not None:
            tell(apps, house, "dynasty-fallen", house.fallen_at)


def tell(apps, house, kind, at):
    """Once, however often this runs."""
    Entry, Mention = apps.get_model("dynasties", "Entry"), apps.get_model("dynasties", "Mention")
    whom = {"subject": "dynasty", "number": house.pk}
    if Mention.objects.filter(**whom, entry__kind=kind).exists():
        return
    entry = Entry.objects.create(kind=kind, at=at, facts={"dynasty": {**whom, "name": house.name}})
    Mention.objects.create(entry=entry, at=at, **whom)


class Migration(migrations.Migration):
    dependencies = [("dynasties", "0002_the_world")]

    operations = [migrations.RunPython(tell_what_happened, migrations.RunPython.noop)]
