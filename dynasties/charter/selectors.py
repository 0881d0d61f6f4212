from datetime import datetime

from dynasties.charter.models import Charter


def charter() -> Charter:
    """The charter in force: its newest version, or the defaults as long as none was written."""
    return Charter.objects.order_by("-pk").first() or Charter()


def charter_at(moment: datetime) -> Charter:
    """The charter that was in force at `moment`."""
    written = Charter.objects.filter(written_at__lte=moment)
    return written.order_by("-pk").first() or Charter()
