from django.urls import path

from tournaments.live import views

urlpatterns = [
    path("tournaments/<slug:code>/state/", views.state, name="tournament-state"),
    path("tournaments/<slug:code>/orders/", views.orders, name="tournament-orders"),
    path("tournaments/<slug:code>/record.json", views.record, name="tournament-record"),
]
