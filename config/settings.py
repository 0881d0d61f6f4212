"""Settings of every process, built from `config.environment`.

There is one settings module: what differs between the embedded default and
production is decided here, by `ENV.production`, and nowhere else.
"""

import logging
from typing import Any

import environ
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from config.environment import BASE_DIR, Environment
from config.logs import logging_config

ENV = Environment.read()

SECRET_KEY = ENV.secret_key
DEBUG = False
ALLOWED_HOSTS = list(ENV.allowed_hosts)
SITE_ORIGIN = ENV.site_origin
# Every address that the site's own pages come from: only these may open a socket.
SITE_ORIGINS = sorted({ENV.site_origin, *ENV.sibling_origins()})

# --- The dynasty, floor by floor, roof first -----------------------------------

INSTALLED_APPS = [
    "config.apps.RoofConfig",
    "betting",
    "tournaments",
    "emperors",
    "dynasties",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "channels",
    "csp",
    "django_celery_beat",
    "django_prometheus",
    "django_structlog",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django.forms",
]

MIDDLEWARE = [
    "dynasties.vitals.middleware.ProbesMiddleware",
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "config.static.StaticFiles",
    "csp.middleware.CSPMiddleware",
    "dynasties.vitals.middleware.RequestLog",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "dynasties.accounts.middleware.SessionSeenMiddleware",
    "dynasties.accounts.middleware.GuestMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
APPEND_SLASH = True

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "dynasties.notices.context.proclamations",
                "config.shell.site",
            ],
        },
    },
]

FORM_RENDERER = "config.forms.HouseRenderer"

# --- Database: the truth ------------------------------------------------------

DATABASES: dict[str, dict[str, Any]] = {"default": environ.Env.db_url_config(ENV.database_url)}
_database = DATABASES["default"]
# Under ASGI a kept connection belongs to a thread that may never serve again: pool instead.
_database["CONN_MAX_AGE"] = 0
# A connection that died with a restarted server is replaced before a request meets it.
_database["CONN_HEALTH_CHECKS"] = True
_options = _database.setdefault("OPTIONS", {})
if _database["ENGINE"].endswith("sqlite3"):
    _options["transaction_mode"] = "IMMEDIATE"
    _options["timeout"] = 20
    _options["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
    # A shared in-memory database cannot be reached by a second process or thread.
    _database["TEST"] = {"NAME": str(ENV.var_dir / "test.sqlite3")}
else:
    _options["pool"] = {"min_size": 1, "max_size": 8, "timeout": 10}
    # Who waits for a lock this long, as with SQLite above, gets an error instead of a frozen page.
    _options.setdefault("options", "-c lock_timeout=20s")

# --- Redis: hints, caches, the queue; losing it loses nothing -------------------

CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [ENV.redis_url], "prefix": f"{ENV.redis_prefix}:live"},
    },
}

# A Redis that hangs must not hang us: every wait for it ends after this many seconds.
REDIS_PATIENCE = 2

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": ENV.redis_url,
        "KEY_PREFIX": f"{ENV.redis_prefix}:cache",
        "OPTIONS": {"socket_timeout": REDIS_PATIENCE},
    },
}

CELERY_BROKER_URL = ENV.redis_url.replace("unix://", "redis+socket://")
# A task that takes longer than this is ended, and one whose worker vanished starts again: in
# this order, or a slow task would run twice at once.
TASK_SECONDS = 240
CELERY_TASK_SOFT_TIME_LIMIT = TASK_SECONDS
CELERY_TASK_TIME_LIMIT = TASK_SECONDS + 10
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "global_keyprefix": f"{ENV.redis_prefix}:queue:",
    "visibility_timeout": TASK_SECONDS + 60,
    "socket_timeout": REDIS_PATIENCE,
    "socket_connect_timeout": REDIS_PATIENCE,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
# A task whose process is killed is delivered again: every task may run twice.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
# Publishing must never hold up a request for long: the sweeps find what a lost hint left.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BEAT_SCHEDULER = "django_celery_beat.schedulers:DatabaseScheduler"
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "the world's heart beats": {
        "task": "dynasties.vitals.tasks.beat",
        "schedule": 5.0,
        # Nobody needs yesterday's beats: without a worker they must not pile up.
        "options": {"expires": 5},
    },
    "proclamations go out": {
        "task": "dynasties.notices.tasks.announce_due",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "letters left behind are sent": {
        "task": "dynasties.notices.tasks.send_letters",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "departures are completed": {
        "task": "dynasties.accounts.tasks.complete_departures",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "offers expire": {
        "task": "dynasties.market.tasks.expire_offers",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "turns are closed": {
        "task": "tournaments.tasks.close_turns_overdue",
        "schedule": 1.0,
        "options": {"expires": 1},
    },
    "turns left open are closed": {
        "task": "tournaments.tasks.close_turns_left_open",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "tournaments open and start": {
        "task": "tournaments.tasks.open_and_start",
        "schedule": 2.0,
        "options": {"expires": 2},
    },
    "bots are woken": {
        "task": "tournaments.bots.tasks.wake_bots",
        "schedule": 2.0,
        "options": {"expires": 2},
    },
    "tournaments recur": {
        "task": "tournaments.tasks.announce_again",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "seats of nobody are cleared": {
        "task": "tournaments.tasks.clear_seats",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "players are reminded": {
        "task": "tournaments.tasks.remind",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    # Every hour, for the one after midnight may be missed; a day that is done costs one query.
    "reputation fades": {
        "task": "emperors.tasks.apply_decay",
        "schedule": crontab(minute="5"),
        "options": {"expires": 60 * 60},
    },
    "unopened dynasties are cleared": {
        "task": "dynasties.accounts.tasks.clear_unopened",
        "schedule": crontab(minute="17"),
        "options": {"expires": 60 * 60},
    },
    "ended sessions are cleared": {
        "task": "dynasties.accounts.tasks.clear_sessions",
        "schedule": crontab(hour="4", minute="43"),
        "options": {"expires": 60 * 60 * 12},
    },
}

# Every web process notes that the site takes orders, and closes turns by itself.
KEEPS_WATCH = True

# --- Accounts -------------------------------------------------------------------

AUTH_USER_MODEL = "dynasties.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "palace"
LOGOUT_REDIRECT_URL = "home"

ACCOUNT_ADAPTER = "dynasties.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "dynasties.accounts.forms.LoginForm",
    "signup": "dynasties.accounts.forms.SignupForm",
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
# A sign-up with a taken address must look like any other: only a letter tells them apart.
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip",
    "login_failed": "20/m/ip,5/5m/key",
    # Every name that proves to be taken counts, and a household shares an address.
    "signup": "20/m/ip,60/h/ip",
    "reset_password": "20/h/ip,5/h/key",
    "reset_password_from_key": "20/m/ip",
    # Ours, counted by the same means.
    "guest": "20/h/ip",
    "export": "10/h/user",
}
ALLAUTH_TRUSTED_PROXY_COUNT = ENV.trusted_proxies
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Emperors of the Dynasty"
# So that the page of sessions tells it; what keeps track is a middleware of our own.
USERSESSIONS_TRACK_ACTIVITY = True

# How long a sign-up may stay unverified before its dynasty and name are free again.
UNOPENED_HOUSE_DAYS = 3

# Emperors cost nothing, and a dynasty may have as many as it likes: these only stop a machine.
EMPERORS_A_MINUTE = 10
EMPERORS_A_DAY = 200

# --- Security -------------------------------------------------------------------

SESSION_ENGINE = "dynasties.accounts.sessions"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "config.shell.csrf_failure"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if ENV.production:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
    CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ENV.allowed_hosts]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        # The second factor's QR code is an inline picture.
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}

# --- Letters ----------------------------------------------------------------------

# Letters are stored with what they tell, and sent after the commit, by the transport below.
EMAIL_BACKEND = "dynasties.notices.letters.OutboxBackend"
_mail = environ.Env.email_url_config(ENV.email_url)
LETTER_TRANSPORT = _mail["EMAIL_BACKEND"]
EMAIL_FILE_PATH = _mail.get("EMAIL_FILE_PATH") or None
EMAIL_HOST = _mail.get("EMAIL_HOST") or "localhost"
EMAIL_PORT = _mail.get("EMAIL_PORT") or 25
EMAIL_HOST_USER = _mail.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD = _mail.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS = _mail.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = _mail.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = ENV.email_from
SERVER_EMAIL = ENV.email_from

# --- Languages, time, files -------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = ENV.production
LANGUAGES = [("en", _("English")), ("es", _("Spanish"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
FORMAT_MODULE_PATH = "config.formats"
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Only production gathers its files; one machine serves straight from the source.
STATIC_ROOT = BASE_DIR / "staticfiles" if ENV.production else None
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "config.static.HashedFiles"
            if ENV.production
            else "django.contrib.staticfiles.storage.StaticFilesStorage"
        ),
    },
}

WHITENOISE_USE_FINDERS = not ENV.production
# Styles and scripts can be edited while the site runs.
WHITENOISE_AUTOREFRESH = not ENV.production

# --- Watching over it ---------------------------------------------------------------

LOGGING = logging_config(level=ENV.log_level, as_json=ENV.production)
DJANGO_STRUCTLOG_CELERY_ENABLED = True
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
# Somebody asked for what is not there, or not theirs: worth knowing, no reason to worry.
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = logging.INFO
# In production the proxy names each request, and drops what clients call theirs.
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = ENV.production
# Who asked is a number in the log, never an address or a name.
DJANGO_STRUCTLOG_USER_ID_FIELD = "pk"
METRICS_TOKEN = ENV.metrics_token
PROMETHEUS_EXPORT_MIGRATIONS = False
# The heart beats every five seconds; silent for this long, it has stopped.
HEARTBEAT_STALE_SECONDS = 30
