import secrets
from typing import Any, ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext_lazy as _

from dynasties.accounts.models import Guest
from dynasties.houses.models import Dynasty
from dynasties.treasury.models import Kind
from emperors.models import Emperor
from tournaments import arena
from tournaments.fields.models import Battlefield

CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
LIVE_SECONDS = (10, 300)
SLOW_SECONDS = (3600, 7 * 24 * 3600)
MOST_POINTS = 1_000_000


def new_code() -> str:
    """What a tournament is called in addresses: short, and nothing that can be counted."""
    return "".join(secrets.choice(CODE_LETTERS) for _each in range(10))


class Points(models.PositiveIntegerField):
    """A number of points that makes sense."""

    def __init__(self, *args: object, **options: object) -> None:
        options.setdefault("default", 0)
        options["validators"] = [MaxValueValidator(MOST_POINTS)]
        super().__init__(*args, **options)  # type: ignore[arg-type]


class Terms(models.Model):
    """What is announced of a tournament: the same in a template and in the tournament itself."""

    class Type(models.TextChoices):
        TRAINING = "training", _("training")
        GIFT = "gift", _("for a gift")
        HONOUR = "honour", _("by honour")
        CONQUER = "conquer", _("conquer")
        DEATH = "death", _("to the death")

    class Pace(models.TextChoices):
        LIVE = "live", _("live")
        SLOW = "slow", _("slow")

    class Access(models.TextChoices):
        EVERYONE = "everyone", _("everyone")
        INVITED = "invited", _("those who are invited")
        LINK = "link", _("whoever has the link")

    name = models.CharField(_("name"), max_length=60, blank=True)
    type = models.CharField(_("type"), max_length=10, choices=Type.choices)
    game = models.CharField(_("game"), max_length=20, default="battle")
    battlefield = models.ForeignKey(
        Battlefield,
        verbose_name=_("battlefield"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    options = models.JSONField(_("options"), default=dict, blank=True)
    seats_least = models.PositiveSmallIntegerField(
        _("fewest seats"),
        default=2,
        validators=[MinValueValidator(2)],
        help_text=_("With fewer at its time it is cancelled."),
    )
    pace = models.CharField(_("pace"), max_length=5, choices=Pace.choices, default=Pace.LIVE)
    turn_seconds = models.PositiveIntegerField(
        _("seconds a turn"), default=30, help_text=_("Live: 10 to 300. Slow: an hour to 7 days.")
    )
    access = models.CharField(
        _("who may enter"), max_length=10, choices=Access.choices, default=Access.EVERYONE
    )
    stake = Points(_("stake"), help_text=_("By honour: points of reputation from each."))
    prize_reputation = Points(_("prize"), help_text=_("For a gift: points of reputation."))
    prize_wealth = models.JSONField(
        _("prize in wealth"),
        default=dict,
        blank=True,
        help_text=_('For a gift: {"gold": 3}, from the crown.'),
    )
    fee_kind = models.ForeignKey(
        Kind,
        verbose_name=_("fee in"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )
    fee = models.PositiveIntegerField(_("entry fee"), default=0)
    key = models.ForeignKey(
        Kind,
        verbose_name=_("key that is needed"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        limit_choices_to={"family": "item"},
        related_name="+",
    )
    reputation_least = models.PositiveIntegerField(_("least reputation"), null=True, blank=True)
    reputation_most = models.PositiveIntegerField(_("most reputation"), null=True, blank=True)
    reputation_a_capture = Points(_("reputation for taking an emperor"))
    reputation_a_treasure = Points(_("reputation for a treasure"))
    chests = models.BooleanField(_("secret chests"), default=False)
    wealth_is_public = models.BooleanField(
        _("wealth is public"), default=False, help_text=_("Whether the chronicle tells who won it.")
    )
    shows_ready = models.BooleanField(
        _("shows who is ready"),
        default=True,
        help_text=_("As a count: how many seats have ordered, never which."),
    )

    class Meta:
        abstract = True

    @property
    def is_training(self) -> bool:
        return self.type == self.Type.TRAINING


class Tournament(Terms):
    """One playing of a game, from its announcement to its end.

    `position` is the state after the last closed turn, a cache of what the record replays to.
    `version` counts what everybody may know; an order, a secret, never moves it.
    """

    class State(models.TextChoices):
        ANNOUNCED = "announced", _("announced")
        OPEN = "open", _("open for entries")
        RUNNING = "running", _("being fought")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")
        ABANDONED = "abandoned", _("abandoned")
        ADJOURNED = "adjourned", _("adjourned")

    OVER = (State.FINISHED, State.CANCELLED, State.ABANDONED)
    BEFORE = (State.ANNOUNCED, State.OPEN)

    code = models.CharField(_("code"), max_length=10, unique=True, default=new_code, editable=False)
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.ANNOUNCED
    )
    host = models.ForeignKey(
        Dynasty,
        verbose_name=_("announced by"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="hosted",
        help_text=_("Empty: the crown."),
    )
    ground = models.CharField(_("battlefield's name"), max_length=80, blank=True)
    seat_names = models.JSONField(_("seats"), default=list)
    game_version = models.PositiveSmallIntegerField(_("version of the game"), default=1)
    request_key = models.CharField(
        max_length=120, blank=True, editable=False, help_text=_("The same request twice is one.")
    )
    bots = models.CharField(
        _("bots fill free seats"), max_length=10, blank=True, help_text=_("In training only.")
    )

    announced_at = models.DateTimeField(_("announced"), default=timezone.now)
    opens_at = models.DateTimeField(_("opens"), default=timezone.now)
    starts_at = models.DateTimeField(
        _("starts"), null=True, blank=True, help_text=_("Empty: as soon as all seats are taken.")
    )
    began_at = models.DateTimeField(_("began"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    seed = models.CharField(max_length=64, editable=False)
    version = models.PositiveIntegerField(_("version"), default=1)
    turn = models.PositiveIntegerField(_("turns closed"), default=0)
    position = models.TextField(blank=True, editable=False)
    clock = models.CharField(max_length=60, blank=True, editable=False)
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    remind_at = models.DateTimeField(null=True, blank=True, editable=False)
    times_left = models.JSONField(default=dict, editable=False)
    faults = models.PositiveSmallIntegerField(_("faults of the engine"), default=0)

    ending = models.CharField(_("ended by"), max_length=40, blank=True)
    winners = models.JSONField(_("winners"), default=list)
    ranks = models.JSONField(_("ranks"), default=dict)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering: ClassVar[list[str]] = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["request_key"],
                condition=~models.Q(request_key=""),
                name="tournament_once_a_request",
            ),
            models.CheckConstraint(
                condition=~models.Q(state="running")
                | models.Q(deadline__isnull=False, began_at__isnull=False),
                name="tournament_running_has_a_deadline",
            ),
            models.CheckConstraint(
                condition=(
                    models.Q(state__in=["finished", "cancelled", "abandoned"])
                    & models.Q(ended_at__isnull=False)
                )
                | (
                    ~models.Q(state__in=["finished", "cancelled", "abandoned"])
                    & models.Q(ended_at__isnull=True)
                ),
                name="tournament_over_has_an_end",
            ),
            models.CheckConstraint(
                condition=~models.Q(type="training")
                | models.Q(fee=0, chests=False, stake=0, prize_reputation=0),
                name="tournament_training_stakes_nothing",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["deadline"],
                name="tournament_due",
                condition=models.Q(state="running"),
            ),
            models.Index(
                fields=["starts_at"],
                name="tournament_to_start",
                condition=models.Q(state__in=["announced", "open"]),
            ),
            models.Index(
                fields=["remind_at"],
                name="tournament_to_remind",
                condition=models.Q(remind_at__isnull=False),
            ),
            models.Index(fields=["state", "-id"], name="tournament_by_state"),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("tournament", args=[self.code])

    @property
    def title(self) -> str:
        """What it is called: its own name, or that of its battlefield."""
        return self.name or self.ground or self.code

    @property
    def place(self) -> str:
        """Where its emperors are meanwhile."""
        return f"tournament {self.pk}"

    @property
    def is_over(self) -> bool:
        return self.state in self.OVER

    @property
    def is_serious(self) -> bool:
        return not self.is_training

    @property
    def seed_mark(self) -> str:
        """What is shown of the seed before the end."""
        return arena.fingerprint(self.seed)

    @property
    def link_token(self) -> str:
        """What a challenge link holds: it can be made again, and needs not be kept."""
        return salted_hmac("tournaments.link", self.code, algorithm="sha256").hexdigest()[:20]

    def opens_with(self, token: str) -> bool:
        return constant_time_compare(self.link_token, token)


def vacate(collector: Any, field: models.Field, seats: Any, using: str) -> None:
    """Oblivion: a forgotten emperor leaves the seats of cancelled tournaments, with his dynasty.

    Whoever has fought is never deleted, so that no other seats are concerned.
    """
    collector.add_field_update(field, None, seats)
    collector.add_field_update(Seat._meta.get_field("dynasty"), None, seats)


class Seat(models.Model):
    """A place in a tournament, and who has it: an emperor of a dynasty, a guest, or a bot."""

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("tournament"), on_delete=models.CASCADE, related_name="seats"
    )
    name = models.CharField(_("seat"), max_length=20)
    place = models.PositiveSmallIntegerField(_("order"))
    emperor = models.ForeignKey(
        Emperor,
        verbose_name=_("emperor"),
        on_delete=vacate,
        null=True,
        blank=True,
        related_name="seats",
    )
    dynasty = models.ForeignKey(
        Dynasty,
        verbose_name=_("dynasty"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="seats",
    )
    guest = models.ForeignKey(
        Guest,
        verbose_name=_("guest"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="seats",
    )
    bot = models.CharField(_("bot"), max_length=10, blank=True)
    entered_at = models.DateTimeField(_("entered"), default=timezone.now)
    chest = models.PositiveIntegerField(null=True, editable=False)
    absences = models.PositiveSmallIntegerField(_("deadlines missed in a row"), default=0)
    draw_turn = models.PositiveIntegerField(null=True, editable=False)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering: ClassVar[list[str]] = ["place"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["tournament", "name"], name="seat_once"),
            models.UniqueConstraint(fields=["tournament", "dynasty"], name="seat_one_a_dynasty"),
            models.UniqueConstraint(fields=["tournament", "guest"], name="seat_one_a_guest"),
            models.CheckConstraint(
                condition=models.Q(emperor__isnull=True)
                | models.Q(dynasty__isnull=False, guest__isnull=True),
                name="seat_emperor_of_a_dynasty",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"

    @property
    def who(self) -> str:
        """Who sits there, as the world says it."""
        if self.emperor is not None:
            return self.emperor.full_name
        if self.guest is not None:
            return self.guest.name
        return str(_("A bot"))

    @property
    def is_human(self) -> bool:
        """Whether somebody is waited for who may not come."""
        return not self.bot


class Invitation(models.Model):
    """A dynasty that may enter a tournament which is not for everyone."""

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("tournament"), on_delete=models.CASCADE, related_name="guests"
    )
    dynasty = models.ForeignKey(
        Dynasty, verbose_name=_("dynasty"), on_delete=models.CASCADE, related_name="invitations"
    )
    sent_at = models.DateTimeField(_("sent"), default=timezone.now)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["tournament", "dynasty"], name="invitation_once"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class Template(Terms):
    """What the crown announces again and again, by itself."""

    every_minutes = models.PositiveIntegerField(
        _("every so many minutes"),
        default=1440,
        validators=[MinValueValidator(5), MaxValueValidator(60 * 24 * 366)],
    )
    entries_minutes = models.PositiveIntegerField(
        _("minutes for entries"),
        default=60,
        validators=[MinValueValidator(1), MaxValueValidator(60 * 24 * 30)],
        help_text=_("It starts after them, or earlier if all seats are taken."),
    )
    next_at = models.DateTimeField(_("next"), default=timezone.now)
    is_active = models.BooleanField(_("active"), default=True)

    class Meta:
        verbose_name = _("template")
        verbose_name_plural = _("templates")
        ordering: ClassVar[list[str]] = ["name"]

    def __str__(self) -> str:
        return self.name or str(self.pk)
