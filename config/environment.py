"""The one place that reads environment variables.

Two ways to run. *Embedded* (the default) serves one machine and needs no
variable at all: SQLite, a bundled Valkey, a secret key of its own in `var/`.
*Production* (`PRODUCTION=true`) is configured by variables alone and refuses to
start while one is missing or unsafe, naming every such variable at once.
"""

import hashlib
import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent
SHORTEST_SECRET = 50
FEWEST_DISTINCT_CHARACTERS = 10
# Linux refuses longer paths for Unix sockets; macOS is at 104.
LONGEST_SOCKET_PATH = 100
YES, NO = {"true", "yes", "on", "1"}, {"false", "no", "off", "0", ""}
# Letters must arrive: a console or nowhere is for one machine. Files are for a relay to fetch.
MAIL_SCHEMES = {"smtp", "smtps", "smtp+tls", "smtp+ssl", "filemail"}


@dataclass(frozen=True)
class Environment:
    """What the environment says, read once and checked as a whole."""

    production: bool
    secret_key: str
    allowed_hosts: tuple[str, ...]
    site_origin: str
    database_url: str
    redis_url: str
    redis_prefix: str
    email_url: str
    email_from: str
    metrics_token: str
    trusted_proxies: int
    log_level: str
    var_dir: Path

    @classmethod
    def read(cls, variables: Mapping[str, str] | None = None) -> "Environment":
        """Read `variables` (the process's own by default) or raise ImproperlyConfigured."""
        env = environ.Env()
        # A copy of our own: django-environ would otherwise write defaults into os.environ.
        env.ENVIRON = dict(os.environ if variables is None else variables)
        production = switch(env.str("PRODUCTION", default=""))
        environment = cls._production(env) if production else cls._embedded(env)
        problems = list(environment.problems())
        if problems:
            raise ImproperlyConfigured(
                "The site refuses to start:\n" + "\n".join(f"  - {p}" for p in problems)
            )
        return environment

    @classmethod
    def _production(cls, env: environ.Env) -> "Environment":
        hosts = tuple(env.list("ALLOWED_HOSTS", default=[]))
        return cls(
            production=True,
            secret_key=env.str("SECRET_KEY", default=""),
            allowed_hosts=hosts,
            site_origin=env.str("SITE_ORIGIN", default=f"https://{hosts[0]}" if hosts else ""),
            database_url=env.str("DATABASE_URL", default=""),
            redis_url=env.str("REDIS_URL", default=""),
            redis_prefix=env.str("REDIS_PREFIX", default="emperors"),
            email_url=env.str("EMAIL_URL", default=""),
            email_from=env.str("EMAIL_FROM", default=""),
            metrics_token=env.str("METRICS_TOKEN", default=""),
            trusted_proxies=whole_number(env.str("TRUSTED_PROXIES", default="1")),
            log_level=env.str("LOG_LEVEL", default="INFO").upper(),
            var_dir=Path(env.str("VAR_DIR", default=str(BASE_DIR / "var"))),
        )

    @classmethod
    def _embedded(cls, env: environ.Env) -> "Environment":
        var_dir = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var"))).resolve()
        return cls(
            production=False,
            secret_key=env.str("SECRET_KEY", default="") or kept_secret(var_dir / "secret.key"),
            allowed_hosts=tuple(
                env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
            ),
            site_origin=env.str("SITE_ORIGIN", default="http://localhost:8000"),
            database_url=env.str(
                "DATABASE_URL", default=f"sqlite:///{in_url(var_dir / 'world.sqlite3')}"
            ),
            redis_url=env.str("REDIS_URL", default=f"unix://{in_url(bundled_socket(var_dir))}"),
            redis_prefix=env.str("REDIS_PREFIX", default="emperors"),
            email_url=env.str("EMAIL_URL", default=f"filemail:///{in_url(var_dir / 'mail')}"),
            email_from=env.str("EMAIL_FROM", default="herald@localhost"),
            metrics_token=env.str("METRICS_TOKEN", default=""),
            trusted_proxies=whole_number(env.str("TRUSTED_PROXIES", default="0")),
            log_level=env.str("LOG_LEVEL", default="WARNING").upper(),
            var_dir=var_dir,
        )

    def sibling_origins(self) -> Iterator[str]:
        """Yield the site's origin once for each allowed host: same scheme, same port."""
        origin = urlsplit(self.site_origin)
        port = f":{origin.port}" if origin.port else ""
        for host in self.allowed_hosts:
            yield f"{origin.scheme}://{host}{port}"

    def problems(self) -> Iterator[str]:
        """Say, a sentence each, what is missing or unsafe; nothing when all is well."""
        if self.log_level not in {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}:
            yield f"LOG_LEVEL {self.log_level!r} is no level: use DEBUG, INFO, WARNING or ERROR."
        if self.trusted_proxies < 0:
            yield "TRUSTED_PROXIES must be a whole number: how many proxies stand in front."
        if urlsplit(self.email_url).scheme not in {"", *environ.Env.EMAIL_SCHEMES}:
            yield "EMAIL_URL can't be understood: smtp+tls://user:password@host:587."
        if self.production:
            yield from self._secret_problems()
            yield from self._host_problems()
            yield from self._service_problems()

    def _secret_problems(self) -> Iterator[str]:
        if not self.secret_key:
            yield "SECRET_KEY is missing: set it to a long random text."
        elif (
            len(self.secret_key) < SHORTEST_SECRET
            or len(set(self.secret_key)) < FEWEST_DISTINCT_CHARACTERS
            or self.secret_key.startswith("django-insecure")
        ):
            yield f"SECRET_KEY is too easy to guess: use {SHORTEST_SECRET} random characters."
        if self.metrics_token and len(self.metrics_token) < 20:
            yield "METRICS_TOKEN is too easy to guess: use 20 random characters or more, or none."

    def _host_problems(self) -> Iterator[str]:
        if not self.allowed_hosts:
            yield "ALLOWED_HOSTS is missing: name the hosts of the site, separated by commas."
        elif not all(is_host(host) for host in self.allowed_hosts):
            yield "ALLOWED_HOSTS must name whole hosts, no address or wildcard: emperors.example."
        elif not is_origin(self.site_origin, of=self.allowed_hosts):
            yield "SITE_ORIGIN must be https:// and one of ALLOWED_HOSTS, without a path."

    def _service_problems(self) -> Iterator[str]:
        if not self.database_url:
            yield "DATABASE_URL is missing: postgres://user:password@host:5432/name."
        elif urlsplit(self.database_url).scheme not in {"postgres", "postgresql"}:
            yield "DATABASE_URL must be PostgreSQL: SQLite serves one machine, not production."
        elif not has_name(self.database_url):
            yield "DATABASE_URL names no database: postgres://user:password@host:5432/name."
        if not self.redis_url:
            yield "REDIS_URL is missing: redis://host:6379/0."
        elif urlsplit(self.redis_url).scheme not in {"redis", "rediss", "unix"}:
            yield "REDIS_URL must start with redis://, rediss:// or unix://."
        yield from self._mail_problems()

    def _mail_problems(self) -> Iterator[str]:
        if not self.email_url:
            yield "EMAIL_URL is missing: smtp+tls://user:password@host:587."
        elif urlsplit(self.email_url).scheme not in MAIL_SCHEMES:
            yield "EMAIL_URL must lead to a mail server: smtp+tls://user:password@host:587."
        if not self.email_from:
            yield "EMAIL_FROM is missing: the address that the site's letters come from."


def switch(text: str) -> bool:
    """What a variable that is on or off says. A typing error must not switch safety off."""
    word = text.strip().lower()
    if word not in YES | NO:
        raise ImproperlyConfigured(f"PRODUCTION is {text!r}: it must be true or false.")
    return word in YES


def whole_number(text: str) -> int:
    """The number, or -1 for what is none."""
    return int(text) if text.isascii() and text.isdigit() else -1


def in_url(path: Path) -> str:
    """A path as a URL holds it: folders may be called anything."""
    return quote(str(path))


def is_host(text: str) -> bool:
    return bool(text) and text == urlsplit(f"//{text}").netloc and not text.startswith((".", "*"))


def is_origin(text: str, *, of: tuple[str, ...]) -> bool:
    """Whether `text` is a scheme and host as browsers write them, and the host is one of ours."""
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018 — reading it is what finds a port that can't be
    except ValueError:
        return False
    return parts.scheme == "https" and parts.hostname in of and text == f"https://{parts.netloc}"


def has_name(database_url: str) -> bool:
    """Whether the URL names host, or socket, and database."""
    parts = urlsplit(database_url)
    return len(parts.path) > 1 and bool(parts.netloc or parts.query)


def kept_secret(path: Path, *, strength: int = SHORTEST_SECRET) -> str:
    """Return the secret kept in `path`, making one of `strength` random bytes the first time."""
    with suppress(OSError):
        return path.read_text(encoding="ascii").strip()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_once(path, secrets.token_urlsafe(strength))
    except OSError as error:
        raise ImproperlyConfigured(
            f"The site keeps its things in {path.parent}, which can't be written "
            f"({error.strerror}). Set VAR_DIR to a folder that can."
        ) from None
    return path.read_text(encoding="ascii").strip()


def write_once(path: Path, text: str) -> None:
    """Write `path` for our eyes only, whole or not at all; who comes second changes nothing."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
    with suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()


def bundled_socket(var_dir: Path) -> Path:
    """Where the bundled Valkey listens: in `var/`, unless that path is too long for a socket."""
    inside = var_dir / "valkey.sock"
    if len(str(inside)) <= LONGEST_SOCKET_PATH:
        return inside
    mark = hashlib.sha256(str(var_dir).encode()).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"emperors-{os.getuid()}-{mark}" / "valkey.sock"
