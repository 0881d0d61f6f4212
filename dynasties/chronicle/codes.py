"""What an entry is called in public: a code that tells neither its number nor its order.

Public and private entries are numbered together. Whoever saw the numbers of the public ones could
count what happened in secret between them.
"""

from django.utils.crypto import salted_hmac

SALT = "dynasties.chronicle.entry"
CODE_LENGTH = 20


def code_of(number: int) -> str:
    """The code of the entry with this number: the same for as long as the secret key is."""
    return salted_hmac(SALT, str(number), algorithm="sha256").hexdigest()[:CODE_LENGTH]
