from django.apps import AppConfig


class RoofConfig(AppConfig):
    """Gives the commands that span every floor (play, demo, translations) a home."""

    name = "config"
