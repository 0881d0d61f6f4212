"""Routes of the ground floor, room by room."""

from django.urls import include, path

urlpatterns = [
    path("", include("dynasties.accounts.urls")),
    path("", include("dynasties.chronicle.urls")),
    path("", include("dynasties.houses.urls")),
    path("", include("dynasties.market.urls")),
    path("", include("dynasties.relations.urls")),
    path("", include("dynasties.treasury.urls")),
]
