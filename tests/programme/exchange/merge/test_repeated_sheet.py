"""Importing again: what the file has no longer, has again, or has of what was deleted here; and who may what of it."""

import pytest
from django.contrib.auth.models import User

from programme.backoffice.roles import Role
from programme.exchange.merge.pipeline import plan_import
from programme.exchange.values import ImportOptions
from programme.history import edits
from programme.models import Area, Event, GoneOccasion, Location, Occasion, Status
from tests.programme.backoffice.imports.pages import (
    EXPORT,
    ROWS,
    apply_and_list_messages,
    apply_import,
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


# --- What is no longer in the file -------------------------------------------------------------


def test_what_is_missing_is_told_row_by_row_and_counted(client):
    apply_import(client, show_preview(client, build_sheet(*ROWS, "Mässa;Parken;;2026-09-14;19;20;")))
    Event.objects.filter(title="Mässa").update(status=Status.DRAFT)
    page = show_preview(client, build_sheet(FEST), withdraw_missing="on")
    assert preview_rows(page)[2:] == [
        ("", "withdrawn", "Konsert", "no longer in the file: it becomes a draft, and readers do not see it"),
        (
            "",
            "deleted",
            "Fest, 2026-09-13 19:00",
            "no longer in the file: this occasion is deleted, and its event stays",
        ),
    ]
    assert "Mässa: is a draft, and stays as it is" in page.content.decode()
    assert apply_and_list_messages(client, page) == ["Withdrawn: 1 event. Deleted: 1 occasion."]
    assert dict(Event.objects.values_list("title", "status")) == {
        "Fest": "published",
        "Konsert": "draft",
        "Mässa": "draft",
    }
    assert Occasion.objects.filter(event__title="Fest").count() == 1


def test_what_is_missing_stays_where_nobody_asked(client):
    apply_import(client, show_preview(client, build_sheet(*ROWS)))
    page = show_preview(client, build_sheet(FEST))
    assert row_kinds(page) == [("left alone", "Fest"), ("left alone", "2026-09-12 19:00–20:00, Scen")]
    text = page.content.decode()
    assert "2 rows are no longer in the file, and stay" in text
    assert apply_and_list_messages(client, page) == ["Nothing had to be changed."]
    assert (Event.objects.filter(status="published").count(), Occasion.objects.count()) == (2, 3)


# --- What the file has again -------------------------------------------------------------------


def withdraw(client) -> None:
    apply_import(client, show_preview(client, build_sheet(*ROWS)))
    apply_import(client, show_preview(client, build_sheet(FEST), withdraw_missing="on"))


def test_what_an_import_withdrew_is_published_again(client):
    withdraw(client)
    page = show_preview(client, build_sheet(*ROWS))
    assert (
        "4",
        "changed",
        "Konsert",
        "an import has withdrawn it; the file has it again, so it is published again status: draft → published",
    ) in preview_rows(page)
    assert apply_and_list_messages(client, page) == ["Imported: 1 event. Brought back: 1 occasion."]
    assert Event.objects.get(title="Konsert").status == "published"


def test_an_occasion_that_an_import_deleted_comes_back_with_its_identity(client):
    apply_import(client, show_preview(client, build_sheet(*ROWS)))
    second = Occasion.objects.order_by("start")[1]
    apply_import(client, show_preview(client, build_sheet(FEST), withdraw_missing="on"))
    assert not Occasion.objects.filter(pk=second.pk).exists()
    page = show_preview(client, build_sheet(*ROWS))
    assert ("brought back", "2026-09-13 19:00–20:00") in row_kinds(page)
    apply_import(client, page)
    assert Occasion.objects.get(pk=second.pk).uuid == second.uuid
    assert not GoneOccasion.objects.filter(uuid=second.uuid).exists()


def test_what_somebody_withdrew_stays_a_draft_and_is_told(client):
    apply_import(client, show_preview(client, build_sheet(*ROWS)))
    with edits.record(User.objects.get()):
        Event.objects.filter(title="Konsert").update(status=Status.DRAFT)
    page = show_preview(client, build_sheet(*ROWS))
    assert ("4", "left alone", "Konsert", "withdrawn here: it stays a draft") in preview_rows(page)
    apply_import(client, page)
    assert Event.objects.get(title="Konsert").status == "draft"


def test_what_somebody_published_and_withdrew_after_an_import_did_stays_a_draft(client):
    withdraw(client)
    for status in (Status.PUBLISHED, Status.DRAFT):
        with edits.record(User.objects.get()):
            Event.objects.filter(title="Konsert").update(status=status)
    apply_import(client, show_preview(client, build_sheet(*ROWS)))
    assert Event.objects.get(title="Konsert").status == "draft"


def test_what_was_imported_as_a_draft_is_not_published_by_coming_again(client):
    apply_import(client, show_preview(client, build_sheet(*ROWS), new_events="draft"))
    apply_import(client, show_preview(client, build_sheet(FEST), withdraw_missing="on"))
    page = show_preview(client, build_sheet(*ROWS))
    assert ("left alone", "Konsert") in row_kinds(page)
    assert set(Event.objects.values_list("status", flat=True)) == {"draft"}


def test_an_editor_who_may_not_publish_is_told_that_it_stays_a_draft(client):
    withdraw(client)
    client.force_login(create_user_in_role(Role.EDITOR))
    page = show_preview(client, build_sheet(*ROWS))
    (told,) = [row[3] for row in preview_rows(page) if row[2] == "Konsert"]
    assert told == (
        "an import has withdrawn it; the file has it again, and it stays a draft, because you may not publish"
    )
    apply_import(client, page)
    assert Event.objects.get(title="Konsert").status == "draft"


def test_the_command_tells_what_it_published_again(run):
    run(build_xml(TEA, JAZZ))
    run(build_xml(TEA), "--withdraw-missing")
    told = run(build_xml(TEA, JAZZ))
    assert "In the file again; published again (1)\n  Jazz [2]" in told
    assert values_of(Event, "title", "status") == [("Tea", "published"), ("Jazz", "published")]


# --- What was deleted here ---------------------------------------------------------------------


def test_an_event_that_was_deleted_here_comes_back_as_it_was_if_told_to(run):
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
        with django_assert_num_queries(20):
            plan = plan_import(
                contents, ImportOptions("feast26", "", "The Feast", "The Feast", overwrite=True)
            )
        assert len(plan.restored) == 2 * (20 - kept)


def test_the_page_brings_a_deleted_event_back(client):
    apply_import(client, show_preview(client, build_sheet(*ROWS)))
    konsert = Event.objects.get(title="Konsert")
    occasion = konsert.occasions.get()
    key = f"event-{konsert.pk}-gone"
    client.post(f"/admin/programme/event/{konsert.pk}/delete/", {"post": "yes"})
    page = show_preview(client, build_sheet(FEST, SECOND, KONSERT.replace("50 kr", "60 kr")))
    assert [row[1:3] for row in preview_rows(page)][-2:] == [
        ("left deleted", "Konsert"),
        ("left deleted", "2026-09-14 19:00–20:00"),
    ]
    assert apply_and_list_messages(client, page, key) == ["Brought back: 1 event, 1 occasion."]
    back = Event.objects.get(title="Konsert")
    assert (back.pk, back.price, back.occasions.get().uuid) == (konsert.pk, "60 kr", occasion.uuid)


def test_our_own_sheet_brings_a_deleted_event_back_with_its_number(client):
    apply_import(client, show_preview(client, build_sheet(*ROWS)))
    text = client.get(f"{EXPORT}?format=csv&drafts=on").content
    konsert = Event.objects.get(title="Konsert")
    occasion = konsert.occasions.get()
    client.post(f"/admin/programme/event/{konsert.pk}/delete/", {"post": "yes"})
    page = show_preview(client, text, source="")
    assert ("left deleted", "Konsert") in row_kinds(page)
    apply_import(client, page, f"event-{konsert.pk}-gone")
    assert Occasion.objects.get(pk=occasion.pk).event_id == konsert.pk


def test_who_may_not_publish_brings_a_deleted_event_back_as_a_draft(client):
    apply_import(client, show_preview(client, build_sheet(*ROWS)))
    konsert = Event.objects.get(title="Konsert")
    client.post(f"/admin/programme/event/{konsert.pk}/delete/", {"post": "yes"})
    client.force_login(create_user_in_role(Role.EDITOR))
    apply_import(client, show_preview(client, build_sheet(*ROWS)), f"event-{konsert.pk}-gone")
    assert Event.objects.get(pk=konsert.pk).status == "draft"


def test_bringing_back_what_an_import_has_made_again_names_what_took_its_place(client):
    apply_import(client, show_preview(client, build_sheet(*ROWS)))
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


# --- Rights ------------------------------------------------------------------------------------


def test_an_unchanged_export_is_unchanged_for_an_area_editor(client):
    apply_import(client, show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr")))
    text = client.get(f"{EXPORT}?format=csv&drafts=on").content
    Area.objects.create(name="Liten")
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Liten"))
    page = show_preview(client, text, source="")
    assert {kind for kind, _title in row_kinds(page)} == {"left alone"}
    assert "There is nothing to import" in page.content.decode()


def test_a_refusal_of_rights_is_told_as_such_with_its_occasions(client):
    apply_import(client, show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr")))
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    page = show_preview(
        client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;99 kr", "Trasig;Parken;;igår;19;20;")
    )
    assert preview_rows(page)[-3:] == [
        ("5", "refused", "Mässa", "You may not change this event."),
        ("5", "refused", "2026-09-14 19:00–20:00", ""),
        ("6", "refused", "row 6, Datum", "left out: “igår” is no date: write it like 2026-09-12"),
    ]
    text = " ".join(page.content.decode().split())
    assert "1 row that cannot be read is left out." in text
    assert "1 event is left as it is, because you may not do what the file asks for." in text
    assert page.context["preview"]["counts"]["kept"] == 0


def test_an_occasion_of_another_area_is_refused_by_itself(client):
    apply_import(client, show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr")))
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    page = show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;18;20;10 kr"))
    assert preview_rows(page)[-2:] == [
        ("5", "left alone", "Mässa", ""),
        ("5", "refused", "2026-09-14 18:00–20:00", "You may not change this event."),
    ]
    before = Occasion.objects.get(event__title="Mässa").start
    apply_import(client, page)
    assert Occasion.objects.get(event__title="Mässa").start == before


def test_what_differs_in_another_area_and_stays_anyway_is_no_conflict_to_decide(client):
    apply_import(client, show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr")))
    Event.objects.filter(title="Mässa").update(price="Edited")
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    page = show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr"))
    assert page.context["conflicts"] == []
    crafted = f"event-{Event.objects.get(title='Mässa').pk}-price"
    apply_import(client, page, crafted)
    assert Event.objects.get(title="Mässa").price == "Edited"


# --- What will be ------------------------------------------------------------------------------


def test_the_time_that_is_kept_is_shown_with_the_files_beside_it(client):
    apply_import(client, show_preview(client, build_sheet(*ROWS)))
    konsert = Occasion.objects.get(event__title="Konsert")
    Occasion.objects.filter(pk=konsert.pk).update(start=konsert.start.replace(hour=16))
    page = show_preview(client, build_sheet(FEST, SECOND, KONSERT.replace("19;20", "17;20")))
    assert preview_rows(page)[-1] == (
        "4",
        "left alone",
        "2026-09-14 18:00–20:00",
        "in the file: 2026-09-14 17:00–20:00",
    )


def test_the_place_that_is_kept_is_shown_with_the_files_beside_it(client):
    apply_import(client, show_preview(client, build_sheet(*ROWS)))
    garden = Location.objects.create(name="Trädgården")
    Occasion.objects.filter(event__title="Fest", start__day=12).update(location=garden)
    page = show_preview(client, build_sheet(*ROWS))
    assert preview_rows(page)[1] == (
        "2",
        "left alone",
        "2026-09-12 19:00–20:00, Trädgården",
        "in the file: Scen",
    )


def test_what_was_deleted_in_another_area_is_told_and_not_refused(client):
    apply_import(client, show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr")))
    gone = Event.objects.get(title="Mässa")
    client.post(f"/admin/programme/event/{gone.pk}/delete/", {"post": "yes"})
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    page = show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr"))
    assert preview_rows(page)[-2] == ("5", "left deleted", "Mässa", "deleted here: it stays so")
    assert page.context["conflicts"] == []
    apply_import(client, page, f"event-{gone.pk}-gone")
    assert not Event.objects.filter(title="Mässa").exists()
