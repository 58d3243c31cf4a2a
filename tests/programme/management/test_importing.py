"""`festival import` by itself: saved columns, the year, and what it says of rows that are refused."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils.translation import override

from programme.exchange.readers.sheet.mapping import Mapping, Part, Source, save_mapping
from programme.models import Event, ImportedRow, Occasion, SheetMapping
from tests.conftest import SetClock
from tests.programme.exchange.workbooks import write_workbook

pytestmark = pytest.mark.django_db
HEADINGS = ("Vad händer", "Var", "Dag", "Kl")
MAPPING = Mapping(
    HEADINGS,
    {
        "title": Source((0,)),
        "location": Source((1,), Part.BEFORE_COMMA),
        "room": Source((1,), Part.AFTER_COMMA),
        "day": Source((2,)),
        "start": Source((3,)),
        "area": Source(fixed="Staden"),
    },
)
SHEET = "Vad händer;Var;Dag;Kl\nJazz;Huset, Salen;2026-09-12;19-20\n"
REFUSED = "Titel;Område;Datum;Start\nJazz;Staden;2026-09-12;19-20\nFilm;Staden;igår;19\nTal;Staden;2026-09-12;sent\n"
Import = Callable[..., str]


@pytest.fixture
def import_file(tmp_path: Path, at: SetClock) -> Import:
    """Import a file, or none, and return the report, or raise with it."""

    def run(content: str | bytes | None, *options: str) -> str:
        path, report = tmp_path / "programme.csv", io.StringIO()
        if content is not None:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        files = [] if content is None else [str(path)]
        with override("en"):
            call_command("import", *files, *options, stdout=report)
        return report.getvalue()

    return run


def list_stored() -> list[tuple]:
    names = ("event__title", "event__area__name", "event__location__name", "event__room__name")
    return list(Occasion.objects.values_list(*names))


def test_rows_that_are_refused_end_it_with_an_error_after_the_others_are_imported(import_file):
    refused = (
        "2 rows or entries are refused:\n"
        "  row 3, Datum (“Film”): left out: “igår” is no date: write it in figures, like 2026-09-12\n"
        "  row 4, Start (“Tal”): left out: “sent” is no time: write it in figures, like 18.30–20"
    )
    with pytest.raises(CommandError) as error:
        import_file(REFUSED, "--source", "x", "--dry-run")
    assert (str(error.value), error.value.returncode, Event.objects.count()) == (refused, 1, 0)
    with pytest.raises(CommandError) as error:
        import_file(REFUSED, "--source", "x")
    assert (str(error.value), Event.objects.get().title) == (refused, "Jazz")
    assert "row 3, Datum (“Film”): left out" in import_file(REFUSED, "--source", "x", "--allow-refused")


def test_saved_columns_go_to_another_installation_with_the_answers(import_file, tmp_path):
    save_mapping("Kansliet", MAPPING)
    file = str(tmp_path / "office.toml")
    import_file(SHEET, "--source", "office", "--answer", "date-order=day")
    ImportedRow.objects.create(
        kind=ImportedRow.ANSWERS, row_id=1, source="office", values={"layout": "yes", "sheet:lördag": "yes"}
    )
    stored = list_stored()
    assert stored == [("Jazz", "Staden", "Huset", "Salen")]
    import_file(None, "--columns", "kansliet", "--source", "office", "--save-columns", file)
    assert (tmp_path / "office.toml").read_text() == (
        'source = "office"\n\n[answers]\n"layout" = "yes"\n"sheet:lördag" = "yes"\n\n'
        '[[sheets]]\nname = "Kansliet"\nheadings = ["Vad händer", "Var", "Dag", "Kl"]\n\n[sheets.fields]\n'
        'title = { columns = ["Vad händer"] }\narea = { fixed = "Staden" }\n'
        'location = { columns = ["Var"], part = "before" }\n'
        'room = { columns = ["Var"], part = "after" }\n'
        'day = { columns = ["Dag"] }\nstart = { columns = ["Kl"] }\n'
    )
    for model in (Event, SheetMapping, ImportedRow):
        model.objects.all().delete()
    # The columns may stand in another order, and there may be more of them.
    moved = "Nytt;Kl;Vad händer;Dag;Var\nx;19-20;Jazz;2026-09-12;Huset, Salen\n"
    import_file(moved, "--columns", file, "--dry-run")
    assert (Event.objects.count(), SheetMapping.objects.count()) == (0, 0)
    import_file(moved, "--columns", file)
    assert (list_stored(), Event.objects.get().source) == (stored, "office")
    saved = SheetMapping.objects.get()
    assert (saved.name, saved.headings, saved.key) == ("Kansliet", list(HEADINGS), MAPPING.digest)


def test_how_a_file_is_read_is_written_with_the_sheets_that_are_chosen(import_file, tmp_path):
    rows = [["Titel", "Datum", "Start"], ["Jazz", "2026-09-12", "19-20"]]
    content = write_workbook({"Program": rows, "Gammalt": [["Namn", "Datum", "Start"], *rows[1:]]})
    written = tmp_path / "x.toml"
    assert import_file(content, "--sheet", "Program", "--save-columns", str(written)) == ""
    assert (written.read_text(), Event.objects.count()) == (
        '[answers]\n"sheet:" = "no"\n"sheet:program" = "yes"\n\n'
        '[[sheets]]\nname = "Program"\nheadings = ["Titel", "Datum", "Start"]\n\n[sheets.fields]\n'
        'title = { columns = ["Titel"] }\nday = { columns = ["Datum"] }\nstart = { columns = ["Start"] }\n',
        0,
    )
    grid = write_workbook({"Lördag": [["", "Torget", "Parken"], ["19-20", "Jazz", "Kör"]]})
    assert import_file(grid, "--save-columns", str(written)) == ""
    assert written.read_text() == (
        '[answers]\n"layout:lördag" = '
        '"{\\"kind\\":\\"grid\\",\\"name\\":\\"day\\",\\"down\\":\\"time\\",\\"across\\":\\"place\\"}"\n'
    )
    with pytest.raises(CommandError) as error:
        import_file(None, "--save-columns", str(written))
    assert "nothing is saved: name a file, or a source with --source" in str(error.value)


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        (None, "no columns are saved as “x.tom”, only “Kansliet”"),
        ("sheets = [", "Invalid value (at end of document)"),
        ("rows = []", "Object contains unknown field `rows`"),
        ("[[sheets]]\nheadings = []\nfields.titel = {}", "there is no field “titel”"),
        ("[[sheets]]\nheadings = []\nfields.day = {}", "it does not say which column is the title"),
        (
            '[[sheets]]\nheadings = ["A"]\nfields.title = { columns = ["B"] }',
            "“B” is not the heading of one column",
        ),
        ('[[sheets]]\nheadings = ["A"]\nfields.title = { columns = [2] }', "“2” is not the heading of one column"),
        (
            '[[sheets]]\nheadings = ["Akt", "När"]\nfields.title = { columns = ["Akt"] }',
            "the columns do not fit: none of its first rows has the headings Akt",
        ),
    ],
)  # fmt: skip
def test_columns_that_cannot_be_used_are_refused_in_a_sentence(import_file, tmp_path, columns, reason):
    save_mapping("Kansliet", MAPPING)
    file = tmp_path / "x.toml"
    file.write_text(columns or "")
    name = str(file) if columns else "x.tom"
    with pytest.raises(CommandError) as error:
        import_file(SHEET, "--columns", name, "--source", "x")
    where = "" if columns is None or "fit" in reason else f"the columns in {file} cannot be used: "
    assert str(error.value) == f"{tmp_path}/programme.csv is not imported: {where}{reason}."
    assert (Event.objects.count(), SheetMapping.objects.count()) == (0, 1)


def test_the_year_of_dates_without_one_beats_all_that_speaks_for_another(import_file):
    # A Saturday in 2026.
    sheet = "Titel;Område;Datum;Start\nJazz;Staden;lör 12/9;19-20\nFilm;Staden;2/1;19-20\nTal;Staden;30/12;19-20\n"
    import_file(sheet, "--source", "x", "--year", "2027")
    assert sorted(f"{each:%Y-%m-%d}" for each in Occasion.objects.values_list("start", flat=True)) == [
        "2027-09-12",
        "2027-12-30",
        "2028-01-02",
    ]
    with pytest.raises(CommandError, match="write it as 2026"):
        import_file(sheet, "--year", "26")


def test_a_file_has_to_be_named(import_file):
    with pytest.raises(CommandError, match="name the file to import"):
        import_file(None)
