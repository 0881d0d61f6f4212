from django.urls import path

from tournaments.chat import views

urlpatterns = [
    path("tournaments/<slug:code>/chat/", views.chat, name="tournament-chat"),
    path("tournaments/<slug:code>/chat/say/", views.say, name="tournament-say"),
    path("tournaments/<slug:code>/chat/mute/", views.mute, name="tournament-mute"),
    path("tournaments/<slug:code>/chat/unmute/", views.unmute, name="tournament-unmute"),
    path("tournaments/<slug:code>/chat/block/", views.block, name="tournament-block"),
    path("tournaments/<slug:code>/chat/report/", views.report, name="tournament-report"),
    path(
        "tournaments/<slug:code>/chat/<slug:room>/<int:number>/", views.line, name="tournament-line"
    ),
]
