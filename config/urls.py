"""Every route of the site. Each floor keeps its own; the roof adds the shell and the admin."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path
from django.views.i18n import set_language

from config import shell

# One way to log in, for staff as well: throttled, and with the second factor.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("", shell.home, name="home"),
    path("theme/", shell.set_theme, name="set_theme"),
    path("language/", set_language, name="set_language"),
    path("manifest.webmanifest", shell.manifest, name="manifest"),
    path("favicon.ico", shell.favicon, name="favicon"),
    path("robots.txt", shell.robots, name="robots"),
    path("", include("tournaments.urls")),
    path("", include("emperors.urls")),
    path("", include("dynasties.urls")),
    path("account/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]

handler400 = shell.bad_request
handler403 = shell.permission_denied
handler404 = shell.page_not_found
handler500 = shell.server_error
