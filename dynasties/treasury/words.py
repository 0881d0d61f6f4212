"""The chronicle's words for reasons and kinds of wealth: today's, in the reader's language."""

from collections.abc import Collection, Mapping

from django.utils.functional import Promise

from dynasties.chronicle.kinds import vocabulary
from dynasties.treasury.models import Kind
from dynasties.treasury.reasons import reason_for


def words_for_reasons(codes: Collection[str]) -> Mapping[str, str | Promise]:
    return {code: reason_for(code).words for code in codes}


def words_for_kinds(codes: Collection[str]) -> Mapping[str, str]:
    return {each.code: each.name for each in Kind.objects.filter(code__in=codes)}


vocabulary("transfer", words_for_reasons)
vocabulary("wealth", words_for_kinds)
