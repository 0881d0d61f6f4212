from django.urls import path

from dynasties.accounts import views

urlpatterns = [
    path("account/", views.account, name="account"),
    # In the place of allauth's own pages of these names.
    path("account/signup/", views.signup, name="account_signup"),
    path("account/confirm-email/", views.confirm_address, name="account_email_verification_sent"),
    path("account/export/", views.export, name="account_export"),
    path("account/leave/", views.leave, name="account_leave"),
    path("account/stay/", views.stay, name="account_stay"),
    path("account/sessions/end/", views.end_session, name="account_session_end"),
    path("guest/", views.enter_as_guest, name="guest_enter"),
]
