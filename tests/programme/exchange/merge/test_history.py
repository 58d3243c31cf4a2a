"""What an import withdrew or deleted is published or restored when the file has it again."""

import pytest
from django.contrib.auth.models import User

from programme.backoffice.roles import Role
from programme.history import edits
from programme.models import Event, GoneOccasion, Occasion, Status
from tests.programme.backoffice.imports.pages import (
    ROWS,
    apply_and_list_messages,
    apply_preview,
    build_sheet,
    create_user_in_role,
    preview_rows,
    row_kinds,
    show_preview,
)
from tests.programme.exchange.imports import values_of
from tests.programme.exchange.schedules import JAZZ, TEA, build_xml

pytestmark = pytest.mark.django_db

FEST, SECOND, KONSERT = ROWS


def withdraw(client) -> None:
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    apply_preview(client, show_preview(client, build_sheet(FEST), withdraw_missing="on"))


def test_what_an_import_withdrew_is_published_again(client):
    withdraw(client)
    page = show_preview(client, build_sheet(*ROWS))
    assert (
        "4",
        "changed",
        "Konsert",
        "an import has withdrawn it; the file has it again, so it is published again status: draft → published",
    ) in preview_rows(page)
    assert apply_and_list_messages(client, page) == ["Imported: 1 event. Restored: 1 occasion."]
    assert Event.objects.get(title="Konsert").status == "published"


def test_an_occasion_that_an_import_deleted_is_restored_with_its_identity(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    second = Occasion.objects.order_by("start")[1]
    apply_preview(client, show_preview(client, build_sheet(FEST), withdraw_missing="on"))
    assert not Occasion.objects.filter(pk=second.pk).exists()
    page = show_preview(client, build_sheet(*ROWS))
    assert ("restored", "2026-09-13 19:00–20:00, Scen") in row_kinds(page)
    apply_preview(client, page)
    assert Occasion.objects.get(pk=second.pk).uuid == second.uuid
    assert not GoneOccasion.objects.filter(uuid=second.uuid).exists()


def test_what_somebody_withdrew_stays_a_draft_and_is_listed(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    with edits.record(User.objects.get()):
        Event.objects.filter(title="Konsert").update(status=Status.DRAFT)
    page = show_preview(client, build_sheet(*ROWS))
    assert ("4", "left alone", "Konsert", "withdrawn here: it stays a draft") in preview_rows(page)
    apply_preview(client, page)
    assert Event.objects.get(title="Konsert").status == "draft"


def test_what_somebody_published_and_withdrew_after_an_import_did_stays_a_draft(client):
    withdraw(client)
    for status in (Status.PUBLISHED, Status.DRAFT):
        with edits.record(User.objects.get()):
            Event.objects.filter(title="Konsert").update(status=status)
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    assert Event.objects.get(title="Konsert").status == "draft"


def test_what_was_imported_as_a_draft_is_not_published_by_coming_again(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS), new_events="draft"))
    apply_preview(client, show_preview(client, build_sheet(FEST), withdraw_missing="on"))
    page = show_preview(client, build_sheet(*ROWS))
    assert ("left alone", "Konsert") in row_kinds(page)
    assert set(Event.objects.values_list("status", flat=True)) == {"draft"}


def test_an_editor_who_may_not_publish_sees_that_it_stays_a_draft(client):
    withdraw(client)
    client.force_login(create_user_in_role(Role.EDITOR))
    page = show_preview(client, build_sheet(*ROWS))
    (report,) = [row[3] for row in preview_rows(page) if row[2] == "Konsert"]
    assert report == (
        "an import has withdrawn it; the file has it again, and it stays a draft, because you may not publish"
    )
    apply_preview(client, page)
    assert Event.objects.get(title="Konsert").status == "draft"


def test_the_command_lists_what_it_published_again(run):
    run(build_xml(TEA, JAZZ))
    run(build_xml(TEA), "--withdraw-missing")
    report = run(build_xml(TEA, JAZZ))
    assert "In the file again; published again (1)\n  Jazz [2]" in report
    assert values_of(Event, "title", "status") == [("Tea", "published"), ("Jazz", "published")]
