"""The runner says what it left out, and never calls a run good that was not."""

from collections.abc import Iterator

import pytest

from tests.runner import PHASES, Run, Tally, read_arguments
from tests.services import Shelter, Unavailable


@pytest.fixture
def run() -> Iterator[Run]:
    with Shelter() as shelter:
        yield Run(shelter, [])


def last_line(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out.splitlines()[-1]


def test_a_run_in_which_everything_passed_is_good(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    run.total = Tally(passed=3)
    assert run.report(ci=True) == 0
    assert last_line(capsys) == "3 passed, 0 failed, 0 skipped"


@pytest.mark.parametrize("ci", [True, False])
def test_a_run_in_which_nothing_ran_is_bad(run: Run, ci: bool) -> None:
    assert run.report(ci=ci) == 1


def test_a_failure_is_bad(run: Run) -> None:
    run.total = Tally(passed=3, failed=1)
    assert run.report(ci=False) == 1


def test_a_crashed_pytest_is_bad_though_all_that_ran_passed(run: Run) -> None:
    run.total, run.broken = Tally(passed=3), True
    assert run.report(ci=False) == 1


def test_a_failed_check_is_bad(run: Run) -> None:
    run.total, run.failed_checks = Tally(passed=3), ["lint"]
    assert run.report(ci=False) == 1


def test_a_phase_without_its_service_is_left_out_with_the_reason(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    def nowhere() -> tuple[str, str]:
        raise Unavailable("Chromium: none on this machine.")

    run._provide("CHROMIUM", "Chromium", nowhere)
    run.run_phase(next(phase for phase in PHASES if phase.name == "browser"), "4/4")
    run.total = Tally(passed=3)
    assert run.report(ci=False) == 0
    assert "The site in a real browser: Chromium: none on this machine." in capsys.readouterr().out
    assert run.report(ci=True) == 1


def test_a_skipped_test_counts_as_left_out(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run.total = Tally(passed=3, skipped=1, reasons=["test_it: no moon tonight"])
    assert run.report(ci=False) == 0
    assert "test_it: no moon tonight" in capsys.readouterr().out
    assert run.report(ci=True) == 1


def test_what_is_not_ours_goes_to_pytest() -> None:
    options, rest = read_arguments(["--phase", "live", "-k", "foo", "tests/dynasties", "-x"])
    assert options.phase == ["live"]
    assert rest == ["-k", "foo", "tests/dynasties", "-x"]
