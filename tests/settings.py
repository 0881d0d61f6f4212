"""The site's own settings, on services that last for one run, watched for N+1 queries."""

import os

from tests import surroundings

surroundings.prepare()

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, ENV, INSTALLED_APPS, MIDDLEWARE  # noqa: E402

INSTALLED_APPS = ["zeal", *INSTALLED_APPS]
MIDDLEWARE = [
    "zeal.middleware.zeal_middleware",
    "tests.borrowed.BorrowedViewsMiddleware",
    *MIDDLEWARE,
]
ZEAL_RAISE = True
# Signing in several people in one test is not a loop of the site's.
ZEAL_ALLOWLIST = [
    {"model": "sessions.Session", "field": "*"},
]

# A test that wants a watchman starts one; a server that a test started has its own.
KEEPS_WATCH = bool(os.environ.get("TEST_SITE"))

# Hashing well takes long on purpose; what hashes well is not for tests to show again and again.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Nothing is gathered here, but WhiteNoise warns of a folder that is missing.
STATIC_ROOT = ENV.var_dir / "static"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)

if "pool" in DATABASES["default"].get("OPTIONS", {}):
    # Many workers share one server.
    DATABASES["default"]["OPTIONS"]["pool"] = {"min_size": 0, "max_size": 8, "timeout": 10}

if not os.environ.get("TEST_REDIS_URL"):
    # Only where no Redis can be had at all: the phases that need it are left out, loudly.
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    CELERY_BROKER_URL = "memory://"
