"""What a dynasty or a person may be called, and when two names look too much alike."""

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from dynasties.houses.scripts import (
    COMMON_MARKS,
    TAKING_COMMON_MARKS,
    are_one_alphabet,
    look_of,
    script_of,
)

SHORTEST_NAME = 3
LONGEST_NAME = 40
LONGEST_MOTTO = 120
FEWEST_LETTERS = 2
# Nobody types more than this by honest means; what follows need not look at it.
LONGEST_INPUT = 400
# A letter with more marks than any orthography stacks is there to spill over its neighbours.
MOST_MARKS = 3

# Characters that Unicode calls letters or marks and that nobody can see.
_INVISIBLE = (
    {chr(code) for code in (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)}
    | {chr(code) for code in range(0x180B, 0x1810)}
    | {chr(code) for code in range(0xFE00, 0xFE10)}
    | {chr(code) for code in range(0xE0000, 0xE1000)}
)
# Control, format (bidi, zero width), surrogate, private use, unassigned, ends of lines.
_HIDDEN_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_PUNCTUATION = " '-."
_ONE_FORM = str.maketrans("\u2018\u2019\u02bb\u02bc\u00b4`\u2010\u2011\u2013", "''''''---")
# L letters with their marks: single joints between them, a full stop also before a space.
_SHAPE = re.compile(r"L+(?:(?:\. ?|[ '\-])L+)*\.?")

# Parts of the site itself: nobody is called so.
_RESERVED_NAMES = (
    "anonymous anónimo bank banca bot ceca corona crown dynasties dynasty dinastía dinastías "
    "emperador emperadores emperatriz emperor emperors empress empire game guest guests heraldo "
    "herald huésped imperio invitado juego mint nadie nobody none null root tesoro torneo "
    "tournament treasury undefined unknown"
).split()
# Offices: not even as a part of a name.
_RESERVED_WORDS = (
    "admin admins administración administrador administradora administrator moderador moderadora "
    "moderation moderator moderators oficial official operator operador soporte staff support "
    "sysadmin system sistema webmaster"
).split()
_ARTICLES = {"the", "el", "la", "los", "las"}


def clean_name(text: str, *, shortest: int = SHORTEST_NAME, longest: int = LONGEST_NAME) -> str:
    """Return `text` in the form in which names are kept, or raise ValidationError.

    Whether another dynasty bears the name is a question to the database: see `name_key`.
    """
    name = _tidy(text)
    _refuse_hidden(name)
    _check_length(name, shortest, longest)
    _check_letters(name)
    _check_shape(name)
    if _is_reserved(name):
        raise ValidationError(_("This name is not free to take."), code="reserved")
    return name


def clean_motto(text: str) -> str:
    """Return a motto in the form in which it is kept ("" for none), or raise ValidationError."""
    motto = _tidy(text)
    _refuse_hidden(motto)
    if len(motto) > LONGEST_MOTTO:
        raise ValidationError(
            _("A motto has at most %(most)d characters."),
            code="long",
            params={"most": LONGEST_MOTTO},
        )
    if not all(_belongs_in_a_motto(character) for character in motto) or _has_piled_marks(motto):
        raise ValidationError(
            _("Write the motto with letters, numbers and punctuation."), code="characters"
        )
    return motto


def name_key(text: str) -> str:
    """What a name looks like: two names with the same key can't both exist.

    Case, accents, spaces and punctuation don't count, and letters that are
    mistaken for one another count as one. Never longer than 120 characters
    for a clean name.
    """
    plain = "".join(look_of(character) for character in _without_accents(text))
    drawn = plain.replace("l", "i").replace("rn", "m").replace("vv", "w")
    return "".join(character for character in drawn if _is_letter(character) or _is_mark(character))


def name_slug(name: str) -> str:
    """The name as a part of an address, in its own script."""
    parts = re.split(r"[ .\-]+", name.lower().replace("'", ""))
    return "-".join(part for part in parts if part)


def searchable(text: str) -> str:
    """A search text as a key to look for; "" where nothing can be looked for."""
    kept = without_hidden(text[:LONGEST_INPUT])
    return name_key(unicodedata.normalize("NFKC", kept))


def without_hidden(text: str) -> str:
    """The text without characters that nobody can see, bidi and control characters among them."""
    return "".join(character for character in text if not _is_hidden(character))


def _tidy(text: str) -> str:
    """One form for each character, one space between words, none around."""
    if len(text) > LONGEST_INPUT:
        raise ValidationError(_("This text is too long."), code="long")
    # Before and after: the acute accent, left alone, would become a space and a mark.
    form = unicodedata.normalize("NFKC", text.strip().translate(_ONE_FORM)).translate(_ONE_FORM)
    # Controls stay, to be refused: only spaces are gathered.
    return re.sub(r" {2,}", " ", form).strip(" ")


def _refuse_hidden(text: str) -> None:
    if any(_is_hidden(character) for character in text):
        raise ValidationError(_("Invisible and control characters can't be used."), code="hidden")


def _check_length(name: str, shortest: int, longest: int) -> None:
    if not shortest <= len(name) <= longest:
        raise ValidationError(
            _("A name has between %(fewest)d and %(most)d characters."),
            code="length",
            params={"fewest": shortest, "most": longest},
        )


def _check_letters(name: str) -> None:
    letters = [character for character in name if _is_letter(character)]
    scripts = {script_of(letter) for letter in letters}
    marks = [character for character in name if _is_mark(character)]
    others = set(name) - set(letters) - set(marks) - set(_PUNCTUATION)
    if others or None in scripts:
        raise ValidationError(
            _("Use only letters, spaces, apostrophes, hyphens and full stops."), code="characters"
        )
    if len(letters) < FEWEST_LETTERS:
        raise ValidationError(
            _("A name needs at least %(fewest)d letters."),
            code="letters",
            params={"fewest": FEWEST_LETTERS},
        )
    known = {script for script in scripts if script}
    if not are_one_alphabet(known) or not all(_mark_fits(mark, known) for mark in marks):
        raise ValidationError(_("Write the whole name in one alphabet."), code="script")


def _check_shape(name: str) -> None:
    shape = "".join("L" if _is_letter(c) or _is_mark(c) else c for c in name)
    if not _SHAPE.fullmatch(shape) or _is_mark(name[0]) or _has_piled_marks(name):
        raise ValidationError(
            _("Apostrophes, hyphens and full stops stand alone, with a letter before them."),
            code="shape",
        )


def _is_reserved(name: str) -> bool:
    words = [name_key(word) for word in re.split(r"[ .'\-]+", name) if word]
    if any(word in _RESERVED_WORD_KEYS for word in words) or name_key(name) in _ALL_RESERVED_KEYS:
        return True
    if words and words[0] in _ARTICLE_KEYS:
        return "".join(words[1:]) in _ALL_RESERVED_KEYS
    return False


def _without_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(character for character in decomposed if not _is_accent(character))


def _is_accent(character: str) -> bool:
    """Marks that sit on a letter and are easily overlooked; vowel signs and kana voicing aren't."""
    return unicodedata.combining(character) > 0 and character not in "\u3099\u309a"


def _is_letter(character: str) -> bool:
    return unicodedata.category(character) in {"Lu", "Ll", "Lt", "Lm", "Lo"}


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in {"Mn", "Mc"}


def _mark_fits(mark: str, scripts: set[str]) -> bool:
    if ord(mark) in COMMON_MARKS:
        return scripts <= TAKING_COMMON_MARKS
    return are_one_alphabet(scripts | {script_of(mark) or "none"})


def _has_piled_marks(text: str) -> bool:
    pile = 0
    for character in text:
        pile = pile + 1 if _is_mark(character) else 0
        if pile > MOST_MARKS:
            return True
    return False


def _is_hidden(character: str) -> bool:
    return unicodedata.category(character) in _HIDDEN_CATEGORIES or character in _INVISIBLE


def _belongs_in_a_motto(character: str) -> bool:
    category = unicodedata.category(character)
    return character == " " or category[0] in "LNP" or category in {"Mn", "Mc", "Sm", "Sc"}


_RESERVED_WORD_KEYS = {name_key(word) for word in _RESERVED_WORDS}
_ALL_RESERVED_KEYS = {name_key(word) for word in _RESERVED_NAMES} | _RESERVED_WORD_KEYS
_ARTICLE_KEYS = {name_key(word) for word in _ARTICLES}
