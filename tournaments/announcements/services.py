"""What announces tournaments. What is announced never changes afterwards."""

from datetime import datetime, timedelta

import structlog
from django.db import OperationalError, transaction
from django.utils.translation import gettext_lazy as _

from dynasties.clock import database_now
from dynasties.houses.models import Dynasty
from dynasties.market.standing import hold_standing
from dynasties.relations.people import Person
from dynasties.relations.selectors import blockers_of
from dynasties.treasury.models import Kind
from dynasties.treasury.services import Move, NotEnough, crown, open_escrow, post
from tournaments import arena
from tournaments.announcements.models import Invitation, Template, Terms, Tournament
from tournaments.announcements.news import tell_change
from tournaments.announcements.terms import check_terms, read_options
from tournaments.errors import CrownOnly, Poor, TooManyOpen, UnfitTerms
from tournaments.reasons import PRIZE

log = structlog.get_logger(__name__)

# Enough for any host; without a limit one dynasty could bury the list.
MOST_OPEN = 10
LONGEST_AHEAD = timedelta(days=60)
TERMS = tuple(field.name for field in Terms._meta.get_fields())


@transaction.atomic
def announce(
    *,
    terms: Terms,
    host: Dynasty | None,
    opens_at: datetime | None = None,
    starts_at: datetime | None = None,
    invited: tuple[Dynasty, ...] = (),
    bots: str = "",
    request_key: str = "",
) -> Tournament:
    """Announce a tournament, for the crown if it has no host.

    The same request key again finds what was announced. Raises UnfitTerms for terms that
    can't be, CrownOnly, TooManyOpen, and Poor if the crown can't pay the prize.
    """
    if host is not None:
        (host,) = hold_standing(host)
    made = Tournament.objects.filter(request_key=request_key).first() if request_key else None
    if made is not None:
        return made
    now = database_now()
    options = read_options(terms)
    seats = arena.seats_under(terms.game, options)
    check_terms(terms, seats)
    _check_host(terms, host)
    _check_bots(terms, bots)
    _check_times(now, opens_at, starts_at)
    tournament = _write(
        Tournament(
            **{name: getattr(terms, name) for name in TERMS if name != "options"},
            options=options,
            host=host,
            ground=_ground(options),
            seat_names=list(seats),
            game_version=arena.version_of(terms.game),
            seed=arena.draw_seed(),
            bots=bots,
            announced_at=now,
            opens_at=opens_at or now,
            starts_at=starts_at,
            request_key=request_key,
        ),
        now,
    )
    invite(tournament=tournament, dynasties=invited)
    return tournament


def invite(*, tournament: Tournament, dynasties: tuple[Dynasty, ...]) -> None:
    """Let these dynasties enter; who is invited already stays so.

    Who has blocked the host is left out, and the host is not told.
    """
    host = tournament.host_id
    unwilling = blockers_of(Person(host)).dynasties if host else frozenset()
    Invitation.objects.bulk_create(
        (
            Invitation(tournament=tournament, dynasty=dynasty)
            for dynasty in dynasties
            if dynasty.pk not in unwilling
        ),
        ignore_conflicts=True,
    )


@transaction.atomic
def open_due() -> int:
    """Open the tournaments whose time for entries has come; return how many."""
    due = Tournament.objects.select_for_update(skip_locked=True).filter(
        state=Tournament.State.ANNOUNCED, opens_at__lte=database_now()
    )
    opened = list(due[:500])
    for tournament in opened:
        tournament.state = Tournament.State.OPEN
        tournament.version += 1
        tournament.save(update_fields=["state", "version"])
        tell_change(tournament)
    return len(opened)


@transaction.atomic
def announce_from_templates() -> int:
    """Announce what the templates have due, once each; return how many.

    A template that was due several times over a downtime announces one, not a crowd.
    """
    now = database_now()
    due = Template.objects.select_for_update(skip_locked=True, of=("self",)).filter(
        is_active=True, next_at__lte=now
    )
    templates = list(due.select_related("battlefield", "fee_kind", "key").order_by("pk")[:100])
    return sum(_announce_again(template, now) for template in templates)


def _announce_again(template: Template, now: datetime) -> int:
    occasion = f"template {template.pk} {template.next_at.isoformat()}"
    step = timedelta(minutes=template.every_minutes)
    # The next occasion that is still to come: those that were missed are not made up for.
    template.next_at += step * ((now - template.next_at) // step + 1)
    template.save(update_fields=["next_at"])
    try:
        with transaction.atomic():
            announce(
                terms=template,
                host=None,
                starts_at=now + timedelta(minutes=template.entries_minutes),
                request_key=occasion,
            )
    except OperationalError:  # the database's trouble, not the template's
        raise
    except Exception as broken:  # it rests until somebody has looked into it, and others go on
        log.warning("template_rests", template=template.pk, error=type(broken).__name__)
        template.is_active = False
        template.save(update_fields=["is_active"])
        return 0
    return 1


def _check_host(terms: Terms, host: Dynasty | None) -> None:
    if host is None:
        return
    if terms.type == Terms.Type.GIFT:
        raise CrownOnly
    if terms.reputation_a_capture or terms.reputation_a_treasure:
        # It comes from nowhere: two friends could make each other champions.
        raise UnfitTerms(
            "reputation_a_capture",
            _("Only the crown gives reputation for what happens in a battle."),
        )
    if Tournament.objects.filter(host=host, state__in=Tournament.BEFORE).count() >= MOST_OPEN:
        raise TooManyOpen


def _check_bots(terms: Terms, bots: str) -> None:
    if bots and (not terms.is_training or bots not in arena.BOTS):
        raise UnfitTerms("bots", _("Bots take seats in training only."))


def _check_times(now: datetime, opens_at: datetime | None, starts_at: datetime | None) -> None:
    opens, latest = opens_at or now, now + LONGEST_AHEAD
    if opens > latest:
        raise UnfitTerms("opens_at", _("That is too far ahead: 60 days at most."))
    if starts_at is not None and not (max(opens, now) < starts_at <= latest):
        raise UnfitTerms("starts_at", _("It starts after it opens, within 60 days."))


def _ground(options: dict[str, arena.Json]) -> str:
    text = options.get("battlefield")
    return arena.read_battlefield(text).name[:80] if isinstance(text, str) else ""


def _write(tournament: Tournament, now: datetime) -> Tournament:
    if tournament.opens_at <= now:
        tournament.state = Tournament.State.OPEN
    tournament.save(force_insert=True)
    if tournament.prize_wealth:
        _lay_out_prize(tournament)
    tell_change(tournament)
    return tournament


def _lay_out_prize(tournament: Tournament) -> None:
    """What the crown promises leaves its account now: it is there when somebody has won it."""
    kinds = Kind.objects.filter(code__in=tournament.prize_wealth)
    escrow = open_escrow(purpose=tournament.place)
    moves = [
        move
        for kind in kinds
        for move in (
            Move(crown(), kind, -tournament.prize_wealth[kind.code]),
            Move(escrow, kind, tournament.prize_wealth[kind.code]),
        )
    ]
    try:
        post(key=f"{tournament.place} prize", reason=PRIZE, moves=moves)
    except NotEnough as lacking:
        raise Poor(short=lacking.short, kind=lacking.kind.name) from None
