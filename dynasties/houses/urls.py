from django.urls import path

from dynasties.houses import views

urlpatterns = [
    path("palace/", views.palace, name="palace"),
    path("dynasties/", views.dynasties, name="dynasties"),
    # Any text, not a slug: Django's slugs are ASCII, our names are not.
    path("dynasties/<str:slug>/", views.dynasty, name="dynasty"),
]
