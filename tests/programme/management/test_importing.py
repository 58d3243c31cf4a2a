"""`festival import`: a file is read as the page has read its source last, and what is not clear is listed."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.translation import override

from programme.models import Event
from tests.programme.backoffice.imports.pages import (
    apply_preview,
    read_upload,
    show_preview,
    sign_in_administrator,
)

pytestmark = pytest.mark.django_db
HEADINGS = "Titel;Område;Datum;Start\n"
Import = Callable[..., str]


@pytest.fixture
def client() -> Client:
    return sign_in_administrator()


@pytest.fixture
def import_file(tmp_path: Path) -> Import:
    """Import a file, and return what is printed, or raise."""

    def run(content: str, *options: str, name: str = "programme.csv", accepts: bool = True) -> str:
        path, printed = tmp_path / name, io.StringIO()
        path.write_text(content)
        options += ("--accept-suspicious",) if accepts else ()
        with override("en"):
            call_command("import", str(path), *options, stdout=printed)
        return printed.getvalue()

    return run


def list_stored() -> list[tuple]:
    return list(Event.objects.order_by("title").values_list("title", "area__name", "source", "status"))


def test_a_source_is_read_as_it_was_on_the_page(client, import_file):
    page = show_preview(client, b"Namn;Datum;Start\nJazz;9/12/2026;19\n", new_events="draft", area="Staden")
    address = page.wsgi_request.path
    client.post(f"{address}answers/", {"answer-date-order": "month"})
    apply_preview(client, read_upload(client, address))
    assert list_stored() == [("Jazz", "Staden", "office", "draft")]
    # It is the next version by its name, and the area, the answer and the choices are those of the page.
    said = import_file("Namn;Datum;Start\nJazz;9/11/2026;19\nKör;9/12/2026;20\n", name="office v2.csv")
    assert list_stored() == [("Jazz", "Staden", "office", "draft"), ("Kör", "Staden", "office", "draft")]
    starts = Event.objects.values_list("occasions__start__day", "occasions__start__month").order_by("title")
    assert list(starts) == [(11, 9), (12, 9)]
    assert said.splitlines()[:2] == ["New: 1", "With changes: 1"]


def test_what_is_asked_is_listed_and_nothing_is_written(import_file):
    content = f"{HEADINGS}A;Parken;2026-09-12;19\nB;Parken;2026-09-12;19\nC;Prken;2026-09-12;19\n"
    with pytest.raises(CommandError, match="it needs answers first:\nArea “Prken”"):
        import_file(content, "--source", "x")
    said = import_file(content, "--source", "x", "--dry-run")
    assert said.startswith("Nothing is written; this is what would be done:\nNew: 3\n")
    assert "\nArea “Prken”" in said
    assert "\n  - " in said
    assert not Event.objects.exists()


def test_what_looks_odd_ends_it_with_3_and_is_named(import_file):
    content = f"{HEADINGS}Jazz;Staden;2099-09-12;19-20\nArvode;Staden;2099-09-12;19-20\n0412;Staden;2099-09-12;3-4\n"
    with pytest.raises(CommandError) as refused:
        import_file(content, "--source", "x", accepts=False)
    assert refused.value.returncode == 3
    assert str(refused.value) == (
        "This looks odd, and is imported only with --accept-suspicious:\n"
        "Dates more than a year ahead: rows 2–4\n"
        "In the night, though the others there are not: 1\n  row 4: 0412, Sat 12 Sep 2099 03:00–04:00\n"
        "Titles that are numbers, dates, times or texts: 1\n  row 4: 0412"
    )
    assert not Event.objects.exists()
    import_file(content, "--source", "x")
    assert Event.objects.count() == 3


def test_rows_that_are_refused_end_it_with_an_error_after_the_others_are_imported(import_file):
    content = f"{HEADINGS}Jazz;Staden;2026-09-12;19-20\nFilm;Staden;igår;19\n"
    with pytest.raises(CommandError) as refused:
        import_file(content, "--source", "x")
    assert str(refused.value) == (
        "1 row or entry is refused:\n"
        "  row 3, Datum (“Film”): left out: “igår” is no date: write it in figures, like 2026-09-12"
    )
    assert list_stored() == [("Jazz", "Staden", "x", "published")]


def test_a_file_that_cannot_be_imported_is_refused_in_a_sentence(import_file, tmp_path):
    with pytest.raises(CommandError) as refused:
        import_file("")
    assert str(refused.value) == f"{tmp_path / 'programme.csv'} is not imported: it is empty."


def test_an_empty_service_is_asked_nothing_that_the_file_can_fill(import_file):
    import_file("Titel;Datum;Start\nJazz;2026-09-12;19\n", name="Kulturnatt.csv")
    assert list_stored() == [("Jazz", "Kulturnatt", "Kulturnatt", "published")]


def test_a_file_that_is_not_there_is_named(tmp_path):
    with override("en"), pytest.raises(CommandError, match="is not imported: No such file or directory"):
        call_command("import", str(tmp_path / "gone.csv"))
