"""The query of a page: a selection, parsed as by the API, and its presentation."""

import re
from collections.abc import Iterator
from datetime import date
from http import HTTPStatus

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from msgspec import Struct
from msgspec.structs import replace

from feeds.editions import Edition
from feeds.fact import LARGEST
from feeds.facts import BY_NAME, SIGN_LANGUAGE
from feeds.index import SelectionIndex
from feeds.selection import DAY_KEYWORDS, Selection, find_days
from feeds.vocabulary import LanguageCode
from programme.api.fields import ErrorKind, InvalidParametersError
from programme.api.filters import PageFilterSet
from programme.models.cleaning import clean_line
from programme.models.facts import localize

# Scripts request only the count.
LIST, GRID, COUNT = VIEWS = ("list", "grid", "count")
ALL_DAYS = "all"
MAX_PAGE = 1_000
# The most errors of a parameter that are shown, and the most characters of its value.
MAX_MESSAGES, MAX_VALUE_LENGTH = 3, 60

PARAMETER_LABELS = {
    "date": _("Date"),
    "during": _("Date"),
    "highlighted": _("Highlights"),
    "signinterpreted": _("Sign language interpreted"),
    "q": _("Search"),
    "occation": _("Events"),
    "language": _("Language of the page"),
    "edition": _("Edition"),
}
MESSAGES = {
    "no_date": _("“{}” is not a date."),
    "backwards": _("“{}” ends before it begins."),
    "no_flag": _("“{}” is neither yes nor no."),
    "no_value": _("There is no “{}” to choose, only: {}."),
    "no_edition": _("There is no “{}”."),
    "several_editions": _("“{}” are several: choose one."),
    "no_occasion": _("“{}” is not an event."),
    "no_language": _("There is no “{}”, only Swedish and English."),
    "several_languages": _("“{}” are several: choose one."),
    "too_many_words": _("At most {} words at once."),
    "too_many_occasions": _("At most {} at once."),
}


class InvalidParameter(Struct, frozen=True):
    """An invalid parameter: its name, the kind of error, and its value on one line."""

    name: str
    kind: ErrorKind
    value: str

    @property
    def message(self) -> str:
        """The message, such as `Datum: ”igårr” är inget datum.`"""
        if fact := BY_NAME.get(self.name):
            known = [localize(fact.label(code)) for code in fact.codes] or [f"0–{LARGEST}"]
            return f"{localize(fact.title)}: {MESSAGES[self.kind].format(self.value, ', '.join(known))}"
        return f"{PARAMETER_LABELS[self.name]}: {MESSAGES[self.kind].format(self.value)}"


class PageQuery(Struct, frozen=True):
    """A selection and its presentation, without the `invalid` parameters."""

    selection: Selection
    view: str = LIST
    is_every_day: bool = False
    page: int = 1
    invalid: tuple[InvalidParameter, ...] = ()
    # On other websites: the most occasions (0 for the default), further options, and colours.
    limit: int = 0
    options: tuple[tuple[str, str], ...] = ()
    colors: tuple[tuple[str, str], ...] = ()

    @property
    def is_dated(self) -> bool:
        return bool(self.selection.moments or self.selection.days or self.selection.during)

    def find_day(self, today: date) -> date | None:
        asked = [find_days(each, today) for each in self.selection.during]
        is_one = len(asked) == 1 and asked[0].first == asked[0].last and not self.selection.moments
        return asked[0].first if is_one else None

    @property
    def status(self) -> HTTPStatus:
        return HTTPStatus.BAD_REQUEST if self.invalid else HTTPStatus.OK

    def check_edition(self, shown: Edition | None) -> "PageQuery":
        """Return the query for an edition's programme, in which an unknown edition is invalid."""
        asked = self.selection.edition
        if not asked or (shown and shown.slug == asked):
            return self
        unknown = InvalidParameter("edition", "no_edition", _shorten(clean_line(asked)))
        return replace(self, selection=replace(self.selection, edition=""), invalid=(*self.invalid, unknown))

    def canonicalize(self, index: SelectionIndex) -> "PageQuery":
        return replace(self, selection=index.canonical(self.selection))

    def is_cacheable(self, index: SelectionIndex) -> bool:
        """Return whether the page may be cached: not if clients can request endless variants."""
        is_endless = self.invalid or self.page > 1 or self.limit or self.colors
        return not is_endless and index.is_known(self.selection)


def parse_query(query: QueryDict, language: LanguageCode) -> PageQuery:
    """Parse a query; invalid parameters are left out and listed."""
    parameters = PageFilterSet(query)
    errors = () if parameters.is_valid() else tuple(_list_invalid(parameters))
    if errors:
        understood, wrong = query.copy(), {each.name for each in errors}
        for name in query:
            if name.lower() in wrong:
                del understood[name]
        parameters = PageFilterSet(understood)
    # Without valid parameters there is no selection.
    selection = parameters.qs if parameters.is_valid() else Selection()
    if selection.sign_interpreted:
        # Pages have one filter for the interface's flag and the fact.
        selection = replace(selection, sign_interpreted=False, facts=(*selection.facts, SIGN_LANGUAGE))
    if set(selection.moments) <= set(DAY_KEYWORDS):
        # Pages do not distinguish the days of begins from `during`.
        during = (*selection.during, *selection.moments, *selection.days)
        selection = replace(selection, moments=(), days=(), during=during)
    return PageQuery(
        selection=replace(selection, language=language),
        view=view if (view := query.get("view", "")) in VIEWS else LIST,
        is_every_day=query.get("days") == ALL_DAYS,
        page=_parse_number(query.get("page", "")) or 1,
        # An invalid hour is ignored, like an invalid view.
        invalid=tuple(each for each in errors if each.name != "after"),
        limit=_parse_number(query.get("limit", "")),
    )


def _list_invalid(parameters: PageFilterSet) -> Iterator[InvalidParameter]:
    for parameter, errors in parameters.errors.as_data().items():
        for error in errors[:MAX_MESSAGES]:
            if isinstance(error, InvalidParametersError):
                yield InvalidParameter(parameter, error.kind, _shorten(clean_line(error.value)))


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_VALUE_LENGTH else f"{text[: MAX_VALUE_LENGTH - 1]}…"


def _parse_number(text: str) -> int:
    return min(int(text), MAX_PAGE) if re.fullmatch("[0-9]{1,4}", text) else 0
