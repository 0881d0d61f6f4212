from django.urls import path

from tournaments.pages import battles, entries, lists

urlpatterns = [
    path("tournaments/", lists.tournaments, name="tournaments"),
    path("tournaments/new/", lists.announce_tournament, name="announce"),
    path(
        "tournaments/battlefields/<slug:key>.svg",
        lists.battlefield_drawing,
        name="battlefield-drawing",
    ),
    path("tournaments/<slug:code>/", battles.tournament, name="tournament"),
    path("tournaments/<slug:code>/enter/", entries.enter, name="tournament-enter"),
    path("tournaments/<slug:code>/leave/", entries.leave, name="tournament-leave"),
    path("tournaments/<slug:code>/invite/", entries.invite_dynasties, name="tournament-invite"),
    path("tournaments/<slug:code>/replay.json", battles.replay, name="tournament-replay"),
    path("play/", entries.play_now, name="play-now"),
]
