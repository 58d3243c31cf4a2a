"""A service is upgraded and rolled back under load: no read fails."""

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.failures.processes import ROOT, kill
from tests.failures.reading import Question, Readers
from tests.failures.wait import wait_until
from tests.recovery import next_release, releases
from tests.recovery.edits import Edits
from tests.recovery.releases import Place, Served, from_installation

QUESTIONS = [
    Question(path) for path in ("/api/events", "/api/events.ics", "/", "/api/areas", "/api/events.rss")
]
# Run by old code on tables that newer code has migrated.
CREATE = """
from programme.models import Area, Event, EventType
print(Event.objects.create(title="Efteråt", area=Area.objects.first(), type=EventType.other()).title)
"""


class Load:
    """Readers and an editor at work on a service."""

    def __init__(self, served: Served, readers: Readers, edits: Edits) -> None:
        self.served, self.readers, self.edits = served, readers, edits

    def goes_on(self) -> None:
        """Wait until readers have seen another edit."""
        number = self.edits.number + 1
        wait_until("the editor goes on", lambda: self.edits.number >= number)
        wait_until("readers see an edit", lambda: self.find_edit() >= number)
        self.readers.wait_for_reads(20)

    def find_edit(self) -> int:
        titles = {element["title"] for element in json.loads(self.served.read("/api/events"))}
        numbers = (int(title.split()[-1]) for title in titles if title.startswith(Edits.title))
        return max(numbers, default=0)

    def replace_workers(self) -> None:
        before = {*self.served.readers()}
        self.served.server.send_signal(signal.SIGHUP)
        wait_until("no worker is an old one", lambda: before.isdisjoint(self.served.readers()))
        self.served.wait_for_answers()


@contextmanager
def load(served: Served, place: Place) -> Iterator[Load]:
    # As a proxy does: a killed worker costs a request on its connection one attempt.
    with Readers(served.port, QUESTIONS, attempts=3) as readers, Edits(place) as edits:
        found = Load(served, readers, edits)
        yield found
        found.goes_on()
    assert readers.failed == []


def test_a_service_is_upgraded_to_the_next_version_and_rolled_back(place: Place, tmp_path: Path) -> None:
    releases.install(tmp_path / "1.0.0", ROOT)
    next_release.make_next(releases.install(tmp_path / next_release.VERSION, ROOT))
    link = tmp_path / "current"
    releases.switch(link, "1.0.0")
    current, upcoming = from_installation(link), from_installation(tmp_path / next_release.VERSION)
    place.make_demo()
    with place.serve(current) as served, load(served, place) as at_work:
        at_work.goes_on()
        place.run(upcoming, "backup")
        place.run(upcoming, "migrate", "--verbosity=0")
        at_work.goes_on()
        # A process of the version before is replaced by one of the same version, on the migrated database.
        kill(served.readers()[0])
        wait_until("the killed one is replaced", lambda: len(served.readers()) == 2)
        at_work.goes_on()
        assert place.run(current, "shell", "--no-imports", "-c", CREATE) == "Efteråt\n"
        releases.switch(link, next_release.VERSION)
        at_work.replace_workers()
        assert served.version() == next_release.VERSION
        at_work.goes_on()
        place.run(upcoming, "migrate", "--verbosity=0", "programme", next_release.last_migration(ROOT))
        releases.switch(link, "1.0.0")
        place.run(current, "migrate", "--verbosity=0")
        place.run(current, "serve", "--prepare", "--port=1")
        at_work.replace_workers()
        assert served.version() == "1.0.0"
        at_work.goes_on()
