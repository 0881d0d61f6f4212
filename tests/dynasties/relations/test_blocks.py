"""A block of one person by another holds everywhere, and is known to nobody else."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from dynasties.accounts.export import export_account
from dynasties.accounts.models import Guest
from dynasties.houses.models import Dynasty
from dynasties.houses.services import let_dynasty_fall
from dynasties.market import errors as market
from dynasties.market.selectors import offers_to
from dynasties.market.services import make_offer
from dynasties.relations import services
from dynasties.relations.errors import TooManyBlocks, Unblockable
from dynasties.relations.models import Block
from dynasties.relations.people import People, Person
from dynasties.relations.selectors import blocked_by, blockers_of, has_blocked
from dynasties.treasury.selectors import kind
from tests.factories import DynastyFactory, GuestFactory, UserFactory
from tests.tournaments.lists import announced
from tournaments.announcements.models import Invitation
from tournaments.announcements.services import invite
from tournaments.seating.players import Player
from tournaments.seating.services import play_now

pytestmark = pytest.mark.django_db


def of(*people: Dynasty | Guest) -> list[Person]:
    return [
        Person(dynasty=each.pk) if isinstance(each, Dynasty) else Person(guest=each.pk)
        for each in people
    ]


# --- Blocking ----------------------------------------------------------------------------


@pytest.mark.parametrize("by", [DynastyFactory, GuestFactory])
@pytest.mark.parametrize("whom", [DynastyFactory, GuestFactory])
def test_whoever_plays_can_block_whoever_plays(by, whom) -> None:
    one, other = of(by(), whom())
    assert not has_blocked(by=one, whom=other)
    services.block(by=one, whom=other)
    services.block(by=one, whom=other)
    assert has_blocked(by=one, whom=other)
    assert not has_blocked(by=other, whom=one)
    assert other in blocked_by(one)
    assert one in blockers_of(other)
    assert Block.objects.count() == 1


def test_nobody_blocks_himself_or_nobody_or_the_fallen() -> None:
    house, guest = DynastyFactory(), GuestFactory()
    me, visitor, gone = *of(house, guest), Person(dynasty=DynastyFactory(fallen=True).pk)
    pairs = [(me, me), (visitor, visitor), (me, Person()), (Person(), me), (me, gone), (gone, me)]
    for by, whom in pairs:
        with pytest.raises(Unblockable):
            services.block(by=by, whom=whom)
    guest.became = house.ruler
    guest.save()
    with pytest.raises(Unblockable):
        services.block(by=me, whom=visitor)
    assert not Block.objects.exists()


def test_a_guest_who_founds_a_dynasty_keeps_his_blocks_and_stays_blocked() -> None:
    guest, enemy = GuestFactory(), DynastyFactory()
    me, other = of(guest, enemy)
    services.block(by=me, whom=other)
    services.block(by=other, whom=me)
    user = UserFactory()
    guest.became = user
    guest.save()
    ruler = Person(dynasty=user.dynasty.pk)
    assert has_blocked(by=ruler, whom=other)
    assert has_blocked(by=other, whom=ruler)
    assert ruler in blocked_by(other)
    assert ruler in blockers_of(other)


def test_the_list_of_blocks_has_an_end(monkeypatch) -> None:
    monkeypatch.setattr(services, "MOST_BLOCKS", 1)
    me, one, other = of(DynastyFactory(), DynastyFactory(), DynastyFactory())
    services.block(by=me, whom=one)
    with pytest.raises(TooManyBlocks):
        services.block(by=me, whom=other)


def test_the_database_refuses_a_block_by_or_of_two_or_of_oneself() -> None:
    house, guest = DynastyFactory(), GuestFactory()
    wrong: list[dict[str, object]] = [
        {"dynasty": house, "other_dynasty": house},
        {"guest": guest, "other_guest": guest},
        {"dynasty": house},
        {"dynasty": house, "guest": guest, "other_guest": guest},
        {"dynasty": house, "other_guest": guest, "other_dynasty": DynastyFactory()},
    ]
    for fields in wrong:
        with pytest.raises(IntegrityError), transaction.atomic():
            Block.objects.create(**fields)


def test_only_the_one_who_blocked_can_lift_it() -> None:
    me, other, third = of(DynastyFactory(), DynastyFactory(), DynastyFactory())
    services.block(by=me, whom=other)
    number = Block.objects.get().pk
    for somebody in (other, third, Person()):
        assert not services.unblock(by=somebody, number=number)
    assert services.unblock(by=me, number=number)
    assert not has_blocked(by=me, whom=other)


def test_a_dynasty_that_falls_leaves_no_block_behind(audit) -> None:
    falling, other, third = DynastyFactory(), DynastyFactory(), DynastyFactory()
    one, two, three = of(falling, other, third)
    services.block(by=one, whom=two)
    services.block(by=two, whom=one)
    services.block(by=two, whom=three)
    ruler = falling.ruler
    let_dynasty_fall(ruler=ruler)
    ruler.delete()
    assert Block.objects.count() == 1
    audit()


def test_nobody_is_in_an_empty_crowd() -> None:
    assert Person(dynasty=1) not in People()
    assert Person() not in People()


# --- It holds everywhere -------------------------------------------------------------------


def offer(maker: Dynasty, to: Dynasty | None, key: str = "k") -> None:
    wanted = {kind("copper"): 5}
    make_offer(dynasty=maker, gives={}, wants=wanted, to=to, lasts=timedelta(days=1), key=key)


def test_whoever_is_blocked_can_make_no_offer_to_the_one_who_blocked_him() -> None:
    blocker, blocked = DynastyFactory(), DynastyFactory()
    offer(blocked, blocker, "before")
    assert offers_to(blocker).count() == 1
    services.block(by=Person(blocker.pk), whom=Person(blocked.pk))
    assert not offers_to(blocker).exists()
    with pytest.raises(market.Unwelcome):
        offer(blocked, blocker)
    offer(blocked, None, "to all")
    offer(blocker, blocked, "the other way")


def test_whoever_is_blocked_invites_in_vain() -> None:
    host, blocker, other = DynastyFactory(), DynastyFactory(), DynastyFactory()
    earlier = announced("honour", host=host, access="invited")
    invite(tournament=earlier, dynasties=(blocker, other))
    services.block(by=Person(blocker.pk), whom=Person(host.pk))
    later = announced("honour", host=host, access="invited")
    invite(tournament=later, dynasties=(blocker, other))
    assert not Invitation.objects.filter(dynasty=blocker).exists()
    assert Invitation.objects.filter(dynasty=other).count() == 2


@pytest.mark.parametrize("who_blocks", [0, 1])
def test_nobody_plays_now_with_one_whom_he_has_blocked_or_who_has_blocked_him(who_blocks) -> None:
    waiting, coming, third = (Player(guest=GuestFactory()) for _each in range(3))
    pair = (waiting, coming) if who_blocks == 0 else (coming, waiting)
    services.block(by=pair[0].person, whom=pair[1].person)
    table = play_now(player=waiting).tournament
    assert play_now(player=coming).tournament != table
    assert play_now(player=third).tournament == table


# --- The page ------------------------------------------------------------------------------


def client_of(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_dynasty_is_blocked_by_name_and_let_go_on_one_page() -> None:
    me, other = DynastyFactory(), DynastyFactory()
    client = client_of(me.ruler)
    page = client.post(reverse("blocks"), {"name": other.name.upper()}, follow=True)
    assert other.name in page.content.decode()
    block = Block.objects.get()
    assert (block.dynasty, block.other_dynasty) == (me, other)
    client.post(reverse("blocks_lift"), {"number": block.pk})
    assert not Block.objects.exists()


@pytest.mark.parametrize("name", ["", "\0", "x" * 5000, "No Such House"])
def test_a_name_that_nobody_bears_is_refused_in_words(name: str) -> None:
    client = client_of(DynastyFactory().ruler)
    answer = client.post(reverse("blocks"), {"name": name})
    assert answer.status_code == 200
    assert not Block.objects.exists()


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 40, "\0", "٣"])
def test_a_strange_number_lifts_nothing(number: str) -> None:
    client = client_of(DynastyFactory().ruler)
    assert client.post(reverse("blocks_lift"), {"number": number}).status_code == 302


def test_a_block_is_told_to_the_one_who_made_it_and_to_nobody_else() -> None:
    me, other = DynastyFactory(), DynastyFactory()
    services.block(by=Person(me.pk), whom=Person(other.pk))
    assert other.name in str(export_account(me.ruler)["blocks"])
    assert export_account(other.ruler)["blocks"] == []
    assert me.name not in client_of(other.ruler).get(reverse("blocks")).content.decode()


def test_a_guest_has_a_list_of_his_own(client: Client) -> None:
    client.post(reverse("guest_enter"))
    other = DynastyFactory()
    client.post(reverse("blocks"), {"name": other.name})
    assert Block.objects.get().guest is not None
    assert other.name in client.get(reverse("blocks")).content.decode()
