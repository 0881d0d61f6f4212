"""What is found in sources to translate: all of it, and as Django will look it up."""

from unittest import mock

import pytest
from django.template import Context, Engine

from config.translations import Found, python_messages, template_messages

# --- Python -----------------------------------------------------------------------

PYTHON = """
_("plain")
_("joined " "from parts")
_("it's \\"quoted\\"")
gettext_lazy(
    "over lines",
)
gettext_noop("noted")
self.translation.gettext("as an attribute")
ngettext("%(n)d coin", "%(n)d coins", n)
ngettext_lazy("{n} crown", "{n} crowns", "n")
pgettext("verb", "order")
npgettext_lazy("chess", "%d king", "%d kings", n)
# _("in a comment")
"_('in a string')"
_(variable)
other("not ours")
def gettext(message="a default"): ...
"""


def test_python_messages_are_found_in_every_shape_django_offers() -> None:
    assert list(python_messages(PYTHON.encode())) == [
        Found("plain"),
        Found("joined from parts"),
        Found('it\'s "quoted"'),
        Found("over lines"),
        Found("noted"),
        Found("as an attribute"),
        Found(("%(n)d coin", "%(n)d coins")),
        Found(("{n} crown", "{n} crowns")),
        Found("order", "verb"),
        Found(("%d king", "%d kings"), "chess"),
    ]


# --- Templates --------------------------------------------------------------------

TEMPLATES = [
    ('{% translate "plain" %}', Found("plain")),
    ("{% trans 'the old name' %}", Found("the old name")),
    ('{% translate "kept" as name %}{{ name }}', Found("kept")),
    ('{% translate "shouted"|upper %}', Found("shouted")),
    ('{% translate "order" context "a command" %}', Found("order", "a command")),
    ('{% translate "order" context "a noun" as x %}{{ x }}', Found("order", "a noun")),
    ('{% translate "it\'s" %}', Found("it's")),
    ("{% translate 'say \"aye\"' %}", Found('say "aye"')),
    (r'{% translate "say \"aye\" twice" %}', Found('say "aye" twice')),
    ('{% translate "half | whole %} of it" %}', None),
    ('{% translate "100% sure" %}', Found("100%% sure")),
    ('{% translate "ñandú — “é”" %}', Found("ñandú — “é”")),
    ("{% blocktranslate %}plain block{% endblocktranslate %}", Found("plain block")),
    ("{% blocktrans %}old block{% endblocktrans %}", Found("old block")),
    ("{% blocktranslate %} a\n b {% endblocktranslate %}", Found(" a\n b ")),
    ("{% blocktranslate trimmed %}\n  a\n  b\n{% endblocktranslate %}", Found("a b")),
    (
        "{% blocktranslate with who=user.name %}Hail {{ who }}, 50% off{% endblocktranslate %}",
        Found("Hail %(who)s, 50%% off"),
    ),
    (
        "{% blocktrans count n=n trimmed %} a\n b {% plural %}\n {{ n }} c\n{% endblocktrans %}",
        Found(("a b", "%(n)s c")),
    ),
    (
        '{% blocktrans count n=n context "x" asvar v %}1{% plural %}{{ n }}{% endblocktrans %}',
        Found(("1", "%(n)s"), "x"),
    ),
    ('{% if a == _("in a tag") %}{% endif %}', Found("in a tag")),
    ("{% firstof nothing _('with single quotes') %}", Found("with single quotes")),
    ('{{ _("as a variable") }}', Found("as a variable")),
    ('{{ _("100%") }}', Found("100%%")),
    ('{{ nothing|default:_("in a | filter") }}', Found("in a | filter")),
    ('{{ _("twice")|default:nothing }}{% translate "twice" %}', Found("twice")),
    ('{# {% translate "a remark" %} #}', None),
    ('{% comment %}{% translate "a long remark" %}{{ _("too") }}{% endcomment %}', None),
    ('{% comment "why" %}{% blocktranslate %}x{% endblocktranslate %}{% endcomment %}', None),
    ('{% verbatim %}{% translate "as it stands" %}{% endverbatim %}', None),
    ("{% translate variable %}", None),
    ('<p title="_(x)">no message</p>', None),
]


@pytest.mark.parametrize(("source", "expected"), TEMPLATES, ids=[s for s, _ in TEMPLATES])
def test_template_messages_are_found_in_every_shape(source: str, expected: Found | None) -> None:
    assert set(template_messages(source)) == ({expected} if expected else set())


class Listener:
    """Stands in for the catalog and writes down what the template engine asks it for."""

    def __init__(self) -> None:
        self.asked: set[Found] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(Found(str(message)))
        return message

    def pgettext(self, context: str, message: str) -> str:
        self.asked.add(Found(str(message), context))
        return message

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        self.asked.add(Found((singular, plural)))
        return plural

    def npgettext(self, context: str, singular: str, plural: str, number: int) -> str:
        self.asked.add(Found((singular, plural), context))
        return plural


@pytest.mark.parametrize("source", [s for s, found in TEMPLATES if found])
def test_what_is_found_is_what_the_template_engine_asks_for(source: str) -> None:
    listener = Listener()
    engine = Engine(libraries={"i18n": "django.templatetags.i18n"})
    context = Context({"n": 2, "nothing": "", "user": {"name": "Ada"}})
    names = ("gettext", "pgettext", "ngettext", "npgettext")
    with mock.patch.multiple(
        "django.utils.translation._trans", **{name: getattr(listener, name) for name in names}
    ):
        engine.from_string("{% load i18n %}" + source).render(context)
    assert listener.asked == set(template_messages(source))


def test_a_context_that_no_catalog_can_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="Not a string literal"):
        list(template_messages('{% translate "order" context kind %}'))
