"""Routes of the ground floor, room by room."""

from django.urls import include, path

urlpatterns = [
    path("", include("dynasties.accounts.urls")),
    path("", include("dynasties.houses.urls")),
]
