"""Groups the problems of a file that are the same, so that each is reported once, with a count."""

from collections import defaultdict
from collections.abc import Iterable

import msgspec
from django.utils.translation import gettext as _

from programme.exchange.values import Problem


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
    places: dict[str, list[str]] = defaultdict(list)
    for each in problems:
        places[each.what].append(each.where)
    return [Note(what, len(found), list(dict.fromkeys(found))) for what, found in places.items()]
