"""The rows of the table, written here: in a template they take most of the time of a page with hundreds."""

from collections.abc import Iterator
from html import escape

from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from programme.backoffice.bulk.shown import ShownRow


def write_rows(rows: list[ShownRow], *, is_plan: bool) -> SafeString:
    """Return the rows of the table, of a plan with what becomes of them."""
    return SafeString("\n".join(_write_row(row, is_plan) for row in rows))


def _write_row(row: ShownRow, is_plan: bool) -> str:
    key, checked = f"occasion-{row.key}", " checked" if row.is_ticked else ""
    return (
        f'<tr class="{_list_classes(row)}"><td class="tick"><input type="checkbox" name="occasion"'
        f' value="{row.key}" id="{key}" aria-describedby="now-{row.key}"{checked}></td>\n'
        f'<th scope="row"><label for="{key}">{escape(row.occasion.event.title)}</label>\n'
        f"{''.join(_write_marks(row))}</th>\n"
        f'<td class="now" id="now-{row.key}">{row.time}{_span("place", row.place)}</td>\n'
        f"{_write_plan(row) if is_plan else ''}</tr>"
    )


def _list_classes(row: ShownRow) -> str:
    is_refused = row.planned is not None and bool(row.planned.refusal)
    classes = {"edited": row.editor, "refused": is_refused, "unticked": not row.is_ticked}
    return " ".join(name for name, applies in classes.items() if applies)


def _write_marks(row: ShownRow) -> Iterator[str]:
    yield _span("quiet", row.occasion.event.area.name)
    if row.is_draft:
        yield f" {_span('mark', _('draft'))}"
    if row.is_cancelled:
        yield f" {_span('mark', _('cancelled'))}"
    if row.editor:
        yield f" {_span('look', _('%(name)s has just changed this.') % {'name': row.editor})}"


def _write_plan(row: ShownRow) -> str:
    """Return what becomes of the occasion and what readers see of it: two cells, or one over both."""
    if row.planned is None:
        return f'<td class="then" colspan="2">{_span("quiet", _("Not ticked: stays as it is."))}</td>'
    if row.planned.refusal:
        why = f"{_('Stays as it is.')} {row.planned.refusal}"
        return f'<td class="then" colspan="2">{_span("look", why)}</td>'
    news = _span("quiet", _("nothing: it is a draft")) if row.is_draft else _write_news(row)
    label = escape(_("Readers see"))
    return f'<td class="then">{_write_change(row)}</td>\n<td class="news" data-label="{label}">{news}</td>'


def _write_change(row: ShownRow) -> str:
    time = f"<strong>{row.new_time}</strong>" if row.new_time else ""
    states = (row.new_place, capfirst(row.new_state))
    changed = "".join(
        f'<span class="place"><strong>{escape(each)}</strong></span>' for each in states if each
    )
    warnings = row.planned.warnings if row.planned else ()
    return f"{time}{changed}{''.join(_span('look', each) for each in warnings)}"


def _write_news(row: ShownRow) -> str:
    return escape(row.news or _("nothing about it"))


def _span(name: str, text: str) -> str:
    return f'<span class="{name}">{escape(text)}</span>' if text else ""
