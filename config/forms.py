"""How every form of the site is drawn: one template for forms, one for fields."""

from django.forms.renderers import TemplatesSetting


class HouseRenderer(TemplatesSetting):
    """Labels, hints and errors in our own look, tied together for screen readers."""

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"
