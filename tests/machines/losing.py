"""Each of the machines of two application servers, a primary and its replica may be lost."""

import re
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from tests.failures.editing import Editor, assert_away
from tests.failures.reading import Question, Readers
from tests.failures.service import get, open_connections
from tests.failures.wait import wait_until
from tests.machines.conftest import DATABASE, Site
from tests.machines.databases import DatabaseServer
from tests.machines.servers import PORT, PROCESSES
from tests.programme.backoffice.requests import submission

EDITED = "/api/events?area=Torget"
NUMBER = re.compile(rb"Frukost (\d+)")
# Seconds after a load within which all processes have counted it.
COUNTED = 3.0


def read_number(body: bytes) -> int:
    """Return the number of the last edit in an answer."""
    found = NUMBER.search(body)
    return int(found[1]) if found else 0


def edit(server: DatabaseServer, number: int) -> None:
    title = f"Frukost {number}"
    server.run(f"UPDATE programme_event SET title = '{title}' WHERE title LIKE 'Frukost%'", DATABASE)


@contextmanager
def readers(site: Site) -> Iterator[Readers]:
    """Readers through nginx, none of whom may notice what happens meanwhile."""
    questions = [Question(EDITED, read_number), Question("/")]
    with Readers(site.port, questions) as found:
        yield found
        found.wait_for_reads(20)
    assert found.failed == []


def wait_for_edit(site: Site, server: DatabaseServer, number: int) -> None:
    """Edit, and wait until every worker of every application server tells of it."""
    edit(server, number)
    for each in site.servers:
        wait_until("all tell of the edit", lambda address=each.machine.address: all_tell(address, number))


def all_tell(address: str, number: int) -> bool:
    try:
        with open_connections(PORT, address) as opened:
            return all(read_number(get(each, EDITED).body) == number for each in opened)
    except ConnectionError:
        # A worker that was replaced has just ended.
        return False


def editor(site: Site) -> "closing[Editor]":
    return closing(Editor(site.port, site.editors[0]))


def wait_for_save(site: Site, editor: Editor, form: dict[str, str]) -> None:
    """Send a form again until it is saved, and wait until all application servers tell of it."""
    wait_until("the form is saved", lambda: editor.send(form).status == 302)
    title = form["title"].encode()

    def all_have_it() -> bool:
        return all(title in server.get("/api/events?area=Redaktionen").body for server in site.servers)

    wait_until("all tell of what was saved", all_have_it)


def test_an_application_server_is_lost(site: Site) -> None:
    lost, other = site.servers
    with readers(site) as found, editor(site) as editing:
        form = submission(editing.send()) | {"title": "Kören"}
        lost.lose()
        edit(site.primary, 1)
        wait_until(
            "readers see the edit",
            lambda: any(read.content == 1 for reader in found.readers for read in reader.reads[-4:]),
        )
        assert editing.send(form).status == 302
        lost.return_()
        wait_for_edit(site, site.primary, 2)
    assert "Traceback" not in other.log()


def test_the_replica_is_lost(site: Site) -> None:
    with readers(site), editor(site) as editing:
        form = submission(editing.send()) | {"title": "Kören"}
        site.replica.lose()
        wait_for_save(site, editing, form)
        wait_for_edit(site, site.primary, 1)
        site.replica.return_()
        site.replica.wait_for(site.primary)


def test_the_primary_is_lost_and_returns(site: Site) -> None:
    with readers(site), editor(site) as editing:
        form = submission(editing.send()) | {"title": "Kören"}
        wait_for_edit(site, site.primary, 1)
        time.sleep(COUNTED)
        loads = [server.count_loads() for server in site.servers]
        site.primary.lose()
        assert_away(editing.send(form))
        site.primary.return_()

        def count_loads() -> list[int]:
            return [server.count_loads() - before for server, before in zip(site.servers, loads, strict=True)]

        # A server that was started again may have lost edits.
        wait_until("each process has loaded the programme again", lambda: min(count_loads()) >= PROCESSES)
        time.sleep(COUNTED)
        found = count_loads()
        # Processes that miss each other's programme load it again together, once.
        assert max(found) <= 2 * PROCESSES
        time.sleep(COUNTED)
        assert count_loads() == found
        wait_for_save(site, editing, form)
    for server in site.servers:
        assert "Traceback" not in server.log()


@pytest.mark.parametrize("site", [False, True], indirect=True, ids=["reload", "by itself"])
def test_the_replica_takes_the_place_of_the_primary(site: Site, request: pytest.FixtureRequest) -> None:
    with readers(site), editor(site) as editing:
        form = submission(editing.send()) | {"title": "Kören"}
        wait_for_edit(site, site.primary, 1)
        site.replica.wait_for(site.primary)
        site.primary.lose()
        assert_away(editing.send(form))
        site.replica.promote()
        if "reload" in request.node.name:
            for server in site.servers:
                server.reload({"DATABASE_URL": site.replica.url(DATABASE)})
        wait_for_save(site, editing, form)
        wait_for_edit(site, site.replica, 2)
    for server in site.servers:
        assert "Traceback" not in server.log()
