"""The list that other websites frame: what of a selection is not over, in colours that they choose."""

import re
from functools import cached_property

from django.http import QueryDict
from django.utils.translation import gettext as _

from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Theme
from pages.addresses import START, build_path
from pages.rows import DayRows, RowBuilder
from pages.theme import build_accents, ensure_contrast, is_light

# What a framed list holds: it leads on to the rest.
MAX_OCCASIONS = 200
# Parameter, and the variable of the style sheet that it sets.
COLOR_VARIABLES = {"accent": "--festival-accent", "ink": "--festival-ink", "paper": "--festival-paper"}
ACCENT, PAPER = COLOR_VARIABLES["accent"], COLOR_VARIABLES["paper"]
LONG = 6
_HEX = re.compile("[0-9a-fA-F]{3}|[0-9a-fA-F]{6}")


def parse_colors(query: QueryDict) -> tuple[tuple[str, str], ...]:
    """Return the variables that a query sets, each a colour in hexadecimal digits; others are ignored."""
    asked = ((variable, query.get(name, "").lstrip("#")) for name, variable in COLOR_VARIABLES.items())
    chosen = {variable: _long(digits) for variable, digits in asked if _HEX.fullmatch(digits)}
    paper = chosen.get(PAPER)
    if paper:
        # What cannot be read on it is made darker or lighter.
        chosen |= {name: ensure_contrast(colour, paper) for name, colour in chosen.items() if name != PAPER}
    return tuple(chosen.items())


def build_variables(chosen: tuple[tuple[str, str], ...], theme: Theme) -> dict[str, str]:
    """Return what a frame declares: the colours chosen, and the festival's own where the accent is not."""
    declared = dict(chosen)
    if PAPER in declared:
        # Paper that is chosen stays as it is in the dark, and so does what is not chosen on it.
        declared["color-scheme"] = "light" if is_light(declared[PAPER]) else "dark"
    if ACCENT not in declared and (own := build_accents(theme.color)):
        paper = declared.get(PAPER)
        declared[ACCENT] = ensure_contrast(theme.color, paper) if paper else "light-dark({}, {})".format(*own)
    return declared


def _long(digits: str) -> str:
    """Return the colour in six digits."""
    return f"#{digits if len(digits) == LONG else ''.join(2 * each for each in digits)}".lower()


class EmbedPage:
    """The list of a canonical selection."""

    def __init__(self, snapshot: Snapshot, selection: Selection) -> None:
        self.snapshot = snapshot
        self.selection = selection
        self.language: LanguageCode = selection.language

    @cached_property
    def _found(self) -> list:
        found = self.snapshot.find(self.selection)
        # Who names days wants all of them.
        if self.selection.days:
            return list(found)
        return [each for each in found if each.end > self.snapshot.now] or list(found)

    @property
    def days(self) -> list[DayRows]:
        return RowBuilder(self.snapshot, self.language).group_by_day(self._found[:MAX_OCCASIONS])

    @property
    def left(self) -> str:
        """How many more there are, in words; '' for none."""
        count = len(self._found) - MAX_OCCASIONS
        return _("{} more").format(count) if count > 0 else ""

    @property
    def programme_path(self) -> str:
        return build_path(START[self.language], self.selection)
