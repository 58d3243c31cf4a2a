"""What a reader asks of the programme's page: a selection as the API has it, and how to show it."""

from collections.abc import Iterator
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from msgspec import Struct
from msgspec.structs import replace

from feeds.selection import Selection
from feeds.vocabulary import LanguageCode
from programme.api.parameters import ErrorKind, SelectionParameters
from programme.models import Occasion
from programme.models.cleaning import clean_line

LIST, GRID = "list", "grid"
ALL_DAYS = "all"
# Nobody turns further pages than that.
MAX_PAGE = 1_000
# Of what is wrong with an address so much is said of each parameter, in so many characters.
MAX_MESSAGES, MAX_VALUE_LENGTH = 3, 60

PARAMETER_LABELS = {
    "date": _("Date"),
    "highlighted": _("Highlights"),
    "signinterpreted": _("Sign language interpreted"),
    "q": _("Search"),
    "occation": _("Occasions"),
    "language": _("Language of the page"),
}
MESSAGES = {
    ErrorKind.NO_DATE: _("“{}” is not a date."),
    ErrorKind.BACKWARDS: _("“{}” ends before it begins."),
    ErrorKind.NO_FLAG: _("“{}” is neither yes nor no."),
    ErrorKind.NO_OCCASION: _("“{}” is no occasion."),
    ErrorKind.NO_LANGUAGE: _("There is no “{}”, only Swedish and English."),
    ErrorKind.SEVERAL_LANGUAGES: _("“{}” are several: choose one."),
    ErrorKind.TOO_MANY_WORDS: _("At most {} words at once."),
    ErrorKind.TOO_MANY_OCCASIONS: _("At most {} at once."),
}


class InvalidParameter(Struct, frozen=True):
    """What an address says that cannot be understood: the parameter, why not, and its value as one line."""

    parameter: str
    kind: ErrorKind
    value: str

    @property
    def message(self) -> str:
        return f"{PARAMETER_LABELS[self.parameter]}: {MESSAGES[self.kind].format(self.value)}"


class PageQuery(Struct, frozen=True):
    """A selection, not yet canonical; `wrong` is what could not be understood."""

    selection: Selection
    view: str = LIST
    every_day: bool = False
    page: int = 1
    wrong: tuple[InvalidParameter, ...] = ()

    @property
    def is_dated(self) -> bool:
        return bool(self.selection.moments or self.selection.days)

    def messages(self) -> list[str]:
        """Return what is wrong, such as `Datum: ”igårr” är inget datum.`"""
        return [each.message for each in self.wrong]

    @property
    def is_bounded(self) -> bool:
        """Whether there is an end to such wishes, so that their pages may be kept."""
        return not self.wrong and self.page == 1


def parse_query(query: QueryDict, language: LanguageCode) -> PageQuery:
    """Return what a query asks for. Parameters that cannot be understood are left out, and named."""
    parameters = _parameters(query)
    wrong = () if parameters.form.is_valid() else tuple(_wrong(parameters))
    understood = _parameters(_without({each.parameter for each in wrong}, query)) if wrong else parameters
    # A form has a selection once it has been looked through.
    selection = understood.selection if understood.form.is_valid() else Selection()
    return PageQuery(
        selection=replace(selection, language=language),
        view=GRID if query.get("view") == GRID else LIST,
        every_day=query.get("days") == ALL_DAYS,
        page=_page(query.get("page", "")),
        wrong=wrong,
    )


def _parameters(query: QueryDict) -> SelectionParameters:
    return SelectionParameters(query, queryset=Occasion.objects.none())


def _without(parameters: set[str], query: QueryDict) -> QueryDict:
    left = query.copy()
    for name in query:
        if name.lower() in parameters:
            del left[name]
    return left


def _wrong(parameters: SelectionParameters) -> Iterator[InvalidParameter]:
    for parameter, errors in parameters.form.errors.as_data().items():
        for error in errors[:MAX_MESSAGES]:
            yield InvalidParameter(parameter, error.kind, _short(clean_line(error.value)))


def _short(text: str) -> str:
    return text if len(text) <= MAX_VALUE_LENGTH else f"{text[: MAX_VALUE_LENGTH - 1]}…"


def _page(text: Any) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_PAGE))
    return min(max(int(text), 1), MAX_PAGE) if is_number else 1
