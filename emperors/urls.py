from django.urls import path

from emperors import views

urlpatterns = [
    path("ranking/", views.ranking, name="ranking"),
    path("ranking/champions/", views.champions, name="champions"),
    path("emperors/<int:number>/", views.emperor, name="emperor_by_number"),
    path(
        "emperors/<int:number>/reputation.json", views.emperor_reputation, name="emperor_reputation"
    ),
    path("emperors/<int:number>-<str:slug>/", views.emperor, name="emperor"),
    path("dynasties/<str:slug>/emperors/", views.lineage, name="dynasty_emperors"),
    path(
        "dynasties/<str:slug>/reputation.json", views.dynasty_reputation, name="dynasty_reputation"
    ),
    path("palace/emperors/", views.throne_room, name="throne_room"),
    path("palace/emperors/<int:number>/death/", views.deathbed, name="deathbed"),
]
