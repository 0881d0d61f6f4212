"""The one door for HTTP and WebSockets."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# Django must be set up before anything that touches models is imported.
http_application = get_asgi_application()

from channels.routing import ProtocolTypeRouter  # noqa: E402
from django.conf import settings  # noqa: E402

from config.routing import live_application  # noqa: E402
from tournaments.turns.watchman import start_watching  # noqa: E402

start_watching()
application = ProtocolTypeRouter(
    {"http": http_application, "websocket": live_application(settings.SITE_ORIGINS)}
)
