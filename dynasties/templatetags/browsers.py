"""Template filters about browsers."""

from django import template

from dynasties.accounts.browsers import describe_browser

register = template.Library()
register.filter("browser", describe_browser)
