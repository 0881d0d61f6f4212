"""Tournaments in plain words: their terms, how they ended, and what the board has to say."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from dynasties.charter.selectors import charter
from dynasties.treasury.models import Kind
from tournaments.announcements.models import Terms, Tournament

Text = str | Promise

TYPES: Mapping[str, Text] = {
    "training": _(
        "Nothing is won, nothing is lost, and when it is over nothing of it remains. Guests too."
    ),
    "gift": _("The crown gives the winner a prize; nobody loses anything."),
    "honour": _("Everybody stakes reputation, and the winners share all of it."),
    "conquer": _("An emperor who is held by a rival in the end leaves for his dynasty."),
    "death": _("An emperor who is taken dies for ever, and his reputation goes to his taker."),
}

ENDINGS: Mapping[str, Text] = {
    "opposite-square": _("An emperor reached his target."),
    "last-emperor": _("Only one seat had an emperor left."),
    "survive": _("The turns to be survived were over."),
    "take-superior": _("An emperor was taken who was greater than the taker's own."),
    "emperor-strike": _("An emperor took the one opposite."),
    "treasure": _("The treasure was found."),
    "turn-limit": _("The last turn was over, and strength decided."),
    "nobody-left": _("Nobody was left."),
    "agreed": _("They agreed on a draw."),
    "all-absent": _("Nobody was there any more."),
    "cancelled": _("It was cancelled before anything was decided."),
}


class Fact(NamedTuple):
    """One of the terms: what it is about, and what was announced."""

    label: str
    text: str


def ending_words(ending: str) -> str:
    """Why a tournament ended; the game's own code if nobody has found words for it."""
    return str(ENDINGS.get(ending, ending))


def seconds_in_words(seconds: int) -> str:
    """How long a turn takes."""
    if seconds % 86_400 == 0:
        return ngettext("%(n)d day", "%(n)d days", seconds // 86_400) % {"n": seconds // 86_400}
    if seconds % 3600 == 0:
        return ngettext("%(n)d hour", "%(n)d hours", seconds // 3600) % {"n": seconds // 3600}
    if seconds % 60 == 0:
        return ngettext("%(n)d minute", "%(n)d minutes", seconds // 60) % {"n": seconds // 60}
    return ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds}


# --- Terms --------------------------------------------------------------------------------


def facts_of(tournament: Tournament) -> list[Fact]:
    """Everything that was announced, but for the game's own rules."""
    return [
        *_what_is_at_stake(tournament),
        *_who_may_enter(tournament),
        *_how_it_is_played(tournament),
    ]


def _what_is_at_stake(tournament: Tournament) -> Iterator[Fact]:
    if tournament.stake:
        points = ngettext(
            "%(n)d point of reputation", "%(n)d points of reputation", tournament.stake
        )
        yield Fact(gettext("Stake of everybody"), points % {"n": tournament.stake})
    if tournament.prize_reputation or tournament.prize_wealth:
        yield Fact(gettext("Prize from the crown"), _prize(tournament))
    if tournament.fee and tournament.fee_kind:
        fee = gettext("%(n)d × %(kind)s, shared by the winners")
        yield Fact(
            gettext("Entry fee"), fee % {"n": tournament.fee, "kind": tournament.fee_kind.name}
        )
    if tournament.reputation_a_capture:
        yield Fact(gettext("For taking an emperor"), _points(tournament.reputation_a_capture))
    if tournament.reputation_a_treasure:
        yield Fact(gettext("For finding a treasure"), _points(tournament.reputation_a_treasure))
    if tournament.chests:
        yield Fact(gettext("Secret chests"), chest_words())
    if tournament.is_serious and (tournament.fee or tournament.chests or tournament.prize_wealth):
        public = gettext("the chronicle tells what each dynasty brings home")
        private = gettext("what each dynasty brings home is its own secret")
        yield Fact(gettext("Wealth"), public if tournament.wealth_is_public else private)


def chest_words() -> str:
    """What chests are about."""
    numbers = charter()
    words = gettext(
        "Everybody puts %(least)d to %(most)d copper coins into a chest, and nobody else knows "
        "how many. A captured chest belongs to its captor. Of the captured ones the fullest brings "
        "its owner %(points)d points of reputation, the emptiest costs as many."
    )
    values = {
        "least": numbers.chest_least,
        "most": numbers.chest_most,
        "points": numbers.generosity,
    }
    return words % values


def _points(number: int) -> str:
    points = ngettext("%(n)d point of reputation", "%(n)d points of reputation", number)
    return points % {"n": number}


def _prize(tournament: Tournament) -> str:
    names = dict(Kind.objects.filter(code__in=tournament.prize_wealth).values_list("code", "pk"))
    kinds = Kind.objects.in_bulk(names.values())
    parts = [_points(tournament.prize_reputation)] if tournament.prize_reputation else []
    parts += [f"{tournament.prize_wealth[kind.code]} × {kind.name}" for kind in kinds.values()]
    return ", ".join(parts)


def _who_may_enter(tournament: Tournament) -> Iterator[Fact]:
    yield Fact(gettext("Open to"), str(Terms.Access(tournament.access).label))
    limits = _limits(tournament)
    if limits:
        yield Fact(gettext("Reputation"), limits)
    if tournament.key:
        words = gettext("%(key)s (needed, not used up)")
        yield Fact(gettext("Key"), words % {"key": tournament.key.name})


def _limits(tournament: Tournament) -> str:
    least, most = tournament.reputation_least, tournament.reputation_most
    if least is not None and most is not None:
        return gettext("from %(least)d to %(most)d") % {"least": least, "most": most}
    if least is not None:
        return gettext("at least %(least)d") % {"least": least}
    return gettext("at most %(most)d") % {"most": most} if most is not None else ""


def _how_it_is_played(tournament: Tournament) -> Iterator[Fact]:
    pace = {
        Terms.Pace.LIVE: gettext("live, %(time)s a turn at most"),
        Terms.Pace.SLOW: gettext("slow, %(time)s a turn at most"),
    }[Terms.Pace(tournament.pace)]
    yield Fact(gettext("Pace"), pace % {"time": seconds_in_words(tournament.turn_seconds)})
    seats = gettext("%(most)d, and %(least)d are enough at its time")
    all_of_them = gettext("%(most)d, all of which must be taken")
    few = tournament.starts_at is not None and tournament.seats_least < len(tournament.seat_names)
    values = {"most": len(tournament.seat_names), "least": tournament.seats_least}
    yield Fact(gettext("Seats"), (seats if few else all_of_them) % values)
    if tournament.bots:
        yield Fact(gettext("Free seats"), gettext("taken by bots when it begins"))
    ready = gettext("everybody sees how many have ordered, never who")
    hidden = gettext("nobody sees how many have ordered")
    yield Fact(gettext("Readiness"), ready if tournament.shows_ready else hidden)


# --- What the board says --------------------------------------------------------------------


def board_words() -> dict[str, Any]:
    """The words of the board; scripts have none of their own. `{…}` is filled in there."""
    return {
        "board": gettext("The battlefield. Arrow keys move, Enter chooses, Escape lets go."),
        "holds": gettext("{tile}: {things}"),
        "kinds": {
            "emperor": gettext("emperor {id} of {seat}, xp {badge}"),
            "pawn": gettext("pawn {id} of {seat}, xp {badge}"),
            "treasure": gettext("treasure"),
            "chest": gettext("chest of {seat}"),
            "target": gettext("target of {seat}"),
        },
        "nobody": gettext("nobody"),
        "mine": gettext("can be ordered"),
        "reach": gettext("can be reached"),
        "picked": gettext("{piece} is chosen. Choose its tile."),
        "dropped": gettext("Nothing is chosen."),
        "aim": gettext("Your order: {piece} to {tile}."),
        "labels": {
            "hold": gettext("Hold"),
            "resign": gettext("Resign"),
        },
        "ordered": {
            "hold": gettext("Your order: hold."),
            "resign": gettext("Your order: resign."),
        },
        "ask": gettext("Choose one of your pieces, then a tile. Or hold."),
        "wait": gettext("Nobody waits for an order of yours in this turn."),
        "watch": gettext("You are watching."),
        "sent": gettext("Your order is on its way…"),
        "sealed": gettext("Sealed. You may replace or withdraw it until the turn closes."),
        "withdrawn": gettext("Your order is withdrawn."),
        "offered": gettext("You offer a draw in this turn."),
        "turn": gettext("Turn {turn}"),
        "closed": gettext("Turn {turn} is over."),
        "ready": gettext("{count} of {of} have ordered"),
        "readyHidden": gettext("how many have ordered is not shown"),
        "watchers": {
            "one": gettext("1 onlooker"),
            "other": gettext("{count} onlookers"),
        },
        "left": gettext("{time} left"),
        "overdue": gettext("The turn is being closed…"),
        "you": gettext("you"),
        "bot": gettext("bot"),
        "here": gettext("here"),
        "away": gettext("away"),
        "out": gettext("out"),
        "drawOffer": gettext("offers a draw"),
        "missed": {
            "one": gettext("missed 1 turn"),
            "other": gettext("missed {count} turns"),
        },
        "won": gettext("{who} won."),
        "shared": gettext("{who} share the victory."),
        "drawn": gettext("It is a draw."),
        "adjourned": gettext("Adjourned: the crown looks into it. Nothing is lost."),
        "endings": {code: str(words) for code, words in ENDINGS.items()},
        "connecting": gettext("Connecting…"),
        "lost": gettext("Connection lost. Reconnecting…"),
        "failed": gettext("That did not reach the site. Try it again."),
        "connected": gettext("Connected"),
        "begins": gettext("It begins in {time}."),
        "beginsNow": gettext("It begins…"),
        "quiet": gettext("Nothing stirred."),
        "more": gettext("See how it ended"),
    }
