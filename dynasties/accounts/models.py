import uuid
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create an account; `email` is kept in lower case, so that it is found again."""
        if not email:
            raise ValueError("An account needs an e-mail address.")
        user = self.model(email=email.lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").lower())


class User(AbstractBaseUser, PermissionsMixin):
    """An account. Players are known to others by their dynasty, never by this row."""

    email = models.EmailField(_("e-mail address"), unique=True)
    is_staff = models.BooleanField(_("staff"), default=False)
    is_active = models.BooleanField(
        _("active"),
        default=True,
        help_text=_(
            "Nobody can log in to a banned account. Banning is an action of the list of accounts."
        ),
    )
    joined_at = models.DateTimeField(_("joined"), default=timezone.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(email=Lower("email")), name="account_email_in_lower_case"
            ),
        ]

    def __str__(self) -> str:
        return self.email


class Guest(models.Model):
    """Somebody who plays without an account, recognised by the browser's session."""

    class Lodging(models.TextChoices):
        """Where a guest lodges gives the name: whole phrases, so that they can be translated."""

        AMBER_GATE = "amber-gate", _("Guest of the Amber Gate")
        ASHEN_TOWER = "ashen-tower", _("Guest of the Ashen Tower")
        BRONZE_BELL = "bronze-bell", _("Guest of the Bronze Bell")
        CEDAR_HALL = "cedar-hall", _("Guest of the Cedar Hall")
        COPPER_LANTERN = "copper-lantern", _("Guest of the Copper Lantern")
        CRIMSON_STAIR = "crimson-stair", _("Guest of the Crimson Stair")
        EBONY_DOOR = "ebony-door", _("Guest of the Ebony Door")
        FROZEN_FOUNTAIN = "frozen-fountain", _("Guest of the Frozen Fountain")
        GILDED_BRIDGE = "gilded-bridge", _("Guest of the Gilded Bridge")
        IVORY_COURT = "ivory-court", _("Guest of the Ivory Court")
        JADE_GARDEN = "jade-garden", _("Guest of the Jade Garden")
        LONG_GALLERY = "long-gallery", _("Guest of the Long Gallery")
        MARBLE_WELL = "marble-well", _("Guest of the Marble Well")
        NORTHERN_WALL = "northern-wall", _("Guest of the Northern Wall")
        OLD_ORCHARD = "old-orchard", _("Guest of the Old Orchard")
        PEARL_CHAMBER = "pearl-chamber", _("Guest of the Pearl Chamber")
        QUIET_CLOISTER = "quiet-cloister", _("Guest of the Quiet Cloister")
        RUSSET_TAVERN = "russet-tavern", _("Guest of the Russet Tavern")
        SALT_HARBOUR = "salt-harbour", _("Guest of the Salt Harbour")
        SILVER_MILL = "silver-mill", _("Guest of the Silver Mill")
        SUNKEN_LIBRARY = "sunken-library", _("Guest of the Sunken Library")
        THISTLE_FIELD = "thistle-field", _("Guest of the Thistle Field")
        VELVET_PAVILION = "velvet-pavilion", _("Guest of the Velvet Pavilion")
        WINTER_STABLES = "winter-stables", _("Guest of the Winter Stables")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    lodging = models.CharField(_("name"), max_length=20, choices=Lodging.choices, editable=False)
    came_at = models.DateTimeField(_("came"), default=timezone.now, editable=False)
    seen_at = models.DateTimeField(_("last seen"), default=timezone.now, editable=False)
    became = models.OneToOneField(
        User,
        verbose_name=_("became"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="guest",
        help_text=_("The account that this guest signed up for."),
    )

    class Meta:
        verbose_name = _("guest")
        verbose_name_plural = _("guests")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["seen_at"], name="guest_unseen_longest_first"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The guest's name in the reader's language. It tells nobody apart for certain."""
        return str(self.get_lodging_display())


class FalseStart(models.Model):
    """A sign-up for an address that has an account already.

    Whoever tried must not learn that, not even by logging in with what they had
    typed: an account of their own would wait for its verification then, and so
    does this. It lasts as long as the unopened dynasty that holds its name.
    """

    house = models.OneToOneField("Dynasty", on_delete=models.CASCADE, related_name="false_start")
    email = models.EmailField(_("e-mail address"), db_index=True)
    password = models.CharField(_("password"), max_length=128)

    class Meta:
        verbose_name = _("false start")
        verbose_name_plural = _("false starts")

    def __str__(self) -> str:
        return f"{self.pk}"


class Departure(models.Model):
    """A player's wish to be forgotten, carried out as soon as nothing binds the account."""

    user = models.OneToOneField(
        User, verbose_name=_("account"), on_delete=models.CASCADE, related_name="departure"
    )
    asked_at = models.DateTimeField(_("asked"), default=timezone.now, editable=False)
    # For the letter that tells when it is done: nobody may be there to be asked by then.
    language = models.CharField(_("language"), max_length=10, blank=True, editable=False)

    class Meta:
        verbose_name = _("departure")
        verbose_name_plural = _("departures")

    def __str__(self) -> str:
        return f"{self.user} ({self.asked_at:%Y-%m-%d})"
