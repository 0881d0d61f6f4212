"""Routes of the second floor, room by room."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournaments.chat.urls")),
    path("", include("tournaments.pages.urls")),
    path("", include("tournaments.live.urls")),
]
