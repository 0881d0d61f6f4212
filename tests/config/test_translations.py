"""The catalogs: what an update keeps, what the check complains about, what Django then says."""

import os
from pathlib import Path
from unittest import mock

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings
from django.utils.translation.trans_real import DjangoTranslation

from config.translations import (
    Translations,
    file_messages,
    installed_file,
    po_bytes,
    read_catalog,
    site_translations,
    texts,
)

# --- The site's own catalogs ------------------------------------------------------


def test_every_message_of_the_site_is_translated() -> None:
    assert site_translations().problems() == []


def test_the_catalogs_are_as_an_update_would_write_them() -> None:
    site = site_translations()
    for language in site.languages:
        assert po_bytes(site.merged(language)) == site.catalog_path(language).read_bytes()


@pytest.fixture(scope="module")
def spanish() -> DjangoTranslation:
    """What a Spanish page is spoken with: the catalogs of Django, of the apps, then ours."""
    site_translations().compile()
    return DjangoTranslation("es")


def test_our_words_are_preferred_to_those_of_our_dependencies(spanish: DjangoTranslation) -> None:
    said = spanish.gettext("Enter a valid email address.")
    assert said == "Escribe una dirección de correo válida."
    said = spanish.ngettext(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
        10,
    )
    assert said == "Esta contraseña es demasiado corta. Debe tener al menos %d caracteres."


def test_all_that_allauth_says_is_said_in_spanish(spanish: DjangoTranslation) -> None:
    allauth = installed_file("allauth/")
    folders = [allauth / top / room for top in ("", "templates") for room in ALLAUTH_ROOMS]
    files = [path for folder in folders for path in folder.rglob("*") if is_spoken(path)]
    asked = {found for path in files for found in file_messages(path)}
    assert len(asked) > 100
    plain = {texts(found.id)[0] for found in asked if not found.context}
    assert {text for text in plain if spanish.gettext(text) == text} <= SAME_IN_SPANISH


ALLAUTH_ROOMS = ("account", "mfa", "usersessions")
SAME_IN_SPANISH = {"MFA", "Passkey", "Passwordless", "WebAuthn"}


def is_spoken(path: Path) -> bool:
    return path.suffix in {".py", ".html", ".txt"} and "tests" not in path.parts


# --- Catalogs ---------------------------------------------------------------------


@pytest.fixture
def little_site(tmp_path: Path) -> Translations:
    """A site with one module and one template, its Spanish catalog not yet made."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config/shell.py").write_text('_("Hello")\nngettext("{n} coin", "{n} coins", n)\n')
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates/home.html").write_text(
        '{% translate "Hello" %}'
        "{% blocktranslate %}<b>Hail</b> {{ who }}{% endblocktranslate %}"
        '{% translate "order" context "a noun" %}'
    )
    return Translations(root=tmp_path, languages=("es",))


SPANISH = {
    "Hello": "Hola",
    "{n} coin": ("{n} moneda", "{n} monedas"),
    "<b>Hail</b> %(who)s": "<b>Salve</b>, %(who)s",
    "order": "orden",
}


def put_into_spanish(site: Translations) -> Path:
    """Update the catalog and fill it in."""
    (path,) = site.update()
    text = path.read_text()
    for english, spanish in SPANISH.items():
        head, found, tail = text.partition(f'msgid "{english}"\n')
        if isinstance(spanish, tuple):
            for index, form in enumerate(spanish):
                tail = tail.replace(f'msgstr[{index}] ""', f'msgstr[{index}] "{form}"', 1)
        else:
            tail = tail.replace('msgstr ""', f'msgstr "{spanish}"', 1)
        text = head + found + tail
    path.write_text(text)
    return path


def replace_in(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


CATALOG = """\
# Emperors of the Dynasty. Written by `manage.py translations update`: edit the msgstr lines only.
msgid ""
msgstr ""
"Language: es\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

#: templates/home.html
#, python-format
msgid "<b>Hail</b> %(who)s"
msgstr "<b>Salve</b>, %(who)s"

#: config/shell.py templates/home.html
msgid "Hello"
msgstr "Hola"

#: templates/home.html
msgctxt "a noun"
msgid "order"
msgstr "orden"

#: config/shell.py
#, python-brace-format
msgid "{n} coin"
msgid_plural "{n} coins"
msgstr[0] "{n} moneda"
msgstr[1] "{n} monedas"
"""


def test_a_catalog_is_sorted_and_says_nothing_that_changes_by_itself(
    little_site: Translations,
) -> None:
    assert put_into_spanish(little_site).read_text() == CATALOG


def test_an_update_keeps_translations_and_remarks_and_drops_what_is_gone(
    little_site: Translations,
) -> None:
    path = put_into_spanish(little_site)
    replace_in(path, "#: config/shell.py\n", "# Say it loud.\n#: config/shell.py\n")
    replace_in(little_site.root / "config/shell.py", '_("Hello")', '_("Hello!")')
    replace_in(little_site.root / "templates/home.html", '{% translate "Hello" %}', "")
    little_site.update()
    kept = read_catalog(path)
    assert {m.id: m.string for m in kept if m.id and not m.pluralizable} == {
        "<b>Hail</b> %(who)s": "<b>Salve</b>, %(who)s",
        "Hello!": "",
        "order": "orden",
    }
    coins = kept["{n} coin"]
    assert coins.string == ("{n} moneda", "{n} monedas")
    assert coins.user_comments == ["Say it loud."]
    assert not kept.obsolete
    assert not any(message.fuzzy for message in kept)


def test_a_whole_catalog_has_no_problems(little_site: Translations) -> None:
    put_into_spanish(little_site)
    assert little_site.problems() == []


def test_a_site_without_a_catalog_misses_every_message(little_site: Translations) -> None:
    assert sorted(little_site.problems()) == [
        "es: not in the catalog: '<b>Hail</b> %(who)s' in templates/home.html",
        "es: not in the catalog: 'Hello' in config/shell.py, templates/home.html",
        "es: not in the catalog: 'order' (context 'a noun') in templates/home.html",
        "es: not in the catalog: '{n} coin' in config/shell.py",
    ]


def test_a_new_message_is_missed(little_site: Translations) -> None:
    put_into_spanish(little_site)
    replace_in(little_site.root / "config/shell.py", '_("Hello")', '_("Hello")\n_("Farewell")')
    assert little_site.problems() == ["es: not in the catalog: 'Farewell' in config/shell.py"]


def test_a_message_that_gains_a_plural_is_missed(little_site: Translations) -> None:
    put_into_spanish(little_site)
    for file in ("config/shell.py", "templates/home.html"):
        path = little_site.root / file
        path.write_text(path.read_text().replace('_("Hello")', 'ngettext("Hello", "Hellos", n)'))
    assert "es: not in the catalog: 'Hello' in config/shell.py, templates/home.html" in (
        little_site.problems()
    )


DAMAGE = [
    ('"Hola"', '""', "not translated: 'Hello'"),
    ('msgstr[1] "{n} monedas"', 'msgstr[1] ""', "not translated: '{n} coin'"),
    ('msgid "Hello"', '#, fuzzy\nmsgid "Hello"', "fuzzy: 'Hello'"),
    ("Salve</b>, %(who)s", "Salve</b>, %(quien)s", "placeholders or HTML tags differ"),
    ("Salve</b>, %(who)s", "Salve</b>", "placeholders or HTML tags differ"),
    ("Salve</b>, %(who)s", "Salve</i>, %(who)s", "placeholders or HTML tags differ"),
    ("Salve</b>, %(who)s", "Salve</b>, %(who)d", "placeholders or HTML tags differ"),
    ("{n} monedas", "{m} monedas", "placeholders or HTML tags differ: '{n} coin'"),
    ("{n} monedas", "monedas", "placeholders or HTML tags differ: '{n} coin'"),
    ('"Hola"', '"Hola 5% de"', "placeholders or HTML tags differ: 'Hello'"),
    ('"orden"\n', '"orden"\n\n#~ msgid "old"\n#~ msgstr "viejo"\n', "obsolete: 'old'"),
    ('"orden"\n', '"orden"\n\nmsgid "old"\nmsgstr "viejo"\n', "no longer used: 'old'"),
]


@pytest.mark.parametrize(("old", "new", "complaint"), DAMAGE)
def test_a_damaged_translation_is_named(
    little_site: Translations, old: str, new: str, complaint: str
) -> None:
    replace_in(put_into_spanish(little_site), old, new)
    problems = little_site.problems()
    assert problems
    assert problems[0].startswith(f"es: {complaint}")


def test_a_singular_may_spell_its_number_out(little_site: Translations) -> None:
    replace_in(little_site.root / "config/shell.py", '"{n} coin"', '"one coin"')
    path = put_into_spanish(little_site)
    replace_in(path, 'msgstr[0] ""', 'msgstr[0] "una moneda"')
    replace_in(path, 'msgstr[1] ""', 'msgstr[1] "{n} monedas"')
    assert little_site.problems() == []
    replace_in(path, '"una moneda"', '"{n} moneda"')
    assert little_site.problems() == []


# --- Compiling --------------------------------------------------------------------


def test_a_catalog_is_compiled_once_until_it_changes(little_site: Translations) -> None:
    path = put_into_spanish(little_site)
    assert little_site.compile() == [path.with_suffix(".mo")]
    assert little_site.compile() == []
    later = path.with_suffix(".mo").stat().st_mtime + 5
    os.utime(path, (later, later))
    assert little_site.compile() == [path.with_suffix(".mo")]
    assert [file.name for file in sorted(path.parent.iterdir())] == ["django.mo", "django.po"]


def test_a_compiled_catalog_is_what_django_speaks(little_site: Translations) -> None:
    put_into_spanish(little_site)
    little_site.compile()
    with override_settings(LOCALE_PATHS=[little_site.root / "locale"]):
        catalog = DjangoTranslation("es")
    assert catalog.gettext("Hello") == "Hola"
    assert catalog.pgettext("a noun", "order") == "orden"
    assert catalog.ngettext("{n} coin", "{n} coins", 1) == "{n} moneda"
    assert catalog.ngettext("{n} coin", "{n} coins", 0) == "{n} monedas"


# --- The command ------------------------------------------------------------------


def test_the_check_command_passes_on_the_site(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("translations", "check")
    assert capsys.readouterr().out == "Every message is translated.\n"


def test_the_check_command_fails_and_names_the_message(little_site: Translations) -> None:
    with (
        mock.patch(
            "config.management.commands.translations.site_translations", return_value=little_site
        ),
        pytest.raises(CommandError, match="not in the catalog: 'Hello'"),
    ):
        call_command("translations", "check")
