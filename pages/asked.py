"""What a reader asks of the programme's page: a selection as the API has it, and how to show it."""

from typing import Any

from django.http import QueryDict
from msgspec import Struct
from msgspec.structs import replace

from feeds.selection import Selection
from feeds.vocabulary import LanguageCode
from programme.models import Occasion
from programme.parameters import SelectionParameters

LIST, GRID = "list", "grid"
ALL_DAYS = "all"
# Nobody turns further pages than that.
MOST_PAGES = 1_000


class Asked(Struct, frozen=True):
    """A selection, not yet canonical; `wrong` are the parameters that could not be understood."""

    selection: Selection
    view: str = LIST
    every_day: bool = False
    page: int = 1
    wrong: tuple[str, ...] = ()

    @property
    def is_dated(self) -> bool:
        return bool(self.selection.moments or self.selection.days)

    @property
    def is_bounded(self) -> bool:
        """Whether there is an end to such wishes, so that their pages may be kept."""
        return not self.wrong and self.page == 1


def asked(query: QueryDict, language: LanguageCode) -> Asked:
    """Return what a query asks for. Of what cannot be understood nothing is taken, and it is named."""
    parameters = SelectionParameters(query, queryset=Occasion.objects.none())
    understood = parameters.form.is_valid()
    selection = parameters.selection if understood else Selection()
    return Asked(
        selection=replace(selection, language=language),
        view=GRID if query.get("view") == GRID else LIST,
        every_day=query.get("days") == ALL_DAYS,
        page=_page(query.get("page", "")),
        wrong=() if understood else tuple(parameters.form.errors),
    )


def _page(text: Any) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MOST_PAGES))
    return min(max(int(text), 1), MOST_PAGES) if is_number else 1
