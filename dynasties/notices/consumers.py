"""The sockets of this room, by route."""

from django.urls import path

from dynasties.notices.sockets import LiveSocket


class WorldConsumer(LiveSocket):
    """What everybody may hear, signed in or not: the pulse of the world, proclamations."""


websocket_urlpatterns = [path("ws/world/", WorldConsumer.as_asgi())]
