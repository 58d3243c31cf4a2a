"""Calendars that follow an .ics of ours: what stands in them, from the first day on."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import quote
from uuid import uuid4

import pytest

from festival import clock
from tests.browser import chromium
from tests.consumers.feed_programs import home, need
from tests.consumers.scenario import Program, Seen
from tests.failures.processes import free_port, listening_ports, start
from tests.failures.wait import wait_until

CONFIGURATION = Path(__file__).parent / "configuration"
NODE_MODULES = Path(__file__).parent / "node_modules"
# MagicMirror with what it needs.
MIRROR = Path(os.environ.get("CONSUMER_MAGICMIRROR", "/opt/MagicMirror"))


FULLCALENDAR = {
    "ical.min.js": "ical.js-1/build/ical.min.js",
    **{f"{part}.js": f"@fullcalendar/{part}/index.global.min.js" for part in ("core", "list", "icalendar")},
}
# The date, instead of how long it is until then.
MAGICMIRROR = {"timeFormat": "absolute", "getRelative": 0, "urgency": 0, "dateFormat": "YYYY-MM-DD HH:mm"}
MAGICMIRROR_LIST = """rows => rows.map(row => {
    const title = row.querySelector(".title");
    const isStruck = getComputedStyle(title).textDecorationLine.includes("line-through");
    return [`${row.querySelector(".time").innerText} ${title.innerText}`, isStruck ? "struck" : ""];
})"""


class Khal(Program):
    """khal, with vdirsyncer to fetch, in the format that it has by itself."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        need("khal", "khal")
        need("vdirsyncer", "vdirsyncer")
        (folder / "calendar").mkdir()
        for name in ("khal.conf", "vdirsyncer.conf"):
            (folder / name).write_text((CONFIGURATION / name).read_text().format(folder=folder, url=url))
        self._run("vdirsyncer", "-c", "vdirsyncer.conf", "discover")

    def _run(self, *command: str) -> str:
        done = subprocess.run(
            command,
            cwd=self.folder,
            check=False,
            capture_output=True,
            text=True,
            input="y\n",
            env=home(self.folder),
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout

    def poll(self) -> list[Seen]:
        self._run("vdirsyncer", "-c", "vdirsyncer.conf", "sync")
        seen, day = [], ""
        for line in self._run("khal", "-c", "khal.conf", "--no-color", "list", "today", "9d").splitlines():
            if header := re.search(r"\d{4}-\d\d-\d\d$", line):
                day = header[0]
            elif entry := re.match(r"(\w+ )?(\d\d:\d\d)-\d\d:\d\d (.*?)( ::.*)?$", line):
                seen.append(Seen(f"{day} {entry[2]} {entry[3]}", mark=(entry[1] or "").strip()))
            else:
                # A description goes on.
                seen[-1] = replace(seen[-1], text=f"{seen[-1].text}\n{line}")
        return seen


class FullCalendar(Program):
    """A list of FullCalendar's in a page of another origin."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        if not NODE_MODULES.joinpath("@fullcalendar").is_dir():
            pytest.skip("FullCalendar is not installed: needs node, and `npm ci` in tests/consumers")
        shutil.copy(NODE_MODULES.parent / "fullcalendar.html", folder)
        for script, source in FULLCALENDAR.items():
            shutil.copy(NODE_MODULES / source, folder / script)
        handler = partial(QuietHandler, directory=str(folder))
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        Thread(target=self.server.serve_forever, daemon=True).start()
        self.page = chromium.start().new_page(timezone_id="Europe/Stockholm")
        for end in (self.server.server_close, self.server.shutdown, self.page.close):
            self.resources.callback(end)

    def poll(self) -> list[Seen]:
        self.page.clock.set_fixed_time(clock.now())
        page = f"http://127.0.0.1:{self.server.server_port}/fullcalendar.html"
        self.page.goto(f"{page}?url={quote(self.url, safe='')}")
        self.page.wait_for_function("window.loaded")
        return [Seen(line, mark=mark) for line, mark in self.page.evaluate("readCalendar()")]


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_said: object) -> None: ...


class MagicMirror(Program):
    """The whole mirror: its server, and its page in Chromium."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        if not MIRROR.is_dir():
            pytest.skip("MagicMirror is not installed: CONSUMER_MAGICMIRROR names its folder")
        # The server has its configuration in its own folder.
        self.port, self.config = free_port(), MIRROR / f"config/{uuid4()}.js"
        module = {
            "module": "calendar",
            "position": "top_left",
            "config": MAGICMIRROR | {"calendars": [{"url": url}]},
        }
        settings = {"port": self.port, "ipWhitelist": [], "language": "sv", "modules": [module]}
        node = 'if (typeof module !== "undefined") module.exports = config;'
        self.config.write_text(f"let config = {json.dumps(settings)};\n{node}\n")
        self.page = chromium.start().new_page(timezone_id="Europe/Stockholm")
        for end in (self.config.unlink, self.page.close):
            self.resources.callback(end)

    def poll(self) -> list[Seen]:
        # It fetches when it begins, and then once an hour.
        environment = home(self.folder) | {
            "MM_CONFIG_FILE": f"config/{self.config.name}",
            "TZ": "Europe/Stockholm",
        }
        with (self.folder / "log").open("ab") as log:
            server = start(
                ["node", "serveronly"], cwd=MIRROR, env=environment, stdout=log, stderr=subprocess.STDOUT
            )
        try:
            wait_until("MagicMirror listens", lambda: self.port in listening_ports())
            self.page.clock.set_fixed_time(clock.now())
            self.page.goto(f"http://localhost:{self.port}")
            rows = self.page.locator(".calendar tr.event-wrapper")
            rows.first.wait_for()
            return [Seen(line, mark=mark) for line, mark in rows.evaluate_all(MAGICMIRROR_LIST)]
        finally:
            server.terminate()
            server.wait()
