"""The audit finds what breaks an invariant, and tells no more than it must."""

import pytest
from django.core.management import CommandError, call_command

from dynasties import audit


@pytest.fixture
def empty_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "_invariants", {})


class Row:
    pk = 7

    def __str__(self) -> str:
        return "a private text"


@pytest.mark.usefixtures("empty_registry")
class TestAudit:
    def test_a_sound_world_has_no_breach(self) -> None:
        audit.invariant("Nothing is wrong.")(lambda: [])
        assert audit.run_audit() == []

    def test_a_broken_invariant_names_rows_by_key_not_by_content(self) -> None:
        audit.invariant("Nothing is wrong.")(lambda: [Row()])
        (breach,) = audit.run_audit()
        assert str(breach) == "Nothing is wrong. Not so: Row 7"

    def test_a_few_examples_are_enough(self) -> None:
        audit.invariant("Nothing is wrong.")(lambda: (Row() for _ in range(1000)))
        (breach,) = audit.run_audit()
        assert len(breach.examples) == audit.MOST_EXAMPLES

    def test_the_same_sentence_cannot_be_registered_twice(self) -> None:
        audit.invariant("Nothing is wrong.")(lambda: [])
        with pytest.raises(ValueError, match="Registered twice"):
            audit.invariant("Nothing is wrong.")(lambda: [])

    def test_what_takes_long_is_asked_only_if_it_is_wanted(self) -> None:
        audit.invariant("Nothing was wrong.", strict=True)(lambda: [Row()])
        assert audit.run_audit() == []
        call_command("audit")
        assert len(audit.run_audit(strict=True)) == 1
        with pytest.raises(CommandError, match="1 of 1 invariants are broken"):
            call_command("audit", "--strict")

    def test_the_command_fails_on_a_breach(self) -> None:
        audit.invariant("Nothing is wrong.")(lambda: [Row()])
        with pytest.raises(CommandError, match="1 of 1 invariants are broken"):
            call_command("audit")


@pytest.mark.django_db
def test_an_empty_world_is_sound(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("audit")
    assert "The world is sound" in capsys.readouterr().out
