"""No page and no form shows words that could not be translated.

The catalogs' own check knows only what is marked for translation. This one looks
for words that nobody marked: in templates, and in the Python that labels things.
"""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from django.template.base import Lexer, Token, TokenType

from config.environment import BASE_DIR
from config.translations import CONSTANT, LITERAL, source_files

# A single letter is a mark on the board, not a word.
WORD = re.compile(r"[^\W\d_]{2}")
SENTENCE = re.compile(r"[^\W\d_]{2}\S*\s+[^\W\d_]")
# Names are the same in every language, and a language is offered under its own name.
NAMES = re.compile(r"Emperors of the Dynasty|English|Español|UTC|JSON")
CLASSES = re.compile(r"""\bclass=("[^"]*"|'[^']*')""")
SPOKEN_ATTRIBUTES = {
    "alt",
    "aria-description",
    "aria-label",
    "aria-placeholder",
    "aria-roledescription",
    "aria-valuetext",
    "label",
    "placeholder",
    "title",
}
SPOKEN_META = {
    "application-name",
    "description",
    "og:description",
    "og:image:alt",
    "og:site_name",
    "og:title",
}
SILENT_ELEMENTS = {"script", "style"}
# Stands for a tag or a variable: no letter, and good anywhere in HTML.
GAP = "0"

LABELS = {
    "description",
    "empty_label",
    "help_text",
    "label",
    "short_description",
    "verbose_name",
    "verbose_name_plural",
}


class Page(HTMLParser):
    """Collects what a reader sees or hears of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.spoken: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in SILENT_ELEMENTS
        values = dict(attrs)
        self.spoken += [text for name, text in attrs if text and is_spoken(name, text)]
        if tag == "meta" and (values.get("name") or values.get("property")) in SPOKEN_META:
            self.spoken.append(values.get("content") or "")
        if tag == "input" and values.get("type") in {"submit", "button", "reset"}:
            self.spoken.append(values.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in SILENT_ELEMENTS

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.spoken.append(data)


def is_spoken(name: str, text: str) -> bool:
    """Whether an attribute is shown or read out; scripts find their sentences in data-*."""
    return name in SPOKEN_ATTRIBUTES or (name.startswith("data-") and bool(SENTENCE.search(text)))


def live_tokens(source: str) -> Iterator[Token]:
    """The template without remarks and without what stands inside translated blocks."""
    end = None
    for token in Lexer(source).tokenize():
        tag = token.contents.split()[0] if token.token_type is TokenType.BLOCK else ""
        if tag == end:
            end = None
        elif end is None and tag in {"comment", "blocktranslate", "blocktrans"}:
            end = f"end{tag}"
        elif end is None and token.token_type is not TokenType.COMMENT:
            yield token


def bare_text(source: str) -> str:
    """The template with a gap for each tag and variable, also where one makes up an element."""
    tokens = live_tokens(source)
    text = "".join(t.contents if t.token_type is TokenType.TEXT else GAP for t in tokens)
    return re.sub(rf"(</?){GAP}", r"\1element", text)


def bare_arguments(source: str) -> Iterator[str]:
    """Each sentence that is handed to a tag or a filter as it stands."""
    for token in live_tokens(source):
        if token.token_type is not TokenType.TEXT and not token.contents.startswith("trans"):
            rest = CONSTANT.sub("", CLASSES.sub("", token.contents))
            yield from (text for text in LITERAL.findall(rest) if SENTENCE.search(text))


def bare_words(source: str, *, html: bool = True) -> list[str]:
    """Each piece of text that a reader would meet in the source's language, whatever his own."""
    page = Page()
    if html:
        page.feed(bare_text(source))
        page.close()
    else:
        page.handle_data(bare_text(source))
    spoken = [*page.spoken, *bare_arguments(source)]
    return [" ".join(text.split()) for text in spoken if WORD.search(NAMES.sub("", text))]


def bare_labels(source: str) -> Iterator[str]:
    """Each literal that a form, a model, the admin or a message would show as it stands."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case (
                ast.keyword(arg=name, value=ast.Constant(value=str(text)))
                | ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text)))
                | ast.Assign(
                    targets=[ast.Attribute(attr=name)], value=ast.Constant(value=str(text))
                )
            ) if name in LABELS:
                yield text
            case (
                ast.Call(
                    func=ast.Attribute(value=ast.Name(id="messages"))
                    | ast.Attribute(attr="add_error"),
                    args=[_, ast.Constant(value=str(text)), *_],
                )
                | ast.Call(
                    func=ast.Name(id="ValidationError") | ast.Attribute(attr="ValidationError"),
                    args=[ast.Constant(value=str(text)), *_],
                )
            ):
                yield text


# --- The site ---------------------------------------------------------------------


def test_every_word_of_the_templates_is_translated() -> None:
    templates = [path for path in source_files(BASE_DIR) if path.suffix != ".py"]
    found = {
        str(path.relative_to(BASE_DIR)): bare_words(path.read_text(), html=path.suffix == ".html")
        for path in templates
    }
    assert {name: words for name, words in found.items() if words} == {}


def test_every_label_in_the_code_is_translated() -> None:
    modules = [path for path in source_files(BASE_DIR) if path.suffix == ".py"]
    found = {str(path.relative_to(BASE_DIR)): [*bare_labels(path.read_text())] for path in modules}
    assert {name: labels for name, labels in found.items() if labels} == {}


# --- The hunter itself ------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("<p>Hail</p>", ["Hail"]),
        ("<p>{% translate 'Hail' %}, my lord</p>", ["0, my lord"]),
        ("{% if a %}Yes{% else %}{{ no }}{% endif %}", ["0Yes000"]),
        ("<p title='Hail'></p>", ["Hail"]),
        ("<img src=crown.svg alt=Crown>", ["Crown"]),
        ("<nav aria-label='Main'></nav>", ["Main"]),
        ("<input type=submit value=Go>", ["Go"]),
        ("<meta name=description content='A world'>", ["A world"]),
        ("<meta property=og:title content='A world'>", ["A world"]),
        ("<svg><title>Crown</title></svg>", ["Crown"]),
        ("{% comment %}x{% endcomment %}after", ["after"]),
        ("{% blocktranslate %}x{% endblocktranslate %}after", ["after"]),
        ("&eacute;l", ["él"]),
        ("<p data-lost='The line is dead'></p>", ["The line is dead"]),
        ("{% include 'a.html' with text='Hail to you' class='a b' %}", ["'Hail to you'"]),
        ('{{ name|default:"no name" }}', ['"no name"']),
    ],
)
def test_bare_words_are_found(source: str, words: list[str]) -> None:
    assert bare_words(source) == words


@pytest.mark.parametrize(
    "source",
    [
        "<p class='hail' id='hail' data-hail='hail'>{{ hail }}: 100 % · &times; &mdash;</p>",
        "<input type=hidden value=hail name=hail {% if a %}checked{% endif %}>",
        "<a href={% url 'home' %} class=hail>{% translate 'hail' %}</a>",
        "<meta name=viewport content='width=device-width'>",
        "<script>hail()</script><style>hail {}</style><!-- hail -->",
        "{# hail #}{% comment %}hail {{ x }} {% if hail %}{% endcomment %}",
        "{% include 'a.html' with class='hail hail' %}{{ name|default:_('no name') }}",
        "{% translate 'hail you' context 'a salute' %}{% now 'j F Y' %}<text>a</text>",
        "<{% if a %}a href=hail{% else %}button{% endif %} class=hail></{{ tag }}>",
        "{% blocktranslate count n=n %}hail{% plural %}hails {{ n }}{% endblocktranslate %}",
        "<h1>Emperors of the Dynasty</h1><option lang=es>Español</option>",
    ],
)
def test_what_nobody_reads_is_left_alone(source: str) -> None:
    assert bare_words(source) == []


def test_a_letter_of_plain_text_is_no_page() -> None:
    assert bare_words("Hail {{ who }} <b>", html=False) == ["Hail 0 <b>"]


@pytest.mark.parametrize(
    "source",
    [
        "Field(label='Hail')",
        "class Meta:\n    verbose_name = 'Hail'",
        "action.short_description = 'Hail'",
        "messages.success(request, 'Hail')",
        "raise ValidationError('Hail', code='hail')",
        "raise forms.ValidationError('Hail')",
        "form.add_error('name', 'Hail')",
    ],
)
def test_bare_labels_are_found(source: str) -> None:
    assert list(bare_labels(source)) == ["Hail"]
    assert list(bare_labels(source.replace("'Hail'", "_('Hail')"))) == []
