"""The list that other websites embed: the current and next occasions, framed in colours that they choose."""

import re
from collections.abc import Sequence
from functools import cached_property

from django.http import QueryDict
from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.contrast import ensure_contrast, is_light
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion, Theme
from pages.addresses import START, build_path
from pages.rows import DayRows, RowBuilder
from pages.theme import build_accents

# The list links to the rest.
MAX_OCCASIONS = 200
# Parameter, and the variable of the style sheet that it sets.
COLOR_VARIABLES = {"accent": "--festival-accent", "ink": "--festival-ink", "paper": "--festival-paper"}
ACCENT, PAPER = COLOR_VARIABLES["accent"], COLOR_VARIABLES["paper"]
FULL_LENGTH = 6
_HEX = re.compile("[0-9a-fA-F]{3}|[0-9a-fA-F]{6}")


def parse_colors(query: QueryDict) -> tuple[tuple[str, str], ...]:
    requested = ((variable, query.get(name, "").lstrip("#")) for name, variable in COLOR_VARIABLES.items())
    chosen = {variable: _expand(digits) for variable, digits in requested if _HEX.fullmatch(digits)}
    paper = chosen.get(PAPER)
    if paper:
        # Colours without enough contrast are made darker or lighter.
        chosen |= {name: ensure_contrast(colour, paper) for name, colour in chosen.items() if name != PAPER}
    return tuple(chosen.items())


def build_rules(chosen: tuple[tuple[str, str], ...], theme: Theme) -> str:
    """Return the rule of the style sheet's variables: chosen colours, by default the festival's accent."""
    declared = dict(chosen)
    if PAPER in declared:
        # A chosen paper does not change in dark mode, so no other colour may.
        declared["color-scheme"] = "light" if is_light(declared[PAPER]) else "dark"
    if ACCENT not in declared and (own := build_accents(theme.color)):
        paper = declared.get(PAPER)
        declared[ACCENT] = ensure_contrast(theme.color, paper) if paper else "light-dark({}, {})".format(*own)
    declarations = "; ".join(f"{name}: {value}" for name, value in declared.items())
    return f".festival-frame {{ {declarations}; }}" if declared else ""


def _expand(digits: str) -> str:
    return f"#{digits if len(digits) == FULL_LENGTH else ''.join(2 * each for each in digits)}".lower()


class EmbedPage:
    def __init__(self, snapshot: Snapshot, selection: Selection) -> None:
        self.snapshot = snapshot
        self.selection = selection
        self.language: LanguageCode = selection.language

    @cached_property
    def _occasions(self) -> Sequence[Occasion]:
        found = self.snapshot.find(self.selection)
        # A selection with dates includes occasions that are over.
        if self.selection.days:
            return found
        return [each for each in found if each.end > self.snapshot.now] or found

    @property
    def days(self) -> list[DayRows]:
        return RowBuilder(self.snapshot, self.language).group_by_day(self._occasions[:MAX_OCCASIONS])

    @property
    def more(self) -> str:
        count = len(self._occasions) - MAX_OCCASIONS
        return _("{} more").format(count) if count > 0 else ""

    @property
    def programme_path(self) -> str:
        # The rest of what was chosen one by one is everything.
        return build_path(START[self.language], replace(self.selection, chosen=()))
