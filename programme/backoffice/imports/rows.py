"""The rows that a preview shows: those that are wrong first, with their cells, then the others by kind."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.core.paginator import Paginator
from django.http import QueryDict
from django.utils.translation import gettext as _

from programme.backoffice.imports.cells import list_cells, list_corrected, load_cells
from programme.backoffice.imports.uploads import name_counts
from programme.changes.difference import label_field
from programme.exchange.merge.options import AREA
from programme.exchange.merge.plan import REFUSED, UNCHANGED
from programme.exchange.merge.preview import KINDS, find_kinds
from programme.exchange.readers.sheet.corrections import SheetCells
from programme.models import Event
from programme.models.parsing import parse_int

PAGE_SIZE = 100
# So many wrong rows have their cells open: what is corrected makes room for others.
_MOST_OPEN = 20


def show_rows(preview: dict[str, Any], asked: QueryDict) -> dict[str, Any]:
    """Return what a page shows of the rows, and where the focus is.

    `open` are rows whose cells are shown; `at` is a wrong row that was corrected, `row` any other.
    """
    unreadable, cells = list_wrong(preview), load_cells(preview)
    wrong = list(_join_same(unreadable, cells))
    others = [row for row in preview["rows"] if row["kind"] != REFUSED or row["forbidden"]]
    chosen = asked.get("show", "") if asked.get("show") in KINDS else ""
    # Of others there is something to see.
    unchanged = [row for row in others if find_kinds(row) == {UNCHANGED} and not row["notes"]]
    folded = {id(row) for row in unchanged if not chosen}
    rows = [row for row in others if (chosen in find_kinds(row) if chosen else id(row) not in folded)]
    page = Paginator(rows, PAGE_SIZE).get_page(asked.get("page"))
    at, row = (parse_int(asked.get(name, "")) or 0 for name in ("at", "row"))
    following = [each for each in wrong if each["cells"] >= at] or wrong
    opened = {place for text in asked.getlist("open") if (place := parse_int(text))}
    opened |= {each["cells"] for each in following[:_MOST_OPEN]}
    unread = {row["cells"] for row in unreadable}
    seen: set[int] = set()
    _open(wrong, cells, opened, unread, seen)
    lines = _open(page, cells, opened, unread, seen)
    by_place = {each["cells"]: each for each in lines}
    focused = by_place.get(row) or (following[0] if following else by_place.get(at))
    if any(each["key"] == AREA and not each["answer"] for each in preview["questions"]):
        # Nobody has chosen the one that it assumes.
        label = label_field(Event._meta.get_field("area"))
        for each in preview["rows"]:
            each["more"] = [pair for pair in each["more"] if pair[0] != label]
    counts = preview["counts"] | {REFUSED: preview["counts"][REFUSED] - len(unreadable)}
    return {
        "wrong": wrong,
        "page": page,
        "chosen": chosen,
        "tabs": [("", _("All"), len(others)), *name_counts(counts)],
        "folded": len(folded),
        "opened": [each["cells"] for each in lines if each.get("open")],
        "unreadable": len(unreadable),
        "corrected": list(list_corrected(cells)),
        # Questions stand above the rows: they are read first.
        "focus": _find_focus(focused) if focused and (asked or not preview["unanswered"]) else "",
    }


def list_wrong(preview: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows that cannot be read; others are refused because of who imports them."""
    return [row for row in preview["rows"] if row["kind"] == REFUSED and not row["forbidden"]]


def _join_same(wrong: Iterable[dict[str, Any]], cells: SheetCells) -> Iterator[dict[str, Any]]:
    """Yield rows that cannot be read; of those with the same text and the same reason only the first."""
    seen: set[tuple[str, str, str]] = set()
    for row in wrong:
        text = cells.rows[row["cells"] - 1].text(row["field"]) if row["cells"] else ""
        known = (row["field"], text, row["why"][0])
        if not text or known not in seen:
            yield row
        seen.add(known)


def _open(
    rows: Iterable[dict[str, Any]], cells: SheetCells, opened: set[int], unread: set[int], seen: set[int]
) -> list[dict[str, Any]]:
    """Give rows the cells that are shown of them, each once: those `seen` stand elsewhere on the page."""
    lines = [line for row in rows for line in (row, *row["occasions"])]
    for line in lines:
        line["cells"] = place = 0 if line["cells"] in seen else line["cells"]
        seen.add(place)
        if place and place in opened:
            wrong = (line["field"], line["why"][0]) if line.get("field") else ()
            line["open"] = list_cells(cells, place, unread, *wrong)
    return [line for line in lines if line["cells"]]


def _find_focus(line: dict[str, Any]) -> str:
    """Return the key of the cell that is wrong, else of the first one, or else the place of the row."""
    cells = line.get("open") or []
    wrong = [cell.key for cell in cells if cell.why] or [cell.key for cell in cells]
    return wrong[0] if wrong else str(line["cells"])


def build_query(sent: QueryDict, corrected: set[int]) -> str:
    """Return the query of the page after cells were corrected: with a row to open, or the next wrong one."""
    query = QueryDict(mutable=True)
    for name in ("show", "page"):
        if value := sent.get(name):
            query[name] = value
    asked, before = parse_int(sent.get("correct", "")), set(sent.getlist("open"))
    query.setlist("open", [*(before - set(map(str, corrected))), *([str(asked)] if asked else [])])
    if row := asked or next((place for place in sorted(corrected) if str(place) in before), None):
        query["row"] = str(row)
    elif corrected:
        query["at"] = str(max(corrected))
    return query.urlencode()
