"""The festival that `crawl_back_office.py` visits: the hand-made sample, with a user for each role."""

import json
import sys

from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from programme.backoffice.roles import Role, assign_role
from programme.models import AreaEditor
from tests import programmes

SHEET = "Titel;Område;Plats;Datum;Start;Slut\nFest;Torget;;2026-07-30;19;20\n".encode()


def create_festival() -> None:
    """Create tables, programme and users; write each user's session and import to stdout as JSON, by name."""
    call_command("migrate", verbosity=0, interactive=False)
    programmes.make_sample()
    users = {role.name.lower(): User.objects.create_user(role.name.lower(), is_staff=True) for role in Role}
    for role in Role:
        assign_role(users[role.name.lower()], role)
    AreaEditor.objects.create(user=users[Role.AREA_EDITOR.name.lower()], area_id=programmes.TORGET)
    users["superuser"] = User.objects.create_superuser("superuser")
    json.dump({name: _begin(user) for name, user in users.items()}, sys.stdout)


def _begin(user: User) -> dict[str, str]:
    """Log in and upload a file; return the session, and the address of the file's preview."""
    browser = Client(SERVER_NAME="localhost")
    browser.force_login(user)
    uploaded = browser.post(
        "/admin/import/", {"file": SimpleUploadedFile("schema.csv", SHEET), "new_events": "draft"}
    )
    browser.post(f"{uploaded['Location']}read/")
    return {"session": browser.cookies["sessionid"].value, "import": uploaded["Location"]}
