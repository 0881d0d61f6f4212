from django.urls import path

from dynasties.relations import views

urlpatterns = [
    path("blocks/", views.blocks, name="blocks"),
    path("blocks/lift/", views.unblock_somebody, name="blocks_lift"),
]
