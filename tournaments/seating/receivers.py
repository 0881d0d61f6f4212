"""What this room has done on the watchman's rounds."""

from tournaments.announcements.services import open_due
from tournaments.seating.services import start_due
from tournaments.turns.watchman import on_every_round

on_every_round(open_due)
on_every_round(start_due)
