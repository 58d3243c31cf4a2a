"""What an editor deleted stays deleted, and is restored with its identity if that is decided."""

import pytest

from programme.backoffice.roles import Role
from programme.exchange.merge.pipeline import plan_import
from programme.exchange.values import ImportOptions
from programme.history import edits
from programme.models import Event, Location, Occasion
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
from tests.programme.exchange.imports import read_xml, values_of
from tests.programme.exchange.schedules import JAZZ, TEA, build_xml

pytestmark = pytest.mark.django_db

FEST, SECOND, KONSERT = ROWS
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
    assert (back.title, back.price, back.source_id, back.published_at) == (
        "Green tea",
        "Free",
        "1",
        tea.published_at,
    )
    assert values_of(Occasion, "id", "uuid", "event_id") == before
    assert "Edited here" not in run(build_xml(*green, JAZZ))


def test_what_it_named_that_is_gone_is_left_out(run):
    run(build_xml(TEA, JAZZ))
    tea = Event.objects.get(title="Tea")
    Event.objects.filter(pk=tea.pk).update(location=Location.objects.create(name="Garden"), room=None)
    with edits.record():
        Event.objects.get(pk=tea.pk).delete()
        Location.objects.filter(name="Garden").delete()
    run(build_xml(TEA | {"room": ""}, JAZZ | {"room": ""}), "--overwrite")
    assert Event.objects.get(pk=tea.pk).location is None


def test_many_deleted_events_come_back_in_as_many_queries_as_one(run, django_assert_num_queries):
    many = [TEA | {"id": f"t{n}", "guid": f"t{n}", "title": f"Tea {n}"} for n in range(20)]
    run(build_xml(*many))
    for kept in (19, 0):
        for event in Event.objects.all()[kept:]:
            with edits.record():
                event.delete()
        contents = read_xml(build_xml(*many))
        with django_assert_num_queries(30):
            plan = plan_import(
                contents, ImportOptions("feast26", "", "The Feast", "The Feast", overwrite=True)
            )
        assert len(plan.restored) == 2 * (20 - kept)


def test_the_page_restores_a_deleted_event(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    konsert = Event.objects.get(title="Konsert")
    occasion = konsert.occasions.get()
    key = f"event-{konsert.pk}-gone"
    client.post(f"/admin/programme/event/{konsert.pk}/delete/", {"post": "yes"})
    page = show_preview(client, build_sheet(FEST, SECOND, KONSERT.replace("50 kr", "60 kr")))
    assert [row[1:3] for row in preview_rows(page)][-2:] == [
        ("left deleted", "Konsert"),
        ("left deleted", "2026-09-14 19:00–20:00"),
    ]
    assert apply_and_list_messages(client, page, key) == ["Restored: 1 event, 1 occasion."]
    back = Event.objects.get(title="Konsert")
    assert (back.pk, back.price, back.occasions.get().uuid) == (konsert.pk, "60 kr", occasion.uuid)


def test_an_exported_sheet_restores_a_deleted_event_with_its_number(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    text = client.get(f"{EXPORT}?format=csv&drafts=on").getvalue()
    konsert = Event.objects.get(title="Konsert")
    occasion = konsert.occasions.get()
    client.post(f"/admin/programme/event/{konsert.pk}/delete/", {"post": "yes"})
    page = show_preview(client, text, source="")
    assert ("left deleted", "Konsert") in row_kinds(page)
    apply_preview(client, page, f"event-{konsert.pk}-gone")
    assert Occasion.objects.get(pk=occasion.pk).event_id == konsert.pk


def test_who_may_not_publish_restores_a_deleted_event_as_a_draft(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    konsert = Event.objects.get(title="Konsert")
    client.post(f"/admin/programme/event/{konsert.pk}/delete/", {"post": "yes"})
    client.force_login(create_user_in_role(Role.EDITOR))
    apply_preview(client, show_preview(client, build_sheet(*ROWS)), f"event-{konsert.pk}-gone")
    assert Event.objects.get(pk=konsert.pk).status == "draft"


def test_restoring_what_an_import_has_created_again_names_what_took_its_place(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    konsert = Event.objects.get(title="Konsert")
    client.post(f"/admin/programme/event/{konsert.pk}/delete/", {"post": "yes"})
    other = Event.objects.create(
        title="Konsert", area=konsert.area, type=konsert.type, source="office", source_id=konsert.source_id
    )
    address = f"/admin/programme/event/{konsert.pk}/bring-back/"
    page = client.get(address)
    text = page.content.decode()
    assert "an import has created it again in the meantime" in text
    assert f"/admin/programme/event/{other.pk}/change/" in text
    assert "_is_unique" not in client.post(address, {"seen": page.context["seen"]}).content.decode()
    other.delete()
    page = client.get(address)
    client.post(address, {"seen": page.context["seen"], "state": page.context["state"]})
    assert Event.objects.filter(pk=konsert.pk).exists()
