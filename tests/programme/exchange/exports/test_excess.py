"""What a sheet would exceed of the import's limits is said before it is written, and nothing else."""

import csv
import io
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command
from django.utils.translation import override
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from programme.exchange.exports import rows, sheet
from programme.exchange.exports.sheet import EXPORTS
from programme.exchange.readers.registry import build_import_defaults, read
from programme.exchange.values import UnreadableFileError
from programme.models import Event, Occasion

pytestmark = pytest.mark.usefixtures("sample")

ADVICE = "If the file is to be imported again, export fewer events at a time."


def find(kind: str) -> list[str]:
    with override("en"):
        return EXPORTS[kind].find_excess(Event.objects.all())


def write(kind: str) -> bytes:
    return EXPORTS[kind].write(Event.objects.all())


@pytest.mark.parametrize("kind", EXPORTS)
def test_nothing_is_said_of_what_the_import_reads(kind: str) -> None:
    assert find(kind) == []


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_rows_are_counted_as_the_import_counts_them(kind: str, settings: Settings) -> None:
    # The heading, the occasions, and one event without any.
    settings.IMPORT_ROWS = count = 1 + Occasion.objects.count() + 1
    assert find(kind) == []
    read(write(kind), f"x.{kind}", build_import_defaults())
    settings.IMPORT_ROWS -= 1
    assert find(kind) == [f"The file has {count} rows, and the import reads at most {count - 1}.", ADVICE]
    with pytest.raises(UnreadableFileError):
        read(write(kind), f"x.{kind}", build_import_defaults())


def test_filled_cells_are_counted_as_the_import_counts_them(settings: Settings) -> None:
    read_back = csv.reader(io.StringIO(write("csv").decode("utf-8-sig"), newline=""), delimiter=";")
    settings.IMPORT_CELLS = cells = sum(len(row) - row.count("") for row in read_back)
    assert find("csv") == find("xlsx") == []
    read(write("csv"), "x.csv", build_import_defaults())
    settings.IMPORT_CELLS -= 1
    says = f"The file may have more than {cells - 1} filled cells, the most that the import reads."
    assert find("csv") == find("xlsx") == [says, ADVICE]
    with pytest.raises(UnreadableFileError):
        read(write("csv"), "x.csv", build_import_defaults())


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_file_that_is_too_large_to_upload_is_said_to_be(kind: str, settings: Settings) -> None:
    settings.IMPORT_MB = 1
    letters = Random(1).choices(range(0x4E00, 0x9000), k=32_000)  # noqa: S311 - no secret
    Event.objects.update(description_sv="".join(map(chr, letters)))
    assert len(write(kind)) > 1024 * 1024
    assert find(kind) == ["The file may be larger than 1 MB, the most that the import reads.", ADVICE]


def test_a_workbook_that_is_too_large_unpacked_is_said_to_be(settings: Settings) -> None:
    Event.objects.update(description_sv="å" * 32_000)
    read(write("xlsx"), "x.xlsx", build_import_defaults())
    settings.IMPORT_UNPACKED_MB = 1
    says = "Unpacked, the file may be larger than 1 MB, the most that the import reads."
    assert find("xlsx") == [says, ADVICE]
    assert find("csv") == []
    with pytest.raises(UnreadableFileError):
        read(write("xlsx"), "x.xlsx", build_import_defaults())


def test_numbers_are_written_as_in_the_language(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.IMPORT_ROWS = 20_000
    monkeypatch.setattr(sheet, "count_rows", lambda _events: 54_001)
    with override("sv"):
        first, *_more, last = EXPORTS["csv"].find_excess(Event.objects.all())
    assert first == "Filen har 54\xa0001 rader, och importen läser högst 20\xa0000."
    assert last == "Exportera färre programpunkter åt gången om filen ska importeras igen."


def test_some_events_of_many_are_read(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Rows and IDs of the eight, the order of two, and twice, one by one, an event and its occasions."""
    monkeypatch.setattr(sheet, "SAMPLE", 2)
    monkeypatch.setattr(rows, "CHUNK", 1)
    with django_assert_num_queries(7):
        find("xlsx")


def test_the_command_says_it_and_writes_the_file(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.IMPORT_ROWS, path = 1, tmp_path / "x.csv"
    with override("en"):
        call_command("export", str(path), "--drafts")
        assert path.read_bytes() == write("csv")
    count = Occasion.objects.count() + 2
    assert capsys.readouterr().err.splitlines() == [
        f"The file has {count} rows, and the import reads at most 1.",
        ADVICE,
    ]
