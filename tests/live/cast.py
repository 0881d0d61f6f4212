"""The people of the live tests, as the site itself would have stored them."""

import uuid

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import Argon2PasswordHasher

from dynasties.accounts.models import User

PASSWORD = "correct horse battery staple"


def make_admin() -> User:
    """An admin with a verified address, whom production's hasher recognises."""
    email = f"admin-{uuid.uuid4().hex[:8]}@emperors.example"
    hasher = Argon2PasswordHasher()
    admin = User(email=email, is_staff=True, is_superuser=True)
    admin.password = hasher.encode(PASSWORD, hasher.salt())
    admin.save()
    EmailAddress.objects.create(user=admin, email=email, primary=True, verified=True)
    return admin
