"""Routes of the ground floor, room by room."""

from django.urls import include, path

from dynasties.vitals import views as vitals

urlpatterns = [
    path("", include("dynasties.accounts.urls")),
    path("", include("dynasties.houses.urls")),
    # Probes and scrapers ask for these exact paths, without a slash.
    path("healthz", vitals.healthz, name="healthz"),
    path("readyz", vitals.readyz, name="readyz"),
    path("metrics", vitals.metrics, name="metrics"),
]
