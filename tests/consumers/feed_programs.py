"""Feed readers that follow a feed of ours: what stands in their lists."""

import email
import email.policy
import os
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup

from tests.consumers import wordpress
from tests.consumers.scenario import Program, Seen
from tests.failures.processes import start
from tests.failures.wait import wait_until

# What moves the clock of programs. Browsers crash with it.
CLOCK = {name: os.environ[name] for name in ("LD_PRELOAD",) if name in os.environ}
# A checkout of FreshRSS.
FRESHRSS = Path(os.environ.get("CONSUMER_FRESHRSS", "/usr/share/freshrss"))


def need(program: str, package: str) -> str:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed: needs Debian's {package}")
    return found


def in_true_time(folder: Path) -> dict[str, str]:
    return os.environ | {"HOME": str(folder), "TERM": "xterm", "LC_ALL": "C.UTF-8"}


def home(folder: Path) -> dict[str, str]:
    """Return the environment of a program whose clock is moved with the service's."""
    return in_true_time(folder) | CLOCK


def plain(html: str | None) -> str:
    """Return what is left where tags are removed."""
    return BeautifulSoup(html or "", "lxml").get_text()


class Rss2email(Program):
    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        self.mails = folder / "mails"
        self.mails.mkdir()
        (folder / "r2e.cfg").write_text(
            "[DEFAULT]\nto = me@reader.example\nfrom = me@reader.example\nbody-width = 0\n"
            f"email-protocol = maildir\nmaildir-path = {self.mails}\nmaildir-mailbox = inbox\n"
        )
        self.known: set[str] = set()
        self._run("add", "programme", url)

    def _run(self, *arguments: str) -> None:
        r2e = need("r2e", "rss2email and python3-html2text")
        files = ["-c", str(self.folder / "r2e.cfg"), "-d", str(self.folder / "r2e.json")]
        subprocess.run([r2e, *files, *arguments], check=True, capture_output=True, env=home(self.folder))

    def fetch(self) -> dict[str, email.message.EmailMessage]:
        """Return all messages that were sent so far, as plain text."""
        self._run("run")
        parse = email.message_from_bytes
        files = sorted(self.mails.glob("inbox/new/*"), key=lambda path: path.stat().st_mtime_ns)
        return {path.name: parse(path.read_bytes(), policy=email.policy.default) for path in files}

    def poll(self) -> list[Seen]:
        mails = self.fetch()
        seen = [
            Seen(mail["subject"], name not in self.known, mail.get_content()) for name, mail in mails.items()
        ]
        self.known = {*mails}
        return seen


class Newsboat(Program):
    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        need("newsboat", "newsboat")
        (folder / "urls").write_text(f"{url}\n")
        (folder / "config").write_text("suppress-first-reload yes\n")

    def poll(self) -> list[Seen]:
        files = [f"--{name}-file={self.folder / name}" for name in ("url", "cache", "config")]
        files[0] = f"--url-file={self.folder / 'urls'}"
        subprocess.run(
            ["newsboat", *files, "-x", "reload"], check=True, capture_output=True, env=home(self.folder)
        )
        with sqlite3.connect(self.folder / "cache") as cache:
            rows = cache.execute(
                "SELECT title, unread, content FROM rss_item WHERE deleted = 0 ORDER BY pubDate DESC, id DESC"
            ).fetchall()
            # All are read before the next poll.
            cache.execute("UPDATE rss_item SET unread = 0")
        return [Seen(title, bool(unread), plain(content)) for title, unread, content in rows]


class FreshRSS(Program):
    USER: ClassVar = ["--user", "me"]

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        need("php", "php-cli, php-sqlite3, php-xml, php-mbstring and php-curl")
        if not FRESHRSS.is_dir():
            pytest.skip("FreshRSS is not installed: CONSUMER_FRESHRSS names its folder")
        shutil.copytree(FRESHRSS, folder / "site", symlinks=True)
        base = ["--default-user", "me", "--base-url", "http://localhost/", "--language", "en", "--title", "F"]
        self._run(
            "do-install", *base, "--auth-type", "none", "--environment", "production", "--db-type", "sqlite"
        )
        # What each new user follows.
        (folder / "site/data/opml.xml").write_text(
            f'<opml version="2.0"><body><outline type="rss" text="f" xmlUrl="{url}"/></body></opml>'
        )
        self._run("create-user", *self.USER)

    def _run(self, command: str, *arguments: str) -> None:
        script = self.folder / f"site/cli/{command}.php"
        done = subprocess.run(
            ["php", str(script), *arguments],
            check=False,
            capture_output=True,
            text=True,
            env=home(self.folder),
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)

    def poll(self) -> list[Seen]:
        with sqlite3.connect(self.folder / "site/data/users/me/db.sqlite") as database:
            database.execute("UPDATE feed SET lastUpdate = 1")
        shutil.rmtree(self.folder / "site/data/cache", ignore_errors=True)
        (self.folder / "site/data/cache").mkdir()
        self._run("actualize-user", *self.USER)
        with sqlite3.connect(self.folder / "site/data/users/me/db.sqlite") as database:
            rows = database.execute("SELECT title, is_read, content FROM entry ORDER BY id DESC").fetchall()
            database.execute("UPDATE entry SET is_read = 1")
        return [
            Seen(BeautifulSoup(title, "lxml").text, not is_read, plain(content))
            for title, is_read, content in rows
        ]


class WordPressBlock(Program):
    """WordPress's block for RSS, in a post."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        if missing := wordpress.find_missing():
            pytest.skip(f"not installed: {missing}")
        # The database runs as a user of its own, which pytest's folder would keep out.
        open_folder = self.resources.enter_context(TemporaryDirectory())
        Path(open_folder).chmod(0o755)
        self.blog = self.resources.enter_context(wordpress.install(Path(open_folder), CLOCK))

    def poll(self) -> list[Seen]:
        block = self.blog.run("block", url=self.url, port=urlsplit(self.url).port, items=20)["html"]
        items = BeautifulSoup(block, "lxml").select(".wp-block-rss__item")
        parts = [
            [item.select_one(f".wp-block-rss__item-{part}") for part in ("title", "excerpt")]
            for item in items
        ]
        return [Seen(title.text, text=excerpt.text if excerpt else "") for title, excerpt in parts]


class Liferea(Program):
    """Liferea on a screen that nobody sees, driven by D-Bus."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        programs = {
            "liferea": "liferea",
            "xvfb-run": "xvfb",
            "dbus-run-session": "dbus",
            "gdbus": "libglib2.0-bin",
        }
        for program, package in programs.items():
            need(program, package)
        (folder / "session").write_text('echo "$DBUS_SESSION_BUS_ADDRESS" > bus\nexec liferea -w hidden\n')
        with (folder / "log").open("wb") as log:
            command = ["xvfb-run", "-a", "dbus-run-session", "--", "sh", "session"]
            self.process = start(
                command, cwd=folder, env=home(folder), stdout=log, stderr=log, start_new_session=True
            )
        self.resources.callback(self._end)
        wait_until("Liferea answers", lambda: (folder / "bus").exists() and self._call("Ping"))
        assert self._call("Subscribe", url)

    def _call(self, method: str, *arguments: str) -> bool:
        service = ["--session", "--dest", "org.gnome.feed.Reader", "--object-path", "/org/gnome/feed/Reader"]
        command = ["gdbus", "call", *service, "--method", f"org.gnome.feed.Reader.{method}", *arguments]
        bus = in_true_time(self.folder) | {
            "DBUS_SESSION_BUS_ADDRESS": (self.folder / "bus").read_text().strip()
        }
        return subprocess.run(command, check=False, capture_output=True, env=bus).returncode == 0

    def poll(self) -> list[Seen]:
        self._call("Refresh")
        # It says nothing when it has fetched and stored a feed.
        time.sleep(5)
        with sqlite3.connect(self.folder / ".local/share/liferea/liferea.db") as database:
            rows = database.execute(
                "SELECT title, read, description FROM items WHERE parent_item_id = 0 AND node_id IN"
                " (SELECT node_id FROM subscription WHERE source = ?) ORDER BY date DESC, item_id DESC",
                [self.url],
            ).fetchall()
            database.execute("UPDATE items SET read = 1")
        return [Seen(title, not is_read, plain(text)) for title, is_read, text in rows]

    def _end(self) -> None:
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()
