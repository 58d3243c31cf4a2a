"""Words for dates and rows in what is said of a file's dates."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date

from django.utils.translation import get_language, ngettext

from feeds import wording
from feeds.vocabulary import LanguageCode
from programme.exchange.workbook import WorkbookSheet, locate_row

_MOST_ROWS = 15


def format_date(day: date) -> str:
    return wording.format_date(day, _language())


def format_weekday(weekday: int) -> str:
    return wording.WORDS[_language()].days_short[weekday]


def format_full_date(day: date) -> str:
    return wording.format_full_date(day, _language())


def format_span(days: Collection[date]) -> str:
    first, last = min(days), max(days)
    return format_date(first) if first == last else f"{format_date(first)} – {format_date(last)}"


def list_years(days: Iterable[date]) -> str:
    """Return `2026`, or `2026–2027` of days in both."""
    years = sorted({day.year for day in days})
    return "–".join(map(str, dict.fromkeys((years[0], years[-1]))))


def format_rows(numbers: Iterable[int], sheets: Sequence[WorkbookSheet] = ()) -> str:
    """Return `rows 3, 5–9, 12`, the first of them if there are many, after the name of a sheet of several."""
    by_sheet: dict[str, set[int]] = {}
    for sheet, row in (locate_row(sheets, number) for number in sorted(numbers)):
        by_sheet.setdefault(sheet, set()).add(row)
    return "; ".join(
        f"{sheet}, {_format_rows(rows)}" if sheet else _format_rows(rows) for sheet, rows in by_sheet.items()
    )


def _format_rows(numbers: Collection[int]) -> str:
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    named = ["–".join(map(str, dict.fromkeys((run[0], run[-1])))) for run in runs]
    listed = ", ".join([*named[:_MOST_ROWS], *(["…"] if len(named) > _MOST_ROWS else [])])
    return ngettext("row %(rows)s", "rows %(rows)s", len(numbers)) % {"rows": listed}


def _language() -> LanguageCode:
    return "en" if (get_language() or "").startswith("en") else "sv"
