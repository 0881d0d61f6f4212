"""What changes relations: blocking somebody, and letting him come near again."""

from django.db import transaction

from dynasties.houses.models import Dynasty
from dynasties.relations.errors import TooManyBlocks, Unblockable
from dynasties.relations.models import Block
from dynasties.relations.people import Person
from dynasties.relations.selectors import blocks_by, has_blocked
from dynasties.relations.signals import person_blocked

# More enemies than anybody has; without a limit the list would grow as long as somebody likes.
MOST_BLOCKS = 1000


@transaction.atomic
def block(*, by: Person, whom: Person) -> None:
    """Let `by` hear nothing of `whom` any more, anywhere. Who is blocked already stays so.

    Raises Unblockable, TooManyBlocks.
    """
    if by.is_nobody or whom.is_nobody or _are_one(by, whom):
        raise Unblockable
    _hold_standing(by, whom)
    if has_blocked(by=by, whom=whom):
        return
    if blocks_by(by).count() >= MOST_BLOCKS:
        raise TooManyBlocks
    Block.objects.bulk_create([_row(by, whom)], ignore_conflicts=True)
    person_blocked.send(sender=Block, by=by, whom=whom)


@transaction.atomic
def unblock(*, by: Person, number: int) -> bool:
    """Take a block of one's own back; False if there is none with this number."""
    return bool(blocks_by(by).filter(pk=number).delete()[0])


@transaction.atomic
def forget_blocks(*, dynasty: Dynasty) -> None:
    """A dynasty that falls troubles nobody any more, and leaves no list of its enemies."""
    Block.objects.filter(dynasty=dynasty).delete()
    Block.objects.filter(other_dynasty=dynasty).delete()


def _hold_standing(*people: Person) -> None:
    """Lock their dynasties until the transaction ends: none of them falls meanwhile."""
    numbers = {person.dynasty for person in people if person.dynasty is not None}
    locked = Dynasty.objects.select_for_update(no_key=True).filter(pk__in=numbers, fallen_at=None)
    if len(locked.order_by("pk")) < len(numbers):
        raise Unblockable


def _are_one(by: Person, whom: Person) -> bool:
    same_dynasty = by.dynasty is not None and by.dynasty == whom.dynasty
    same_guest = by.guest is not None and by.guest == whom.guest
    return same_dynasty or same_guest or _was_guest(by, whom)


def _was_guest(by: Person, whom: Person) -> bool:
    """Whether a ruler would block the guest whom he was."""
    if by.dynasty is None or whom.guest is None:
        return False
    return Dynasty.objects.filter(pk=by.dynasty, ruler__guest=whom.guest).exists()


def _row(by: Person, whom: Person) -> Block:
    """As a dynasty where there is one: a guest is forgotten after a while."""
    return Block(
        dynasty_id=by.dynasty,
        guest_id=None if by.dynasty else by.guest,
        other_dynasty_id=whom.dynasty,
        other_guest_id=None if whom.dynasty else whom.guest,
    )
