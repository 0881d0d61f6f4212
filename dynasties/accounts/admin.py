from typing import Any

# Imported so that it is registered before it is taken away again below.
import allauth.account.admin
import allauth.mfa.admin
import allauth.usersessions.admin  # noqa: F401
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import Permission
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from dynasties.accounts.access import account_of
from dynasties.accounts.models import Departure, Guest, User
from dynasties.accounts.services import (
    LastAdministratorError,
    ban_account,
    spare_last_administrator,
    unban_account,
)
from dynasties.houses.selectors import dynasty_of
from dynasties.records import ReadOnlyAdmin

# Sessions and second factors are nobody's business but their owner's, and an address is
# verified by its owner, which opens the dynasty; it is shown with the account.
for _model in (EmailAddress, Authenticator, UserSession):
    admin.site.unregister(_model)


class AddressInline(admin.TabularInline):
    model = EmailAddress
    fields = readonly_fields = ("email", "verified", "primary")
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class OfficeForm(forms.ModelForm):
    """Gives and takes offices, but leaves the site an administrator and a player a dynasty."""

    def clean(self) -> dict[str, Any]:
        offices: dict[str, Any] = super().clean() or {}
        if not offices.get("is_staff", True):
            self._spare_who_has_nothing_else()
        if not (offices.get("is_staff", True) and offices.get("is_superuser", True)):
            self._spare_last_administrator()
        return offices

    def _spare_who_has_nothing_else(self) -> None:
        if dynasty_of(self.instance) is None:
            text = _("This account has no dynasty to play. Ban it rather than take its office.")
            self.add_error("is_staff", text)

    def _spare_last_administrator(self) -> None:
        try:
            spare_last_administrator(user=self.instance)
        except LastAdministratorError:
            self.add_error("is_superuser", _("The site would be left without an administrator."))


@admin.register(User)
class UserAdmin(admin.ModelAdmin):
    """For support and moderation: find an account, shut it out, let it in, give it an office."""

    form = OfficeForm
    list_display = ("email", "dynasty", "joined_at", "last_login", "is_active", "is_staff")
    list_filter = ("is_active", "is_staff", "is_superuser", "joined_at")
    list_select_related = ("dynasty",)
    search_fields = ("email", "emailaddress__email", "dynasty__name")
    search_help_text = _("E-mail address or dynasty")
    ordering = ("-joined_at",)
    date_hierarchy = "joined_at"
    fields = (
        "email",
        "is_active",
        "joined_at",
        "last_login",
        "is_staff",
        "is_superuser",
        "groups",
        "user_permissions",
    )
    readonly_fields = ("email", "is_active", "joined_at", "last_login")
    filter_horizontal = ("groups", "user_permissions")
    inlines = (AddressInline,)
    actions = ("ban", "unban")

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Only a superuser gives and takes offices, or any helper could promote himself.

        Nobody changes his own, or a slip would shut him out for ever.
        """
        if _is_superuser(request) and obj != request.user:
            return self.readonly_fields
        return (*self.readonly_fields, "is_staff", "is_superuser", "groups", "user_permissions")

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "user_permissions":
            kwargs.setdefault("queryset", Permission.objects.select_related("content_type"))
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # accounts are made by signing up, or by `createsuperuser`

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False  # accounts leave of their own will, by a departure

    @admin.action(description=_("Ban the selected accounts"), permissions=["change"])
    def ban(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        banned = [user for user in self._within_reach(request, queryset) if _try_to_ban(user)]
        for user in banned:
            self.log_change(request, user, "ban")
        self._report(request, changed=len(banned), asked=queryset.count())

    @admin.action(description=_("Let the selected accounts in again"), permissions=["change"])
    def unban(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        within_reach = self._within_reach(request, queryset)
        for user in within_reach:
            unban_account(user=user)
            self.log_change(request, user, "unban")
        self._report(request, changed=len(within_reach), asked=queryset.count())

    def _within_reach(self, request: HttpRequest, queryset: QuerySet[User]) -> list[User]:
        """Nobody bans himself; staff are banned by superusers only."""
        others = queryset.exclude(pk=account_of(request).pk)
        return list(others if _is_superuser(request) else others.filter(is_staff=False))

    def _report(self, request: HttpRequest, *, changed: int, asked: int) -> None:
        if changed:
            text = ngettext("%(count)d account changed.", "%(count)d accounts changed.", changed)
            self.message_user(request, text % {"count": changed}, messages.SUCCESS)
        if asked > changed:
            text = ngettext(
                "%(count)d account left as it was: nobody can ban or let in his own account, "
                "and only a superuser those of staff.",
                "%(count)d accounts left as they were: nobody can ban or let in his own account, "
                "and only a superuser those of staff.",
                asked - changed,
            )
            self.message_user(request, text % {"count": asked - changed}, messages.WARNING)


@admin.register(Guest)
class GuestAdmin(ReadOnlyAdmin):
    list_display = ("name", "came_at", "seen_at", "became")
    fields = readonly_fields = ("lodging", "came_at", "seen_at", "became")
    list_filter = ("came_at", ("became", admin.EmptyFieldListFilter))
    list_select_related = ("became",)
    search_fields = ("id", "became__email")
    ordering = ("-came_at",)


@admin.register(Departure)
class DepartureAdmin(ReadOnlyAdmin):
    list_display = fields = readonly_fields = ("user", "asked_at")
    list_select_related = ("user",)
    search_fields = ("user__email",)
    ordering = ("asked_at",)


def _is_superuser(request: HttpRequest) -> bool:
    return account_of(request).is_superuser


def _try_to_ban(user: User) -> bool:
    try:
        ban_account(user=user)
    except LastAdministratorError:  # whoever asks was deposed at this very moment
        return False
    return True
