"""Message catalogs without the system's gettext: extract, merge, compile, check.

English is the source: what is written in code and templates is what is shown.
Each other language of the settings has a catalog `locale/<language>/LC_MESSAGES/django.po`.
Nothing here guesses: a changed sentence is a new sentence, and wants a translation.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from string import Formatter
from tempfile import NamedTemporaryFile

from babel.messages.catalog import PYTHON_FORMAT, Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.template.base import Lexer, Token, TokenType
from django.utils.text import unescape_string_literal
from django.utils.translation import to_locale, trim_whitespace

from config.environment import BASE_DIR

SOURCES = ("config", "betting", "tournaments", "emperors", "dynasties", "games", "templates")

KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}

HEADER = """\
# Emperors of the Dynasty. Written by `manage.py translations update`: edit the msgstr lines only.
msgid ""
msgstr ""
"Language: {locale}\\n"
"Plural-Forms: {plural_forms}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""

TEXT = r'"(?:[^"\\]|\\.)*"|' r"'(?:[^'\\]|\\.)*'"
LITERAL = re.compile(TEXT, re.DOTALL)
CONSTANT = re.compile(rf"_\(({TEXT})\)", re.DOTALL)
HTML_TAG = re.compile(r"</?[a-z][a-z0-9]*")


@dataclass(frozen=True)
class Found:
    """A message as the source asks for it: one text, or the singular and the plural."""

    id: str | tuple[str, ...]
    context: str | None = None


# --- Extraction -------------------------------------------------------------------


def python_messages(source: bytes) -> Iterator[Found]:
    """Every message that a Python module asks for by one of `KEYWORDS`."""
    for _line, message, _comments, context in extract("python", BytesIO(source), KEYWORDS):
        yield Found(message, context)


def template_messages(source: str) -> Iterator[Found]:
    """Every message of a Django template, as the template engine will look it up."""
    tokens = iter(Lexer(source).tokenize())
    for token in tokens:
        if token.token_type is TokenType.VAR:
            yield from constants(token)
        elif token.token_type is TokenType.BLOCK:
            yield from tag_messages(token, tokens)


def tag_messages(token: Token, tokens: Iterator[Token]) -> Iterator[Found]:
    """The messages of one tag; takes from `tokens` what lies between its opening and its end."""
    tag, *arguments = token.split_contents()
    if tag == "comment":
        pass_comment(tokens)
        return
    yield from constants(token)
    if tag in {"translate", "trans"}:
        yield from inline_message(arguments)
    elif tag in {"blocktranslate", "blocktrans"}:
        yield block_message(arguments, tokens)


def constants(token: Token) -> Iterator[Found]:
    """Each _("…") among the arguments and filters of a tag or variable."""
    return (Found(looked_up(literal)) for literal in CONSTANT.findall(token.contents))


def pass_comment(tokens: Iterator[Token]) -> None:
    for token in tokens:
        if token.token_type is TokenType.BLOCK and token.contents == "endcomment":
            return


def inline_message(arguments: list[str]) -> Iterator[Found]:
    """The text of {% translate %}; nothing for a variable, whose text is marked elsewhere."""
    if literal := LITERAL.match(arguments[0]):
        yield Found(looked_up(literal[0]), context_among(arguments))


def block_message(arguments: list[str], tokens: Iterator[Token]) -> Found:
    """Read on to the end of {% blocktranslate %}; Django allows no other tag inside but plural."""
    forms = [""]
    for token in tokens:
        if token.token_type is TokenType.VAR:
            forms[-1] += f"%({token.contents})s"
        elif token.token_type is TokenType.TEXT:
            forms[-1] += token.contents.replace("%", "%%")
        elif token.contents == "plural":
            forms.append("")
        else:
            break
    if "trimmed" in arguments:
        forms = [trim_whitespace(form) for form in forms]
    return Found(tuple(forms) if len(forms) > 1 else forms[0], context_among(arguments))


def context_among(arguments: list[str]) -> str | None:
    if "context" not in arguments:
        return None
    # A context that is not a literal raises here: no catalog could hold its messages.
    return unescape_string_literal(arguments[arguments.index("context") + 1])


def looked_up(literal: str) -> str:
    """What the template engine asks the catalog for: percent signs of a literal are doubled."""
    return unescape_string_literal(literal).replace("%", "%%")


def file_messages(path: Path) -> list[Found]:
    """The messages of one file; an error says which file it comes from."""
    try:
        if path.suffix == ".py":
            return list(python_messages(path.read_bytes()))
        return list(template_messages(path.read_text(encoding="utf-8")))
    except Exception as error:
        error.add_note(f"while reading {path}")
        raise


def source_files(root: Path) -> Iterator[Path]:
    """Python and templates of `SOURCES`; migrations are history and show nothing to anybody."""
    for source in SOURCES:
        for path in sorted((root / source).rglob("*")):
            folders = path.relative_to(root).parts[:-1]
            is_template = path.suffix in {".html", ".txt"} and "templates" in folders
            if is_template or (path.suffix == ".py" and "migrations" not in folders):
                yield path


# --- Catalogs ---------------------------------------------------------------------


@dataclass(frozen=True)
class Translations:
    """The catalogs below `root`, and the sources that they speak for."""

    root: Path
    languages: tuple[str, ...]
    borrowed: tuple[str, ...] = ()

    def update(self) -> list[Path]:
        """Bring every catalog in line with the sources; return the paths."""
        paths = [self.catalog_path(language) for language in self.languages]
        for language, path in zip(self.languages, paths, strict=True):
            content = po_bytes(self.merged(language))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return paths

    def merged(self, language: str) -> Catalog:
        """The messages of the sources, each with the translation that is there already."""
        catalog, kept = self.extracted(language), self.read(language)
        for message in catalog:
            if message.id and (known := counterpart(message, kept)):
                message.string = known.string
                message.flags |= known.flags & {"fuzzy"}
                message.user_comments = known.user_comments
        return catalog

    def compile(self) -> list[Path]:
        """Write each catalog's .mo unless it is fresh; return those written."""
        paths = [self.catalog_path(language) for language in self.languages]
        stale = [path for path in paths if not is_fresh(path.with_suffix(".mo"), path)]
        return [compiled(path) for path in stale]

    def problems(self) -> list[str]:
        """Say, a line each, what keeps a reader of another language from being served."""
        return [
            f"{language}: {problem}"
            for language in self.languages
            for problem in catalog_problems(self.extracted(language), self.read(language))
        ]

    def extracted(self, language: str) -> Catalog:
        """Every message of the sources and of `borrowed`, without translations."""
        catalog = Catalog(locale=to_locale(language))
        for name, path in self._files():
            for found in file_messages(path):
                catalog.add(found.id, context=found.context, locations=[(name, 0)])
        return catalog

    def _files(self) -> Iterator[tuple[str, Path]]:
        for path in source_files(self.root):
            yield path.relative_to(self.root).as_posix(), path
        yield from ((name, installed_file(name)) for name in self.borrowed)

    def catalog_path(self, language: str) -> Path:
        return self.root / "locale" / to_locale(language) / "LC_MESSAGES" / "django.po"

    def read(self, language: str) -> Catalog:
        path = self.catalog_path(language)
        return read_catalog(path) if path.exists() else Catalog(locale=to_locale(language))


def installed_file(name: str) -> Path:
    """A file of an installed package, by the package's name and the path below it."""
    package, _, rest = name.partition("/")
    spec = find_spec(package)
    if not spec or not spec.origin:
        raise ModuleNotFoundError(f"{package} is not installed.")
    return Path(spec.origin).parent / rest


def read_catalog(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name)


def po_bytes(catalog: Catalog) -> bytes:
    """The catalog as text that changes only where a message does: sorted, no dates, no lines."""
    body = BytesIO()
    write_po(body, catalog, width=0, omit_header=True, sort_output=True, include_lineno=False)
    header = HEADER.format(locale=catalog.locale_identifier, plural_forms=catalog.plural_forms)
    return header.encode() + body.getvalue().rstrip() + b"\n"


def is_fresh(made: Path, source: Path) -> bool:
    return made.exists() and made.stat().st_mtime >= source.stat().st_mtime


def compiled(path: Path) -> Path:
    """Write the .mo beside `path`, whole or not at all: several processes may do so at once."""
    with NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
        write_mo(file, read_catalog(path))
    made = Path(file.name)
    made.chmod(0o644)
    return made.replace(path.with_suffix(".mo"))


def counterpart(message: Message, catalog: Catalog) -> Message | None:
    """The catalog's entry for the same message, with a plural if and only if it has one."""
    known = catalog.get(message.id, message.context)
    return known if known and known.pluralizable == message.pluralizable else None


# --- Checks -----------------------------------------------------------------------


def catalog_problems(found: Catalog, kept: Catalog) -> Iterator[str]:
    for message in found:
        if message.id and not counterpart(message, kept):
            yield described("not in the catalog", message)
    for message in kept:
        if message.id and not counterpart(message, found):
            yield described("no longer used", message)
        elif message.id:
            yield from (described(flaw, message) for flaw in flaws(message, kept))
    for message in kept.obsolete.values():
        yield described("obsolete", message)


def described(problem: str, message: Message) -> str:
    context = f" (context {message.context!r})" if message.context else ""
    where = ", ".join(name for name, _line in message.locations)
    return f"{problem}: {texts(message.id)[0]!r}{context}{f' in {where}' if where else ''}"


def flaws(message: Message, catalog: Catalog) -> Iterator[str]:
    """What is wrong with a translation that is in use."""
    translations = texts(message.string)
    if message.fuzzy:
        yield "fuzzy"
    if len(translations) < len(texts(message.id)) or not all(translations):
        yield "not translated"
        return
    if any(marks(text) not in allowed for text, allowed in with_models(message)):
        yield "placeholders or HTML tags differ"
    yield from (str(error) for error in message.check(catalog))


def with_models(message: Message) -> Iterator[tuple[str, list[Counter[str]]]]:
    """Each translated form with the marks it may carry: a singular may spell its number out."""
    singular, plural = (marks(text) for text in (texts(message.id)[0], texts(message.id)[-1]))
    for index, text in enumerate(texts(message.string)):
        yield text, [plural, singular] if index == 0 else [plural]


def texts(value: str | Iterable[str] | None) -> tuple[str, ...]:
    """The forms of an id or of a translation, whether it has a plural or not."""
    return (value,) if isinstance(value, str) else tuple(value or ())


def marks(text: str) -> Counter[str]:
    """What a translation must carry over unchanged: placeholders and HTML tags."""
    percent = (match[0] for match in PYTHON_FORMAT.finditer(text) if match[3] != "%")
    return Counter([*percent, *brace_fields(text), *HTML_TAG.findall(text)])


def brace_fields(text: str) -> list[str]:
    try:
        return [f"{{{name}}}" for _, name, _, _ in Formatter().parse(text) if name is not None]
    except ValueError:  # a lone brace: no format string at all
        return []


# --- Ours -------------------------------------------------------------------------

# Files of our dependencies whose sentences players read. Their own Spanish wavers between tú and
# usted, so our catalog, which Django prefers, says them anew; the check names what an upgrade adds.
BORROWED = (
    "allauth/account/adapter.py",
    "allauth/account/fields.py",
    "allauth/account/forms.py",
    "allauth/mfa/adapter.py",
    "allauth/mfa/base/forms.py",
    "allauth/mfa/totp/forms.py",
    "django/contrib/auth/password_validation.py",
    "django/core/validators.py",
    "django/forms/fields.py",
)


def site_translations() -> Translations:
    """The catalogs of this site: one for every language of the settings but the source's."""
    languages = tuple(code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE)
    return Translations(root=BASE_DIR, languages=languages, borrowed=BORROWED)
