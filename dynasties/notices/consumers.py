"""The sockets of this room, by route."""

from channels.db import database_sync_to_async
from django.urls import path

from dynasties.notices.selectors import proclamations_in_force
from dynasties.notices.services import proclamation_frame
from dynasties.notices.sockets import LiveSocket


class WorldConsumer(LiveSocket):
    """What everybody may hear, signed in or not: the pulse of the world, proclamations."""

    async def greet(self) -> None:
        """Say again what the crown has said: one proclaimed while the client was away, too."""
        in_force = database_sync_to_async(list, thread_sensitive=False)
        for proclamation in await in_force(proclamations_in_force()):
            self.tell(proclamation_frame(proclamation))


websocket_urlpatterns = [path("ws/world/", WorldConsumer.as_asgi())]
