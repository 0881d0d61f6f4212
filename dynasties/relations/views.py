from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from dynasties.houses.selectors import dynasty_of
from dynasties.relations.errors import TooManyBlocks, Unblockable
from dynasties.relations.forms import BlockForm
from dynasties.relations.people import Person
from dynasties.relations.selectors import listed_blocks
from dynasties.relations.services import block, unblock

# More digits than any number of a row has.
LONGEST_NUMBER = 18


def person_behind(request: HttpRequest) -> Person:
    """Who asks, as this room knows people; nobody for a passer-by."""
    dynasty = dynasty_of(request.user)
    guest: Any = getattr(request, "guest", None)
    return Person(
        dynasty=dynasty.pk if dynasty and dynasty.opened_at else None,
        guest=guest.pk if guest else None,
    )


@never_cache
def blocks(request: HttpRequest) -> HttpResponse:
    """Whom the reader has blocked, where he blocks a dynasty by its name."""
    person = person_behind(request)
    if person.is_nobody and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    form = BlockForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and _blocked(request, person, form):
        return redirect("blocks")
    context = {"form": form, "blocks": listed_blocks(person)}
    return render(request, "relations/blocks.html", context)


@never_cache
def unblock_somebody(request: HttpRequest) -> HttpResponse:
    """Takes somebody off the list."""
    person = person_behind(request)
    if person.is_nobody and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    number = request.POST.get("number", "")
    if number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER:
        unblock(by=person, number=int(number))
        messages.success(request, _("The block is lifted."))
    return redirect("blocks")


def _blocked(request: HttpRequest, person: Person, form: BlockForm) -> bool:
    """Whether it was done; if not, the form says why."""
    dynasty = form.cleaned_data["name"]
    try:
        block(by=person, whom=Person(dynasty=dynasty.pk))
    except (Unblockable, TooManyBlocks) as refusal:
        form.add_error("name", str(refusal))
        return False
    messages.success(request, _("%(name)s is blocked.") % {"name": dynasty.name})
    return True
