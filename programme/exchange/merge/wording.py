"""The words in which previews and reports of imports name problems, rows, fields and values."""

from collections.abc import Iterable

import msgspec
from django.utils.translation import gettext as _

from feeds.facts import phrase_token
from programme.changes.difference import format_title
from programme.exchange.merge.plan import PlannedImport
from programme.exchange.values import Problem, group_by
from programme.models.facts import localize


class Note(msgspec.Struct, frozen=True):
    """What is wrong, how often, and where; each place once, in the file's order."""

    what: str
    count: int
    places: list[str]

    def __str__(self) -> str:
        if self.count == 1:
            return f"{self.places[0]}: {self.what}"
        named = {"what": self.what, "count": self.count, "places": "; ".join(self.places)}
        return _("%(what)s (%(count)d times): %(places)s") % named


def group_problems(problems: Iterable[Problem]) -> list[Note]:
    found = group_by(problems, lambda each: each.what).items()
    return [Note(what, len(same), list(dict.fromkeys(each.place for each in same))) for what, same in found]


def list_taken_uids(planned: PlannedImport) -> list[Problem]:
    what = _(
        "the UID by which calendars know it is or was another occasion's here: it gets a new one, and "
        "they show it as new"
    )
    return [Problem(str(row), what) for row in planned.taken_uids]


def list_rooms_alone(planned: PlannedImport) -> list[str]:
    """Say which rooms are meant by names that stand where a location does."""
    what = _("“%(name)s” is taken as the room “%(room)s”")
    return [what % {"name": name, "room": room} for name, room in planned.directory.rooms_alone.items()]


def list_left_facts(planned: PlannedImport) -> list[str]:
    """Say what rows of events state of places, and no place gets."""
    if not planned.left_facts:
        return []
    words = ", ".join(localize(phrase_token(each)) for each in planned.left_facts)
    return [_("left out, because it is said of places: enter it at the place (%(facts)s)") % {"facts": words}]


def list_former_names(planned: PlannedImport) -> list[str]:
    """Return the names that were changed here: as the file has them, and as they are now."""
    kinds = planned.directory.kinds().values()
    return [f"{name} → {format_title(row)}" for kind in kinds for name, row in kind.list_renamed()]
