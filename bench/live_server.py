"""The server of the fan-out measurement: our sockets and stock Channels consumers, side by side."""

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from channels.generic.websocket import AsyncWebsocketConsumer  # noqa: E402
from channels.routing import URLRouter  # noqa: E402
from django.urls import path  # noqa: E402

from bench.live_fanout import TOPIC  # noqa: E402
from dynasties.notices.sockets import LiveSocket  # noqa: E402


class Ours(LiveSocket):
    topics = (TOPIC,)


class Stock(AsyncWebsocketConsumer):
    """What the documentation of Channels would have us write."""

    async def connect(self) -> None:
        await self.channel_layer.group_add(TOPIC, self.channel_name)
        await self.accept()
        await self.send(text_data="hello")

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(TOPIC, self.channel_name)

    async def frame(self, message: dict) -> None:
        await self.send(text_data=json.dumps(message["frame"]))


application = URLRouter([path("ours/", Ours.as_asgi()), path("stock/", Stock.as_asgi())])
