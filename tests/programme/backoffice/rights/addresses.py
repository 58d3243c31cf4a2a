"""Every address of the back office, with what each role gets there."""

from pathlib import Path

from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group

from programme.backoffice.features import get_parts
from tests.programme.backoffice.rights import people
from tests.programme.backoffice.rights.people import EDITION
from tests.programmes import CLOCKS, DRAFT, JAZZ, TORGET
from tests.tables import read_table

PAGE_OR_REFUSAL = str.maketrans("er", "p-")


def restore_query(kind: str) -> str:
    """Return the query of the page that would restore a state from before anything existed."""
    parts = get_parts(admin.site.get_model_admin(apps.get_model("programme", kind)))
    return f"?state={'.'.join('0' for _ in range(1 + len(parts)))}"


_ROWS = {
    **{name: value for name, value in vars(people).items() if name.isupper()},
    "CLOCKS": CLOCKS,
    "DRAFT": DRAFT,
    "JAZZ": JAZZ,
    "group": "{group}",
    **{kind: restore_query(kind) for kind in ("event", "occasion")},
}
# What each role gets, by address: pages.md says what the letters are.
_TABLE = read_table(Path(__file__).with_name("pages.md"))
PAGES = {address.format(**_ROWS): roles for address, roles, _remark in _TABLE}
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
    PAGES |= {
        f"{_kind}/deleted/": "pppp",
        f"{_kind}/{_row}/bring-back/{restore_query(_kind)}": _change.translate(PAGE_OR_REFUSAL),
    }


def address_of(page: str) -> str:
    elsewhere = (
        *(
            "auth/",
            "timetable/",
            "problems/",
            "changes/",
            "autocomplete/",
            "programme/",
            "import/",
            "export/",
        ),
        *(
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
