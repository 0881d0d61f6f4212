"""What this room will not do: a stable code, and a sentence for the one who asked."""

from django.utils.translation import gettext_lazy as _

from tournaments.errors import Refused


class Unspeakable(Refused):
    code = "unspeakable"
    words = _("Write something, in plain text.")


class TooLong(Refused):
    code = "too-long"
    words = _("A line has at most %(most)d characters.")


class NotHeard(Refused):
    """Whoever has neither a seat nor a dynasty speaks in no room."""

    code = "not-heard"
    words = _("Log in to talk with the other spectators.")


class Closed(Refused):
    code = "chat-closed"
    words = _("It is long over: nothing more is said here.")


class TooTalkative(Refused):
    code = "too-talkative"
    words = _("You talk too fast: wait a moment.")


class Silenced(Refused):
    code = "silenced"
    words = _("The moderators have silenced you until %(until)s: %(reason)s")


class NoSuchLine(Refused):
    code = "no-such-line"
    words = _("There is no such line.")


class NotToOneself(Refused):
    code = "not-to-oneself"
    words = _("These are your own words.")


class TooManyReports(Refused):
    code = "too-many-reports"
    words = _("You have reported enough for today. The moderators will look at it.")
