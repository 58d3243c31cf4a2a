"""What an import withdrew or deleted is published or restored when the file has it again."""

import pytest
from django.contrib.auth.models import User

from programme.backoffice.roles import Role
from programme.exchange.merge.pipeline import plan_import
from programme.exchange.values import ImportOptions
from programme.history import edits
from programme.models import Event, GoneOccasion, Location, Occasion, Status
from tests.programme.backoffice.imports.pages import (
    EXPORT,
    ROWS,
    apply_and_list_messages,
    apply_preview,
    build_sheet,
    create_user_in_role,
    preview_rows,
    row_kinds,
    show_preview,
)
from tests.programme.backoffice.requests import submission
from tests.programme.exchange.imports import overwrite_all, read_xml, values_of
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
        "an import has withdrawn it; the file has it again, so it is published again Status draft → becomes published",
    ) in preview_rows(page)
    assert apply_and_list_messages(client, page) == ["Imported: 1 event. Restored: 1 occasion."]
    assert Event.objects.get(title="Konsert").status == "published"


def test_an_occasion_that_an_import_deleted_is_restored_with_its_identity(client, imported):
    second = Occasion.objects.order_by("start")[1]
    apply_preview(client, show_preview(client, build_sheet(FEST), withdraw_missing="on"))
    assert not Occasion.objects.filter(pk=second.pk).exists()
    page = show_preview(client, build_sheet(*ROWS))
    assert ("restored", "Sun 13 Sep 19:00–20:00, Scen") in row_kinds(page)
    apply_preview(client, page)
    assert Occasion.objects.get(pk=second.pk).uuid == second.uuid
    assert not GoneOccasion.objects.filter(uuid=second.uuid).exists()


def test_what_somebody_withdrew_stays_a_draft_and_is_listed(client, imported):
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
    assert row_kinds(page) == [
        *[("left alone", "Fest"), ("left alone", "Sat 12 Sep 19:00–20:00, Scen")],
        ("restored", "Sun 13 Sep 19:00–20:00, Scen"),
    ]
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


TWICE = [TEA, TEA | {"date": "2026-07-31T15:00:00+02:00", "guid": "g9"}]


def test_an_event_that_was_deleted_here_is_restored_as_it_was_if_asked_for(run):
    run(build_xml(*TWICE, JAZZ))
    Event.objects.filter(title="Tea").update(price="Free")
    tea = Event.objects.get(title="Tea")
    Occasion.objects.create(event=tea, start=tea.occasions.first().start, end=tea.occasions.last().end)
    before = values_of(Occasion, "id", "uuid", "event_id")
    green = [each | {"title": "Green tea"} for each in TWICE]
    with edits.record():
        Event.objects.get(pk=tea.pk).delete()
    run(build_xml(*green, JAZZ), "--overwrite")
    back = Event.objects.get(pk=tea.pk)
    expected = ("Green tea", "Free", "1", tea.published_at)
    assert (back.title, back.price, back.source_id, back.published_at) == expected
    assert values_of(Occasion, "id", "uuid", "event_id") == before
    assert "Edited here" not in run(build_xml(*green, JAZZ))


def test_what_it_named_that_is_gone_is_left_out(run):
    run(build_xml(TEA, JAZZ))
    tea = Event.objects.get(title="Tea")
    tea.occasions.update(location=Location.objects.create(name="Garden"), room=None)
    with edits.record():
        Event.objects.get(pk=tea.pk).delete()
        Location.objects.filter(name="Garden").delete()
    run(build_xml(TEA | {"room": ""}, JAZZ | {"room": ""}), "--overwrite")
    assert tea.occasions.get().location is None


def test_many_deleted_events_come_back_in_as_many_queries_as_one(run, django_assert_num_queries):
    many = [TEA | {"id": f"t{n}", "guid": f"t{n}", "title": f"Tea {n}"} for n in range(20)]
    run(build_xml(*many))
    for kept in (19, 0):
        for event in Event.objects.all()[kept:]:
            with edits.record():
                event.delete()
        contents = read_xml(build_xml(*many))
        order = overwrite_all(contents, ImportOptions("feast26", "", "The Feast", "The Feast"))
        with django_assert_num_queries(22):
            plan = plan_import(contents, order)
        assert len(plan.plan.written) == 2 * (20 - kept)


def test_the_page_restores_a_deleted_event(client, imported):
    konsert = Event.objects.get(title="Konsert")
    occasion = konsert.occasions.get()
    key = f"event-{konsert.pk}-gone"
    client.post(f"/admin/programme/event/{konsert.pk}/delete/", {"post": "yes"})
    page = show_preview(client, build_sheet(FEST, SECOND, KONSERT.replace("50 kr", "60 kr")))
    assert [row[1:3] for row in preview_rows(page)][-2:] == [
        ("left deleted", "Konsert"),
        ("left deleted", "Mon 14 Sep 19:00–20:00"),
    ]
    assert apply_and_list_messages(client, page, key) == ["Restored: 1 event, 1 occasion."]
    back = Event.objects.get(title="Konsert")
    assert (back.pk, back.price, back.occasions.get().uuid) == (konsert.pk, "60 kr", occasion.uuid)


def test_an_exported_sheet_restores_a_deleted_event_with_its_number(client, imported):
    text = client.get(f"{EXPORT}?format=csv&drafts=on&all=on").getvalue()
    konsert = Event.objects.get(title="Konsert")
    occasion = konsert.occasions.get()
    client.post(f"/admin/programme/event/{konsert.pk}/delete/", {"post": "yes"})
    page = show_preview(client, text, source="")
    assert ("left deleted", "Konsert") in row_kinds(page)
    apply_preview(client, page, f"event-{konsert.pk}-gone")
    assert Occasion.objects.get(pk=occasion.pk).event_id == konsert.pk


def test_who_may_not_publish_restores_a_deleted_event_as_a_draft(client, imported):
    konsert = Event.objects.get(title="Konsert")
    client.post(f"/admin/programme/event/{konsert.pk}/delete/", {"post": "yes"})
    client.force_login(create_user_in_role(Role.EDITOR))
    apply_preview(client, show_preview(client, build_sheet(*ROWS)), f"event-{konsert.pk}-gone")
    assert Event.objects.get(pk=konsert.pk).status == "draft"


def test_what_an_import_has_created_again_is_restored_once_that_is_gone(client, imported):
    konsert = Event.objects.get(title="Konsert")
    client.post(f"/admin/programme/event/{konsert.pk}/delete/", {"post": "yes"})
    other = Event.objects.create(
        title="Konsert", area=konsert.area, type=konsert.type, source="office", source_id=konsert.source_id
    )
    address = f"/admin/programme/event/{konsert.pk}/bring-back/"
    page = client.get(address)
    assert "_is_unique" not in client.post(address, {"seen": page.context["preview"].seen}).content.decode()
    other.delete()
    page = client.get(address)
    client.post(address, submission(page))
    assert Event.objects.filter(pk=konsert.pk).exists()
