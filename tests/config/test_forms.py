"""How forms are drawn, and how dates are written."""

from datetime import UTC, datetime

import pytest
from allauth.account.forms import ChangePasswordForm, ResetPasswordForm
from django.forms import Form
from django.template import Context, Template
from django.utils import translation

from dynasties.accounts.forms import LoginForm

MOMENT = datetime(2026, 11, 18, 9, 42, tzinfo=UTC)


def labels(form: Form) -> list[str]:
    return [str(field.label) for field in form]


def test_labels_are_spelled_as_everything_around_them() -> None:
    assert labels(LoginForm())[0] == "E-mail"
    assert labels(ChangePasswordForm()) == [
        "Current password",
        "New password",
        "New password (again)",
    ]


def test_labels_are_told_in_the_readers_language() -> None:
    with translation.override("es"):
        assert labels(ChangePasswordForm())[0] == "Contraseña actual"


@pytest.mark.parametrize("form", [LoginForm, ChangePasswordForm, ResetPasswordForm])
def test_no_field_repeats_its_label_inside(form: type[Form]) -> None:
    html = str(form())
    assert "<label" in html
    assert "placeholder" not in html


@pytest.mark.parametrize(
    ("language", "day", "moment"),
    [
        ("en", "18 November 2026", "18 November 2026, 09:42 UTC"),
        ("es", "18 de noviembre de 2026", "18 de noviembre de 2026, 09:42 UTC"),
    ],
)
def test_a_moment_says_its_zone_and_no_date_is_american(
    language: str, day: str, moment: str
) -> None:
    with translation.override(language):
        page = Template('{{ at|date:"DATE_FORMAT" }}; {{ at }}').render(Context({"at": MOMENT}))
    assert page == f"{day}; {moment}"
