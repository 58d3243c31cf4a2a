"""A service is upgraded and rolled back under load: no read fails."""

import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.failures.processes import ROOT, kill
from tests.failures.reading import Readers
from tests.failures.wait import wait_until
from tests.install.page import PAGE
from tests.recovery import next_release, releases
from tests.recovery.edits import Edits
from tests.recovery.releases import QUESTIONS, Command, Place, Served, from_installation

OPERATING = ROOT / "docs" / "operating.md"
# Run by old code on tables that newer code has migrated.
CREATE = """
from programme.models import Area, Event, EventType
print(Event.objects.create(title="Efteråt", area=Area.objects.first(), type=EventType.other()).title)
"""


class Load:
    """Readers and an editor at work on a service."""

    def __init__(self, served: Served, place: Place, readers: Readers, edits: Edits) -> None:
        self.served, self.place, self.readers, self.edits = served, place, readers, edits

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

    def reload(self, command: Command) -> None:
        """Do what `systemctl reload` does by the unit of docs/install.md."""
        before = {*self.served.readers()}
        arguments = re.search(r"^ExecReload=\S+ (.+)$", PAGE.read_text(), re.MULTILINE)[1].split()
        self.place.run(command, *arguments, f"--port={self.served.port}")
        self.served.server.send_signal(signal.SIGHUP)
        wait_until("no worker is an old one", lambda: before.isdisjoint(self.served.readers()))
        self.served.wait_for_answers()

    def lose_a_worker(self) -> None:
        """Kill a worker, which is replaced by one of its own version, whatever the link leads to."""
        version, worker = self.served.version(), self.served.readers()[0]
        kill(worker)
        wait_until("the killed one is replaced", lambda: len({*self.served.readers()} - {worker}) == 2)
        self.goes_on()
        assert {self.served.version() for _ in range(10)} == {version}


@contextmanager
def load(served: Served, place: Place) -> Iterator[Load]:
    # As a proxy does: a killed worker costs a request on its connection one attempt.
    with Readers(served.port, QUESTIONS, attempts=3) as readers, Edits(place) as edits:
        found = Load(served, place, readers, edits)
        yield found
        found.goes_on()
    assert readers.failed == []


class Machine:
    """Where the commands of docs/operating.md are run: two releases, and the link to the one that serves."""

    def __init__(self, folder: Path, place: Place) -> None:
        self.folder, self.place = folder, place
        self.link = folder / "festival"
        releases.install(folder / "festival-1.0.0", ROOT)
        next_release.make_next(releases.install(folder / f"festival-{next_release.VERSION}", ROOT))
        releases.switch(self.link, "festival-1.0.0")

    def follow(self, heading: str, at_work: Load) -> Iterator[str]:
        """Run the commands below a heading, except those that install, and yield each when it has run."""
        section = OPERATING.read_text().partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
        # Of two ways back the first one, which readers do not notice.
        blocks = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
        commands = "".join(blocks[: 3 if heading == "Upgrade" else 1])
        for line in filter(None, map(str.strip, commands.splitlines())):
            match line.removeprefix("runuser -u festival -- ").split():
                case ["ln", *_options, version, "/opt/festival"]:
                    releases.switch(self.link, self._find(version).name)
                case ["systemctl", "reload", "festival"]:
                    at_work.reload(from_installation(self.link))
                case [path, *arguments] if path.endswith("/festival") or path == "festival":
                    # The demo's passwords would be complained of.
                    if arguments[0] == "check":
                        arguments.pop()
                    # The changelog of the next release would name this one's last migration.
                    last = next_release.last_migration(ROOT)
                    arguments = [last if each == "0001" else each for each in arguments]
                    version = path.split("/")[2] if "/" in path else ""
                    self.place.run(
                        from_installation(self._find(version) if version else self.link), *arguments
                    )
                case _:
                    assert re.match(r"python3 -m venv|/opt/festival-1.1.0/bin/pip ", line)
                    continue
            yield line

    def _find(self, version: str) -> Path:
        return self.folder / version.replace("1.1.0", next_release.VERSION)


def test_a_service_is_upgraded_to_the_next_version_and_rolled_back_as_documented(
    place: Place, tmp_path: Path
) -> None:
    machine = Machine(tmp_path, place)
    current = from_installation(machine.link)
    place.make_demo()
    with place.serve(current) as served, load(served, place) as at_work:
        at_work.goes_on()
        followed = []
        for line in machine.follow("Upgrade", at_work):
            followed.append(line)
            at_work.goes_on()
            if line.endswith("festival migrate"):
                assert place.run(current, "shell", "--no-imports", "-c", CREATE) == "Efteråt\n"
            if line.startswith("ln "):
                at_work.lose_a_worker()
        assert [line.split()[-1] for line in followed] == [
            *("backup", "--deploy", "migrate", "/opt/festival", "festival")
        ]
        assert served.version() == next_release.VERSION
        followed = []
        for line in machine.follow("Roll back", at_work):
            followed.append(line)
        assert [line.split()[-1] for line in followed] == ["0001", "/opt/festival", "migrate", "festival"]
        assert served.version() == "1.0.0"
        at_work.goes_on()
        at_work.lose_a_worker()
