"""How every form of the site is drawn: one template for forms, one for fields."""

from typing import Any

from django.forms import BoundField, Widget
from django.forms.renderers import TemplatesSetting
from django.utils.translation import gettext_lazy as _

# Labels of allauth's forms that are spelled otherwise than everything around them.
OUR_SPELLING = {
    "Email": _("E-mail"),
    "Current Password": _("Current password"),
    "New Password": _("New password"),
    "New Password (again)": _("New password (again)"),
}


class HouseField(BoundField):
    """A field with our words on it, and none inside that vanish when one types."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label = OUR_SPELLING.get(str(self.label), self.label)

    def build_widget_attrs(
        self, attrs: dict[str, Any], widget: Widget | None = None
    ) -> dict[str, Any]:
        built: dict[str, Any] = super().build_widget_attrs(attrs, widget)
        if "placeholder" in (widget or self.field.widget).attrs:
            built["placeholder"] = False  # which leaves it out
        return built


class HouseRenderer(TemplatesSetting):
    """Labels, hints and errors in our own look, tied together for screen readers."""

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"
    bound_field_class = HouseField
