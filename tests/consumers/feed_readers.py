"""Feed readers that Debian has, each as a function of a feed that returns what the reader shows."""

import email
import email.policy
import json
import os
import pty
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.failures.wait import wait_until

FOLDER = Path(__file__).parent
# WordPress as Debian installs it. Debian's SimplePie by itself is of 2012 and fails with today's PHP.
WORDPRESS = Path(os.environ.get("CONSUMER_WORDPRESS", "/usr/share/wordpress"))
ENTER, QUIT = b"\r", b"q"


def _need(program: str, package: str) -> str:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed: needs Debian's {package}")
    return found


def read_with_simplepie(body: bytes) -> list[dict[str, Any]]:
    """Return the items in SimplePie's default order."""
    php = _need("php", "php-cli and php-xml")
    if not WORDPRESS.is_dir():
        pytest.skip("WordPress, which brings SimplePie, is not installed: needs Debian's wordpress")
    command = [php, FOLDER / "simplepie.php", WORDPRESS]
    answer = json.loads(subprocess.run(command, input=body, check=True, capture_output=True).stdout)
    assert answer["error"] is None
    items: list[dict[str, Any]] = answer["items"]
    return items


def read_with_rss2email(url: str, folder: Path) -> list[email.message.EmailMessage]:
    """Return the messages that rss2email sends of a feed, as plain text."""
    r2e = _need("r2e", "rss2email and python3-html2text")
    files = ["-c", str(folder / "r2e.cfg"), "-d", str(folder / "r2e.json")]
    mails = folder / "mails"
    mails.mkdir()
    (folder / "r2e.cfg").write_text(
        "[DEFAULT]\nto = me@reader.example\nfrom = me@reader.example\nbody-width = 0\n"
        f"email-protocol = maildir\nmaildir-path = {mails}\nmaildir-mailbox = inbox\n"
    )
    for arguments in (["add", "programme", url], ["run"]):
        subprocess.run([r2e, *files, *arguments], check=True, capture_output=True, env=_home(folder))
    written = sorted((mails / "inbox" / "new").iterdir())
    parse = email.message_from_bytes
    return [parse(each.read_bytes(), policy=email.policy.default) for each in written]


def read_with_newsboat(url: str, folder: Path) -> str:
    """Return what newsboat shows of a feed's first article."""
    newsboat = _need("newsboat", "newsboat")
    shown = folder / "shown"
    (folder / "urls").write_text(f"{url}\n")
    (folder / "config").write_text(f'pager "cp %f {shown}"\ntext-width 10000\n')
    files = ["-u", folder / "urls", "-c", folder / "cache.db", "-C", folder / "config"]
    subprocess.run([newsboat, *files, "-x", "reload"], check=True, capture_output=True, env=_home(folder))
    screen, terminal = pty.openpty()
    try:
        with subprocess.Popen(
            [newsboat, *files], stdin=terminal, stdout=terminal, stderr=terminal, env=_home(folder)
        ) as program:
            # The feed, and then its article. What it draws must be read, or it waits for that.
            wait_until("newsboat has drawn", lambda: os.read(screen, 65_536))
            os.write(screen, ENTER)
            os.read(screen, 65_536)
            os.write(screen, ENTER)
            wait_until("newsboat shows the article", lambda: shown.exists() and shown.stat().st_size)
            program.terminate()
    finally:
        os.close(terminal)
        os.close(screen)
    return shown.read_text()


def _home(folder: Path) -> dict[str, str]:
    return os.environ | {"HOME": str(folder), "TERM": "xterm", "LC_ALL": "C.UTF-8"}
