"""Editors send organizers their links: by e-mail or to copy, one or forty, within their rights."""

import logging
import re
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from pytest_django.fixtures import Settings

from programme.backoffice.roles import Role
from programme.backoffice.suggestions.links import sweep_links
from programme.models import Event, Occasion, Organizer, OrganizerLink, Suggestion
from tests.conftest import NOW
from tests.organizers import EMAIL, enter_path, suggest
from tests.programme.backoffice.requests import list_messages, submission
from tests.programme.backoffice.rights.people import office_of, user_of
from tests.programmes import ASA, FORENINGEN, JAZZ, utc

pytestmark = pytest.mark.usefixtures("at", "sample")

LINKS = "/admin/suggestions/links/"
BOTH = f"{LINKS}?organizer={FORENINGEN}&organizer={ASA}"
OTHER = "asa@asa.example"
YEAR, SECOND = timedelta(days=365), timedelta(seconds=1)
ADDRESS = re.compile(r"https://program\.example(/admin/organizer/[\w:-]+/)")


@pytest.fixture
def has_email(settings: Settings) -> None:
    settings.HAS_EMAIL = True


def fill(client: Client, page: str = BOTH, **typed: str) -> Any:
    return client.post(page, submission(client.get(page)) | typed)


def opens(path: str) -> bool:
    return Client(SERVER_NAME="localhost").get(path).status_code == 302


@pytest.mark.usefixtures("has_email")
def test_many_are_sent_by_mail_each_its_own(office, anna):
    User.objects.filter(pk=anna.pk).update(email="anna@festival.example")
    answer = fill(office, **{f"email-{FORENINGEN}": EMAIL, f"email-{ASA}": OTHER})
    assert "2 links were sent." in answer.content.decode()
    assert ADDRESS.findall(answer.content.decode()) == []
    first, second = sorted(mail.outbox, key=lambda each: each.to)
    assert [(each.to, each.reply_to) for each in (first, second)] == [
        ([OTHER], ["anna@festival.example"]),
        ([EMAIL], ["anna@festival.example"]),
    ]
    paths = [set(ADDRESS.findall(each.body)) for each in (first, second)]
    assert [len(each) for each in paths] == [1, 1]
    assert paths[0] != paths[1]
    assert all(opens(path) for each in paths for path in each)
    # Who has no address gets a link to copy.
    (path,) = ADDRESS.findall(fill(office, **{f"email-{FORENINGEN}": ""}).content.decode())
    assert (opens(path), [each.to for each in mail.outbox[2:]]) == (True, [[OTHER]])
    # In both languages.
    assert "Hej!" in second.body
    assert "Åsunda Culture Night has the events of Föreningen Jazz in its programme." in second.body
    assert second.subject == "Era programpunkter i programmet / Your events in the programme"


def test_without_mail_all_links_are_to_copy(office):
    page = fill(office, **{f"email-{ASA}": OTHER}).content.decode()
    assert mail.outbox == []
    assert len({path for path in ADDRESS.findall(page) if opens(path)}) == 2
    # They are shown once; the address is kept.
    again = office.get(BOTH).content.decode()
    assert ADDRESS.findall(again) == []
    assert OTHER in again


@pytest.mark.usefixtures("has_email")
def test_what_cannot_be_sent_is_to_copy_and_no_address_is_logged(office, monkeypatch, caplog):
    def refuse(_backend: EmailBackend, messages: list[mail.EmailMessage]) -> int:
        recipients = messages[0].to
        if OTHER in recipients:
            raise SMTPRecipientsRefused({OTHER: (550, b"unknown")})
        mail.outbox.extend(messages)
        return 1

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    with caplog.at_level(logging.DEBUG):
        page = fill(office, **{f"email-{FORENINGEN}": EMAIL, f"email-{ASA}": OTHER}).content.decode()
    assert "1 link was sent." in page
    assert len(ADDRESS.findall(page)) == 1
    assert "A message to an organizer could not be sent: SMTPRecipientsRefused" in caplog.text
    assert not [line for line in caplog.text.splitlines() if "@" in line]


@pytest.mark.usefixtures("has_email")
def test_a_server_that_is_away_is_asked_once(office, monkeypatch):
    asked = []

    def fail(_backend: EmailBackend, messages: list[mail.EmailMessage]) -> int:
        asked.append(messages)
        raise ConnectionRefusedError

    monkeypatch.setattr(EmailBackend, "send_messages", fail)
    page = fill(office, **{f"email-{FORENINGEN}": EMAIL, f"email-{ASA}": OTHER}).content.decode()
    assert len(asked) == 1
    assert len(ADDRESS.findall(page)) == 2


def test_a_link_is_valid_to_the_end_of_its_last_day(office, at):
    page = fill(office, valid_until="2026-08-10").content.decode()
    path = ADDRESS.findall(page)[0]
    # Midnight in Stockholm.
    at(NOW.replace(month=8, day=10, hour=21, minute=59))
    assert opens(path)
    at(NOW.replace(month=8, day=10, hour=22))
    assert not opens(path)


@pytest.mark.parametrize("day", ["2026-07-28", "2027-08-30", "x"])
def test_its_last_day_is_within_a_year(office, day):
    assert ADDRESS.findall(fill(office, valid_until=day).content.decode()) == []
    assert not OrganizerLink.objects.exists()


def test_a_link_is_revoked(office):
    path = enter_path()
    form = office.get(f"/admin/programme/organizer/{FORENINGEN}/change/").content.decode()
    assert f"{LINKS}?organizer={FORENINGEN}" in form
    answer = office.post(BOTH, {"revoke": str(FORENINGEN)})
    [text] = list_messages(office.get(answer["Location"]))
    assert text == "The link of Föreningen Jazz does not work any more."
    assert not opens(path)
    assert OrganizerLink.objects.get().email == EMAIL


def test_only_who_may_change_every_event_sends_and_reads_the_address():
    enter_path()
    before = list(OrganizerLink.objects.values())
    # Föreningen Jazz has events in Parken, too, which is not theirs.
    client = office_of(user_of(Role.AREA_EDITOR))
    page = client.get(BOTH).content.decode()
    assert EMAIL not in page
    assert page.count("You may not change all of its events.") == 2
    assert client.post(BOTH, {"revoke": str(FORENINGEN)}).status_code == 403
    sent = {f"email-{FORENINGEN}": OTHER, "valid_until": "2026-08-10"}
    assert ADDRESS.findall(client.post(BOTH, sent).content.decode()) == []
    assert list(OrganizerLink.objects.values()) == before
    Event.objects.filter(organizer=FORENINGEN).exclude(pk=JAZZ).update(organizer=None)
    assert len(ADDRESS.findall(fill(client).content.decode())) == 1


def test_an_organizer_without_events_gets_no_link(office):
    lonely = Organizer.objects.create(name="Ensam")
    page = office.get(f"{LINKS}?organizer={lonely.pk}").content.decode()
    assert "No events yet." in page
    assert 'name="send"' not in page
    # Nor does an address that names nobody.
    for query in ("", "?organizer=x&organizer=99999999999999999999"):
        assert "No organizer is chosen." in office.get(LINKS + query).content.decode()


def test_the_page_asks_no_more_for_more_organizers(office, django_assert_num_queries):
    office.get(BOTH)
    with django_assert_num_queries(8):
        office.get(f"{LINKS}?organizer={ASA}")
    with django_assert_num_queries(8):
        office.get(BOTH)


def test_a_year_after_the_last_occasion_all_of_it_goes():
    suggest(price="60 kr")
    # That of CLOCKS, in October.
    last = utc(2026, 10, 25, 2, 30)
    assert sweep_links(last + YEAR) == 0
    assert sweep_links(last + YEAR + SECOND) == 1
    assert not OrganizerLink.objects.exists()
    assert not Suggestion.objects.exists()
    assert Event.objects.filter(pk=JAZZ).exists()


def test_an_organizer_without_occasions_keeps_it_for_a_year():
    enter_path(ASA)
    Occasion.objects.filter(event__organizer=ASA).delete()
    assert sweep_links(NOW + YEAR) == 0
    assert sweep_links(NOW + YEAR + SECOND) == 1


def test_the_link_of_a_deleted_organizer_goes_and_others_stay():
    enter_path(FORENINGEN)
    enter_path(ASA)
    Event.objects.filter(organizer=ASA).update(organizer=None)
    Organizer.objects.get(pk=ASA).delete()
    assert sweep_links(NOW) == 1
    assert OrganizerLink.objects.get().organizer_id == FORENINGEN
