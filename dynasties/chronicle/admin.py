import re
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from dynasties.chronicle.kinds import all_tellings
from dynasties.chronicle.models import Entry, Mention
from dynasties.chronicle.rendering import tell
from dynasties.houses.models import Dynasty
from dynasties.houses.names import searchable
from dynasties.records import ReadOnlyAdmin

ENTRIES_A_PAGE = 50
NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)
SUBJECT = re.compile(r"([a-z-]+)[ -]([0-9]{1,18})", re.ASCII)
MOST_DYNASTIES = 100
# What the filters below ask for in an address.
FILTERS = frozenset({"kind", "eyes", "at__gte", "at__lt", "at__isnull"})


class KindFilter(admin.SimpleListFilter):
    """By kind, from the kinds that are registered: no walk through the table for them."""

    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(each.kind, each.title) for each in all_tellings()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Entry]) -> QuerySet[Entry]:
        is_known = self.value() in dict(self.lookup_choices)
        return queryset.filter(kind=self.value()) if is_known else queryset


class EyesFilter(admin.SimpleListFilter):
    title = _("readers")
    parameter_name = "eyes"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("public", _("everybody")), ("private", _("one dynasty alone"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Entry]) -> QuerySet[Entry]:
        if self.value() not in {"public", "private"}:
            return queryset
        return queryset.filter(owner__isnull=self.value() == "public")


class TimeFilter(admin.DateFieldListFilter):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = _("time")


class Annals(ChangeList):
    """A page of entries, told together: as many queries for fifty as for one."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        lines = tell(entry for entry in self.result_list if entry.owner_id is None)
        sentences = {line.number: line.text for line in lines}
        for entry in self.result_list:
            entry.told = sentences.get(entry.pk)


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    """To look at. Of a private entry staff see that there is one, not what it says."""

    list_display = ("id", "at", "kind", "is_public", "sentence")
    list_filter = (KindFilter, EyesFilter, ("at", TimeFilter))
    list_per_page = ENTRIES_A_PAGE
    # Neither the whole table nor each filter is counted: it has millions of rows.
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    search_fields = ("kind",)
    search_help_text = _("A kind, the name of a dynasty, “dynasty 7”, or the number of an entry.")
    fields = ("id", "at", "kind", "is_public", "sentence", "about")
    readonly_fields = fields
    ordering = ("-at", "-pk")

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return Annals

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Only what the filters ask: any other question could be about what an entry hides."""
        return lookup in FILTERS

    @admin.display(boolean=True, description=_("public"))
    def is_public(self, entry: Entry) -> bool:
        return entry.owner_id is None

    @admin.display(description=_("what it says"))
    def sentence(self, entry: Entry) -> str:
        if entry.owner_id:
            return gettext("for its owner's eyes")
        told: str | None = getattr(entry, "told", None)
        return told or tell([entry])[0].html

    @admin.display(description=_("about"))
    def about(self, entry: Entry) -> str:
        if entry.owner_id:
            return gettext("for its owner's eyes")
        return ", ".join(str(each) for each in entry.mentions.all())

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Entry], search_term: str
    ) -> tuple[QuerySet[Entry], bool]:
        """One of the ways that the help names, each by an index."""
        return (_find(queryset, search_term.strip()) if search_term.strip() else queryset), False


def _find(entries: QuerySet[Entry], text: str) -> QuerySet[Entry]:
    if NUMBER.fullmatch(text):
        return entries.filter(pk=int(text))
    kinds = [each.kind for each in all_tellings() if text.lower() in each.kind]
    if kinds:
        return entries.filter(kind__in=kinds)
    # What a private entry is about is for its owner to know.
    about = _mentions(text).filter(private_to=None)
    return entries.filter(pk__in=about.values("entry"))


def _mentions(text: str) -> QuerySet[Mention]:
    named = SUBJECT.fullmatch(text)
    if named:
        return Mention.objects.filter(subject=named[1], number=int(named[2]))
    key = searchable(text)
    houses = Dynasty.objects.public().filter(name_key__contains=key) if key else ()
    numbers = [house.pk for house in houses[:MOST_DYNASTIES]]
    return Mention.objects.filter(subject="dynasty", number__in=numbers)
