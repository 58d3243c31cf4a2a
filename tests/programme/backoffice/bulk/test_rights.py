"""Who may change what: the rights of editing each occasion by hand, and what is refused is shown."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from programme.backoffice.roles import Role
from programme.models import Event, Occasion
from tests.programme.backoffice.bulk.pages import ADDRESS, apply, read_rows, show
from tests.programme.backoffice.requests import parse
from tests.programme.backoffice.rights.people import ROLES, office_of, user_of
from tests.programmes import CLOCKS, JAZZ, PARKEN, TORGET

pytestmark = pytest.mark.usefixtures("at", "sample")

# Published, in the area editor's area and in another one.
MINE, THEIRS = 8001, 8014


def starts() -> dict[int, object]:
    return dict(Occasion.objects.filter(pk__in=[MINE, THEIRS]).values_list("pk", "start"))


@pytest.mark.parametrize("role", ROLES)
def test_what_somebody_may_not_change_is_shown_as_such_and_stays(role: Role) -> None:
    office, before = office_of(user_of(role)), starts()
    shown = show(office, [MINE, THEIRS], shift="1 h", tell="event", note="Åska")
    done = apply(office, shown)
    is_limited = role is Role.AREA_EDITOR
    refused = r"Stays as it is. You may not change it: it belongs to Parken; norr, söder & \mitt."
    assert (read_rows(shown)[THEIRS][2] == refused) == is_limited
    changed = {key for key, start in starts().items() if start != before[key]}
    assert changed == ({MINE} if is_limited else {MINE, THEIRS})
    assert (Event.objects.get(pk=CLOCKS).change_info == "") == is_limited
    message = "1 occasion was changed. 1 stayed as it was." if is_limited else "2 occasions were changed."
    assert [str(each) for each in done.context["messages"]] == [message]


def test_events_go_to_no_area_of_others_and_none_is_taken_from_there() -> None:
    office = office_of(user_of(Role.AREA_EDITOR))
    sent = {"action": "change_events", "_selected_action": [JAZZ, CLOCKS]}
    opened = office.post("/admin/programme/event/", sent)
    offered = [each["value"] for each in parse(opened).select(".doing select[name=area] option")]
    assert offered == ["", str(TORGET)]
    again = {"apply": "", "show": "1"}
    refused = apply(office, opened, **again, area=PARKEN)
    assert "What was chosen here is no longer there." in parse(refused).get_text()
    shown = apply(office, opened, **again, area=TORGET, type=4002)
    assert "You may not change these events; they stay as they are: När klockan ställs om" in " ".join(
        parse(shown).get_text().split()
    )
    apply(office, shown)
    assert set(Event.objects.filter(pk__in=[JAZZ, CLOCKS]).values_list("pk", "area", "type")) == {
        (JAZZ, TORGET, 4002),
        (CLOCKS, PARKEN, 4001),
    }


def test_who_may_only_look_is_kept_out(client: Client) -> None:
    reader = User.objects.create_user("reader", is_staff=True)
    reader.user_permissions.add(*Permission.objects.filter(codename__in=["view_event", "view_occasion"]))
    client.force_login(reader)
    assert client.get(ADDRESS).status_code == 403
    assert client.post(ADDRESS, {"occasion": [MINE], "shift": "1", "show": "1"}).status_code == 403
    sent = {"action": "change_occasions", "_selected_action": [MINE]}
    assert client.post("/admin/programme/occasion/", sent).status_code == 403
