"""The public chronicle as an Atom feed."""

import hashlib
from datetime import UTC, datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import http_date, quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dynasties.chronicle.forms import FilterForm
from dynasties.chronicle.kinds import all_tellings
from dynasties.chronicle.models import Entry
from dynasties.chronicle.rendering import Line, tell
from dynasties.chronicle.selectors import Place, read

ENTRIES = 50
# From when on these names are ours, as the scheme `tag:` asks; part of every id for ever.
OURS_SINCE = "2026"
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


@require_safe
def feed(request: HttpRequest) -> HttpResponseBase:
    """The newest public entries, filtered as the page is, in the language that `lang` names."""
    language = request.GET.get("lang")
    if language not in dict(settings.LANGUAGES):
        return _answer(request)
    with translation.override(language):
        return _answer(request)


def _answer(request: HttpRequest) -> HttpResponseBase:
    form = FilterForm(request.GET, tellings=all_tellings(private=False))
    if not form.is_valid() or form.choices:
        raise Http404
    entries = read(form.wanted, limit=ENTRIES).entries
    newest = entries[0].at if entries else LONG_AGO
    content = _atom(form, list(entries), newest)
    etag = quote_etag(hashlib.sha256(content).hexdigest()[:32])
    answer = HttpResponse(content, content_type="application/atom+xml; charset=utf-8")
    answer["ETag"], answer["Last-Modified"] = etag, http_date(newest.timestamp())
    answer["Content-Language"] = translation.get_language()
    unchanged = get_conditional_response(request, etag, int(newest.timestamp()), answer)
    return unchanged or answer


def _atom(form: FilterForm, entries: list[Entry], newest: datetime) -> bytes:
    page, query = _whole(reverse("chronicle")), form.address()
    title = _("Chronicle of Emperors of the Dynasty")
    atom = _Atom(
        title=f"{title}: {form.name}" if form.name else title,
        link=f"{page}?{query}" if query else page,
        description=_("What happened in the world, newest first: who came, who fought, who fell."),
        language=translation.get_language(),
        author_name=_("Emperors of the Dynasty"),
        feed_url=_whole(reverse("chronicle_feed")) + f"?{form.address(lang=_language())}",
        feed_guid=_tag(f"chronicle?{query}" if query else "chronicle"),
    )
    atom.newest = newest
    for line in tell(entries, origin=settings.SITE_ORIGIN):
        _add(atom, line)
    return atom.writeString("utf-8").encode()


class _Atom(Atom1Feed):
    """Atom that is as new as its newest entry, not as the moment at which it was asked for."""

    newest: datetime

    def latest_post_date(self) -> datetime:
        return self.newest


def _add(atom: Atom1Feed, line: Line) -> None:
    """An entry has no page of its own: its link opens the chronicle with it at the top."""
    place = Place(line.at, line.number)
    atom.add_item(
        title=line.text,
        link=f"{_whole(reverse('chronicle'))}?from={place}#entry-{line.code}",
        description=line.html,
        unique_id=_tag(f"chronicle/{line.code}"),
        pubdate=line.at,
        updateddate=line.at,
        categories=[line.kind],
    )


def _tag(name: str) -> str:
    """An id that stays the same whatever becomes of addresses (RFC 4151)."""
    return f"tag:{urlsplit(settings.SITE_ORIGIN).hostname},{OURS_SINCE}:{name}"


def _whole(path: str) -> str:
    return f"{settings.SITE_ORIGIN}{path}"


def _language() -> str:
    return translation.get_language() or settings.LANGUAGE_CODE
