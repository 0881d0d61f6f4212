"""The roof: settings, routes, processes. Wiring only; what the site does lives below."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
