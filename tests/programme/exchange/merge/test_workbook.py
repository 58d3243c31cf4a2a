"""Importing workbooks of several sheets with the command: what is read, named, remembered and never withdrawn silently."""

from collections.abc import Callable

import pytest
from django.core.management import CommandError

from programme.models import Occasion, Revision, Status
from tests.programme.exchange.imports import report_counts, report_section
from tests.programme.exchange.workbooks import DAYS, SCENES, build_day, build_office_workbook, write_workbook

pytestmark = pytest.mark.django_db
Run = Callable[..., str]
NAMED = [
    *("“Scener” (list of places, 3 rows)", "“Anteckningar” (notes or another list, 3 rows)"),
    *("“Blad1” (empty)", "“Gamla” (programme, 2 rows, hidden in the file)"),
]
TWO_DAYS = {"Lördag": build_day(1), "Söndag": build_day(2)}
UNDATED = [["Titel", "Start"], ["Fest", "19:00"]]


@pytest.fixture
def run(run: Run) -> Run:
    return lambda content, *options: run(content, "--source", "office", *options, name="program.xlsx")


def list_published() -> list[str]:
    found = Occasion.objects.filter(event__status=Status.PUBLISHED).order_by("start")
    return [f"{each.start:%d} {each.event.title}" for each in found]


def test_eleven_days_are_one_programme_and_the_report_names_the_rest(run):
    for report in (run(build_office_workbook(), "--dry-run"), run(build_office_workbook())):
        counts = report_counts(report)
        assert (counts["events"][0], counts["occasions"][0]) == (12, 22)
        read = [f"“{name}” (programme, 2 rows)" for name in DAYS]
        assert report_section(report, "Sheets that are read") == read
        assert report_section(report, "Sheets that are not read") == NAMED
    assert len(list_published()) == 22
    report = run(build_office_workbook())
    assert (report_counts(report)["events"], report_counts(report)["occasions"]) == (
        [0, 0, 12, 0],
        [0, 0, 22, 0],
    )


def test_the_same_programme_in_one_sheet_changes_nothing(run):
    run(build_office_workbook())
    before = Revision.objects.get().number
    title, _empty, headings = build_day(0)[:3]
    rows = [row for number in range(11) for row in build_day(number)[3:]]
    run(write_workbook({"Alla": [title, headings, *rows]}))
    assert Revision.objects.get().number == before


def test_chosen_sheets_are_remembered_with_their_source(run):
    run(build_office_workbook(3), "--sheet", "Lördag", "--sheet", "gamla")
    assert list_published() == ["11 Öppet hus", "11 Konsert -364", "12 Öppet hus", "12 Konsert 2"]
    report = run(build_office_workbook(4))
    assert report_section(report, "Sheets that are read") == [
        "“Lördag” (programme, 2 rows)",
        # It was not there when the others were chosen.
        "“Måndag” (programme, 2 rows)",
        "“Gamla” (programme, 2 rows, hidden in the file)",
    ]
    run(build_office_workbook(4), "--sheet", "Söndag")
    report = run(build_office_workbook(4), "--dry-run")
    assert report_section(report, "Sheets that are read") == ["“Söndag” (programme, 2 rows)"]


def test_a_workbook_without_a_programme_is_refused(run):
    with pytest.raises(CommandError) as refused:
        run(write_workbook({"Del 1": UNDATED, "Scener": SCENES}, "Del 1"))
    assert str(refused.value).endswith(
        "none of its sheets is read as a programme: “Del 1” (has no dates, 1 row, hidden in the file); "
        "“Scener” (list of places, 3 rows)."
    )


LOST = {
    "not chosen": (TWO_DAYS, ["--sheet", "Lördag"], "“Söndag” (programme, 2 rows)", "söndag"),
    "hidden": (TWO_DAYS, [], "“Söndag” (programme, 2 rows, hidden in the file)", "söndag"),
    "without dates": (
        {"Lördag": TWO_DAYS["Lördag"], "Del 2": UNDATED}, [], "“Del 2” (has no dates, 1 row)", "del 2",
    ),
    "several": (
        {"Lördag": TWO_DAYS["Lördag"], "Del 2": UNDATED, "Del 3": UNDATED}, [],
        "“Del 2” (has no dates, 1 row), “Del 3” (has no dates, 1 row)", "del 2|del 3",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("sheets", "options", "named", "key"), LOST.values(), ids=LOST)
def test_nothing_is_withdrawn_silently_while_a_programme_is_not_read(run, sheets, options, named, key):
    run(write_workbook(TWO_DAYS))
    before = list_published()
    hidden = ["Söndag"] if "hidden" in named else []
    content = write_workbook({**sheets, "Scener": SCENES}, *hidden)
    with pytest.raises(CommandError) as refused:
        run(content, *options, "--withdraw-missing")
    asked = f"{named} {'are' if ', “' in named else 'is'} not read. Is what was imported from"
    assert asked in str(refused.value)
    assert f"--answer unread:{key}=no: No: withdraw and delete nothing" in str(refused.value)
    assert list_published() == before
    run(content, *options, "--withdraw-missing", "--answer", f"unread:{key}=no")
    assert list_published() == before
    # The answer holds for this import alone.
    with pytest.raises(CommandError, match="it needs answers first"):
        run(content, *options, "--withdraw-missing")
    run(content, *options, "--withdraw-missing", "--answer", f"unread:{key}=yes")
    assert list_published() == ["12 Öppet hus", "12 Konsert 2"]
    with pytest.raises(CommandError, match="it needs answers first"):
        run(content, *options, "--withdraw-missing")


def test_what_is_missing_is_withdrawn_beside_lists_that_are_no_programme(run):
    run(write_workbook(TWO_DAYS))
    run(write_workbook({"Lördag": build_day(1), "Scener": SCENES, "Söndag": []}), "--withdraw-missing")
    assert list_published() == ["12 Öppet hus", "12 Konsert 2"]
