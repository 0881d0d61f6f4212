"""People and houses for tests, made by the same services that make real ones."""

from typing import Any

import factory
from allauth.account.models import EmailAddress
from django.utils import timezone

from dynasties.accounts.models import Guest, User
from dynasties.accounts.services import vouch_for_address
from dynasties.houses.models import Dynasty
from dynasties.houses.services import found_dynasty, hold_name, let_dynasty_fall
from emperors.models import Emperor
from emperors.reputation import change_reputation
from emperors.services import bear, note_serious_tournament, send_to

PASSWORD = "an-honest-passphrase"
# No two of these look alike, so that neither do the names made of them.
_SYLLABLES = ("ba", "de", "fo", "gu", "ha", "ke", "mo", "nu", "sa", "te")


def name_number(number: int) -> str:
    """A dynasty's name for each number."""
    return "House " + "".join(_SYLLABLES[int(digit)] for digit in f"{number:03d}").title()


class UserFactory(factory.django.DjangoModelFactory[User]):
    """A player with a verified address and an open dynasty.

    `verified=False` leaves both waiting; `dynasty_name=None` makes an account without a dynasty.
    """

    class Meta:
        model = User

    email = factory.Sequence(lambda number: f"player{number}@example.org")
    password = PASSWORD
    dynasty_name = factory.Sequence(name_number)
    motto = ""
    verified = True

    @classmethod
    def _create(cls, model_class: Any, *args: Any, **fields: Any) -> User:
        name, motto = fields.pop("dynasty_name"), fields.pop("motto")
        verified = fields.pop("verified")
        user = User.objects.create_user(**fields)
        if name:
            found_dynasty(ruler=user, name=name, motto=motto)
        if verified:
            vouch_for_address(user=user)
        else:
            EmailAddress.objects.create(user=user, email=user.email, primary=True)
        return user


class StaffFactory(UserFactory):
    """Somebody in office, who plays no dynasty."""

    email = factory.Sequence(lambda number: f"staff{number}@example.org")
    dynasty_name = None
    is_staff = True


class AdminFactory(StaffFactory):
    email = factory.Sequence(lambda number: f"admin{number}@example.org")
    is_superuser = True


class DynastyFactory(factory.django.DjangoModelFactory[Dynasty]):
    """An open house with its ruler; `held=True` for a name only held, `fallen=True` for history."""

    class Meta:
        model = Dynasty

    name = factory.Sequence(lambda number: name_number(number + 1_000_000))
    motto = ""
    held = False
    fallen = False

    @classmethod
    def _create(cls, model_class: Any, *args: Any, **fields: Any) -> Dynasty:
        if fields["held"]:
            return hold_name(name=fields["name"])
        ruler = UserFactory(dynasty_name=fields["name"], motto=fields["motto"])
        house = Dynasty.objects.get(ruler=ruler)
        if fields["fallen"]:
            let_dynasty_fall(ruler=ruler)
            ruler.delete()
            house.refresh_from_db()
        return house


class GuestFactory(factory.django.DjangoModelFactory[Guest]):
    class Meta:
        model = Guest

    lodging = factory.Iterator(Guest.Lodging.values)


class EmperorFactory(factory.django.DjangoModelFactory[Emperor]):
    """A living emperor, of an open dynasty of his own unless one is given.

    `reputation` and `battles` come to him as they do to others, by services: with reputation he
    has fought once at least. `away` is the life that he leads at a place, "fighting" or
    "attending".
    """

    class Meta:
        model = Emperor

    name = "Amaterasu"
    dynasty = factory.SubFactory(DynastyFactory)
    reputation = 0
    battles = 0
    away = ""
    at = factory.LazyFunction(timezone.now)

    @classmethod
    def _create(cls, model_class: Any, *args: Any, **fields: Any) -> Emperor:
        at = fields["at"]
        emperor = bear(dynasty=fields["dynasty"], name=fields["name"], at=at)
        for _battle in range(max(fields["battles"], bool(fields["reputation"]))):
            note_serious_tournament(emperor=emperor, at=at)
        change_reputation(emperor=emperor, change=fields["reputation"], reason="gift", at=at)
        if fields["away"]:
            send_to(emperor=emperor, life=fields["away"], place="field 1")
        return emperor
