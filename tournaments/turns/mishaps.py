"""What may be said of an error where secrets are at hand: what and where, never its words."""

from django.db import InterfaceError, OperationalError

# The database is away, or has ended a circle of waits: nobody's fault, and the next try may do.
DATABASE_AWAY = (OperationalError, InterfaceError)


def describe(error: BaseException) -> dict[str, str]:
    """An error for a log line. Its message may quote an order, so it is left out."""
    root = error.__cause__ or error
    place = root.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place else ""
    return {"error": type(root).__name__, "where": where}
