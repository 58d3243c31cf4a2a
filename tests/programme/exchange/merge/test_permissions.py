"""What the person who imports may not do is refused row by row."""

import pytest
from django.utils.translation import override

from programme.backoffice.roles import Role
from programme.changes.rights import rights_of
from programme.exchange.values import ImportOptions
from programme.models import Area, Event, Occasion, Status
from tests.programme.backoffice.imports.pages import (
    EXPORT,
    ROWS,
    apply_preview,
    build_sheet,
    create_user_in_role,
    preview_rows,
    row_kinds,
    show_preview,
)
from tests.programme.exchange.imports import apply_import, read_xml
from tests.programme.exchange.schedules import JAZZ, LATER, TEA, build_xml

pytestmark = pytest.mark.django_db


def test_an_unchanged_export_is_unchanged_for_an_area_editor(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr")))
    text = client.get(f"{EXPORT}?format=csv&drafts=on&all=on").getvalue()
    Area.objects.create(name="Liten")
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Liten"))
    page = show_preview(client, text, source="")
    assert (row_kinds(page), page.context["folded"]) == ([], 3)
    assert "There is nothing to import" in page.content.decode()


def test_a_refusal_is_shown_as_such_with_its_occasions(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr")))
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    page = show_preview(
        client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;99 kr", "Trasig;Parken;;igår;19;20;")
    )
    assert preview_rows(page) == [
        ("6", "refused", "Trasig", "Left out: “igår” is no date: write it in figures, like 2026-09-12"),
        ("5", "refused", "Mässa", "You may not change this event."),
        ("5", "refused", "Mon 14 Sep 19:00–20:00", ""),
    ]
    text = " ".join(page.content.decode().split())
    assert "1 row that cannot be read is left out." in text
    assert "1 event is left as it is, because you may not do what the file asks for." in text
    assert page.context["preview"]["counts"]["kept"] == 0


def test_an_occasion_of_another_area_is_refused_by_itself(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr")))
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    page = show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;18;20;10 kr"))
    assert preview_rows(page)[-2:] == [
        ("5", "left alone", "Mässa", ""),
        ("5", "refused", "Mon 14 Sep 18:00–20:00", "You may not change this event."),
    ]
    before = Occasion.objects.get(event__title="Mässa").start
    apply_preview(client, page)
    assert Occasion.objects.get(event__title="Mässa").start == before


def test_what_differs_in_another_area_and_stays_is_no_conflict_to_decide(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr")))
    Event.objects.filter(title="Mässa").update(price="Edited")
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    page = show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr"))
    assert page.context["conflicts"] == []
    crafted = f"event-{Event.objects.get(title='Mässa').pk}-price"
    apply_preview(client, page, crafted)
    assert Event.objects.get(title="Mässa").price == "Edited"


MOVED = {"guid": "g9", "date": LATER}
REFUSED = ["You may not move this occasion to another event."]


def import_moved_occasion(role: Role) -> tuple[list[str], str]:
    """Import a schedule in which tea's second occasion is one of jazz; return refusals and its event."""
    options = ImportOptions(
        "feast26", "", "The Feast", "The Feast", rights=rights_of(create_user_in_role(role))
    )
    with override("en"):
        plan = apply_import(read_xml(build_xml(TEA, JAZZ, JAZZ | MOVED)), options)
    return [each.refusal for each in plan.plan.refused], Occasion.objects.get(source_id="g9").event.title


@pytest.fixture
def imported(run):
    run(build_xml(TEA, TEA | MOVED, JAZZ))


@pytest.mark.parametrize(
    ("role", "status", "expected"),
    [
        (Role.EDITOR, Status.PUBLISHED, (REFUSED, "Tea")),
        (Role.EDITOR, Status.DRAFT, ([], "Jazz")),
        (Role.CHIEF_EDITOR, Status.PUBLISHED, ([], "Jazz")),
    ],
)
def test_who_may_not_publish_moves_occasions_of_drafts_only(imported, role, status, expected):
    Event.objects.filter(title="Tea").update(status=status)
    assert import_moved_occasion(role) == expected
