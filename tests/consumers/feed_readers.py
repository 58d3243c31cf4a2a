"""Feed readers that Debian has, each as a function of a feed that returns what the reader shows."""

import email
import email.policy
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent
# WordPress as Debian installs it. Debian's SimplePie by itself is of 2012 and fails with today's PHP.
WORDPRESS = Path(os.environ.get("CONSUMER_WORDPRESS", "/usr/share/wordpress"))


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


def _home(folder: Path) -> dict[str, str]:
    return os.environ | {"HOME": str(folder), "TERM": "xterm", "LC_ALL": "C.UTF-8"}
