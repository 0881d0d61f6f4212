from django.urls import path

from dynasties.market import views

urlpatterns = [
    path("market/", views.market, name="market"),
    path("market/wares/<slug:code>/", views.ware, name="market_ware"),
    path("market/offers/new/", views.new_offer, name="offer_new"),
    path("market/offers/<uuid:code>/", views.offer, name="offer"),
    path("market/offers/<uuid:code>/accept/", views.accept, name="offer_accept"),
    path("market/offers/<uuid:code>/withdraw/", views.withdraw, name="offer_withdraw"),
    path("market/mint/", views.mint, name="mint"),
    path("palace/market/", views.own_market, name="palace_market"),
]
