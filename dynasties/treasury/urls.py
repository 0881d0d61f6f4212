from django.urls import path

from dynasties.treasury import views

urlpatterns = [
    path("palace/treasury/", views.treasury, name="treasury"),
    path("palace/treasury/statement.csv", views.treasury_csv, name="treasury_csv"),
]
