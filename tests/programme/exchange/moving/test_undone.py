"""A programme that has moved in is taken away again by undoing, and the same files bring all of it once more."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction

from programme.exchange.merge.history import update_memory
from programme.history import edits
from programme.history.undo import apply_undo, name_undo, plan_undo
from programme.models import Area, Edit, Event, ImportedRow
from tests.programme.exchange.moving.services import empty, fetch, save_files

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sample")]


def move_in(files: list[str]) -> Edit:
    call_command("import", *files, verbosity=0)
    return Edit.objects.latest("pk")


def undo(edit: Edit) -> None:
    plan = plan_undo(edit)
    assert plan.staying == []
    with transaction.atomic(), edits.record(reason=name_undo(edit)[0], detail=name_undo(edit)[1]):
        update_memory(plan)
        apply_undo(plan)


def read_areas() -> list[Any]:
    return list(Area.objects.order_by("name").values_list("name", "color", "info_sv", "price"))


def test_all_of_it_goes_and_comes_again(tmp_path: Path) -> None:
    before, files = read_areas(), save_files(tmp_path)
    empty()
    undo(move_in(files))
    assert (Area.objects.count(), Event.objects.count()) == (0, 0)
    assert all(row.kind.startswith("undone-") for row in ImportedRow.objects.all())
    move_in(files)
    assert read_areas() == before


def test_what_a_second_move_changed_of_an_area_comes_again(tmp_path: Path) -> None:
    files = save_files(tmp_path)
    move_in(files)
    name, color = Area.objects.exclude(color="").values_list("name", "color")[0]
    changed = fetch("/api/areas.json").replace(color.encode(), b"#123456")
    Path(files[2]).write_bytes(changed)
    second = move_in(files)
    assert Area.objects.get(name=name).color == "#123456"
    undo(second)
    assert Area.objects.get(name=name).color == color
    move_in(files)
    assert Area.objects.get(name=name).color == "#123456"
