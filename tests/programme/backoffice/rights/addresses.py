"""Every address of the back office, with what each role gets there."""

from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group

from programme.backoffice.features import get_parts
from tests.programme.backoffice.rights.people import (
    DRAFT_OCCASION,
    EDITION,
    SOMEBODY,
    SUPERUSER,
    THEIR_OCCASION,
    THEIRS,
    TOLD,
)
from tests.programmes import CLOCKS, DRAFT, JAZZ, TORGET

PAGE_OR_REFUSAL = str.maketrans("er", "p-")


def restore_address(kind: str, row: int) -> str:
    """Return the page that would restore a state from before anything existed."""
    parts = get_parts(admin.site.get_model_admin(apps.get_model("programme", kind)))
    return f"{kind}/{row}/bring-back/?state={'.'.join('0' for _ in range(1 + len(parts)))}"


# What each role gets: e a form to edit, r one to read, p any other page, - a refusal (403).
# In the order of ROLES: administrator, chief editor, editor, area editor.
PAGES = {
    "": "pppp",
    "programme/": "pppp",
    "problems/": "pppp",
    "settings/": "pppp",
    "changes/": "pppp",
    # The change of somebody who has corrected a draft of another area: who may not undo it sees why.
    "changes/1/": "pppp",
    "changes/1/undo/": "pppp",
    f"changes/1/event/{THEIRS}/title/": "pppp",
    "news/": "pppp",
    f"news/{TOLD}/": "pppp",
    f"news/{TOLD}/take-back/": "pp--",
    "merge/location/?row=5001&row=5002": "pp--",
    "suggestions/": "pppp",
    "suggestions/links/?organizer=3001": "pppp",
    # What nobody has suggested: the first leads to the list of them.
    "suggestions/1/": "pppp",
    "suggestions/1/image/": "----",
    "handbook/": "pppp",
    "times/?text=18h30": "pppp",
    "days/?day=2026-07-29": "pppp",
    "places/": "pppp",
    f"edition/{EDITION}/show/": "pp--",
    f"edition/{EDITION}/next/": "pp--",
    "auth/": "pp--",
    "event/": "pppp",
    "event/add/": "eeee",
    f"event/{DRAFT}/change/": "eeee",
    f"event/{DRAFT}/delete/": "pppp",
    f"event/{DRAFT}/history/": "pppp",
    "event/deleted/": "pppp",
    "event/export/": "pppp",
    "event/export/?format=csv&drafts=on": "pppp",
    restore_address("event", DRAFT): "pppp",
    restore_address("event", THEIRS): "ppp-",
    "occasion/deleted/": "pppp",
    restore_address("occasion", DRAFT_OCCASION): "pppp",
    restore_address("occasion", THEIR_OCCASION): "ppp-",
    f"occasion/{DRAFT_OCCASION}/fact/booking/full/": "pppp",
    f"occasion/{THEIR_OCCASION}/fact/booking/full/": "ppp-",
    f"event/{DRAFT}/preview/": "pppp",
    f"event/{THEIRS}/preview/": "pppp",
    f"event/{JAZZ}/change/": "eeee",
    f"event/{JAZZ}/delete/": "pp--",
    f"event/{THEIRS}/change/": "eeer",
    f"event/{THEIRS}/delete/": "ppp-",
    f"event/{THEIRS}/history/": "pppp",
    f"event/{CLOCKS}/change/": "eeer",
    f"event/{CLOCKS}/delete/": "pp--",
    "festival/preview/": "pp--",
    "occasion/": "pppp",
    "timetable/": "pppp",
    "timetable/2026-07-29/": "pppp",
    "timetable/sheets/": "pppp",
    "import/": "pppp",
    "import/done/": "pppp",
    # What nobody has uploaded, or somebody else: programme/test_import_page.py.
    "import/1/": "----",
    "import/1/read/": "----",
    "import/1/columns/": "----",
    "import/1/layout/": "----",
    "import/1/answers/": "----",
    "import/1/cells/": "----",
    "import/1/apply/": "----",
    "occasion/add/": "eeee",
    f"occasion/{DRAFT_OCCASION}/change/": "eeee",
    f"occasion/{DRAFT_OCCASION}/delete/": "pppp",
    f"occasion/{THEIR_OCCASION}/change/": "eeer",
    f"occasion/{THEIR_OCCASION}/delete/": "ppp-",
    f"occasion/{THEIR_OCCASION}/history/": "pppp",
    "occasion/8001/change/": "eeee",
    "occasion/8001/delete/": "pp--",
    "occasion/8007/change/": "eeer",
    "occasion/8007/delete/": "pp--",
    "autocomplete/?app_label=programme&model_name=occasion&field_name=event": "pppp",
    "auth/user/": "pp--",
    "auth/user/invite/": "pp--",
    "auth/user/add/": "----",
    f"auth/user/{SOMEBODY}/change/": "er--",
    f"auth/user/{SOMEBODY}/delete/": "----",
    f"auth/user/{SOMEBODY}/history/": "p---",
    f"auth/user/{SUPERUSER}/change/": "rr--",
    f"auth/user/{SUPERUSER}/delete/": "----",
    f"auth/user/{SUPERUSER}/history/": "----",
    # Somebody has no role: a chief editor could not have given it none. accounts/people/test_grants.py has others.
    f"auth/user/{SOMEBODY}/sign-in/": "p---",
    f"auth/user/{SUPERUSER}/sign-in/": "----",
    "auth/group/": "----",
    "auth/group/add/": "----",
    "auth/group/{group}/change/": "----",
    "auth/group/{group}/delete/": "----",
    "auth/group/{group}/history/": "----",
}
# What is kept beside events: its form, and what each role gets of the list, of adding, changing, deleting.
BESIDE = {
    "area": (TORGET, "pppp", "ee--", "eerr", "pp--"),
    "subarea": (2001, "pppp", "ee--", "eerr", "pp--"),
    "stream": (9001, "pppp", "ee--", "eerr", "pp--"),
    "eventtype": (4001, "pppp", "ee--", "eerr", "pp--"),
    "language": (4501, "pppp", "ee--", "eerr", "pp--"),
    "location": (5001, "pppp", "eee-", "eeer", "pp--"),
    "room": (6001, "pppp", "eee-", "eeer", "pp--"),
    "organizer": (3001, "pppp", "eee-", "eeer", "pp--"),
    "occasionlist": (12, "pppp", "eee-", "eeer", "pp--"),
    "edition": (EDITION, "pppp", "ee--", "eerr", "pp--"),
    # There is one: its list leads to it, and nobody adds another or deletes it.
    "festival": (1, "eerr", "----", "eerr", "----"),
}
for _kind, (_row, _list, _add, _change, _delete) in BESIDE.items():
    PAGES |= {f"{_kind}/": _list, f"{_kind}/add/": _add, f"{_kind}/{_row}/history/": "pppp"}
    PAGES |= {f"{_kind}/{_row}/change/": _change, f"{_kind}/{_row}/delete/": _delete}
    PAGES |= {f"{_kind}/deleted/": "pppp", restore_address(_kind, _row): _change.translate(PAGE_OR_REFUSAL)}


def address_of(page: str) -> str:
    elsewhere = (
        *("auth/", "timetable/", "problems/", "changes/", "autocomplete/", "programme/", "import/"),
        *(
            "export/",
            "handbook/",
            "settings/",
            "times/",
            "days/",
            "places/",
            "merge/",
            "lists/",
            "suggestions/",
            "news/",
        ),
    )
    # Groups are made again, with other IDs, after a test with a browser.
    page = page.format(group=Group.objects.order_by("pk").values_list("pk", flat=True)[0])
    ours = page and not page.startswith(elsewhere)
    return f"/admin/programme/{page}" if ours else f"/admin/{page}"
