from django.urls import path

from dynasties.chronicle import feed, views

urlpatterns = [
    path("chronicle/", views.chronicle, name="chronicle"),
    path("chronicle/feed/", feed.feed, name="chronicle_feed"),
    path("palace/chronicle/", views.palace_chronicle, name="palace_chronicle"),
]
