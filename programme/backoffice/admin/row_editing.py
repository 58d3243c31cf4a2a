"""Rows of lists that are edited in place: a button in each, and the address at which its form is fetched."""

from collections.abc import Callable
from http import HTTPStatus

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import URLPattern, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from programme.backoffice.admin.row_edit import RowEdit
from programme.backoffice.features import Feature
from programme.backoffice.rights import rights_of
from programme.models import Event, Occasion, Revision


class RowEditing(Feature):
    """The form of a row, which programme/static/programme/row-editing.js shows in its place."""

    def get_urls(self) -> list[URLPattern]:
        view = require_http_methods(["GET", "POST"])(self.row_view)
        return [self.path("<int:key>/row/", view, "row")]

    def row_view(self, request: HttpRequest, key: int) -> HttpResponse:
        if request.method == "POST":
            # From here on nobody else can save, so the row stays as compared until it is written.
            Revision.objects.select_for_update().first()
        row = self.model_admin.get_object(request, str(key))
        if row is None:
            return HttpResponse(_("Somebody has deleted it in the meantime."), status=HTTPStatus.GONE)
        if not self.model_admin.has_change_permission(request, row):
            raise PermissionDenied
        edit = RowEdit(self.model_admin, request, row)
        if request.method == "POST" and edit.save():
            return HttpResponse(status=HTTPStatus.NO_CONTENT)
        return edit.render()


def build_edit_column(request: HttpRequest) -> Callable[[Event | Occasion], str]:
    """Return the last column of a list: the button that opens a row, where the user may change it."""
    rights, icon = rights_of(request.user), static("admin/img/icon-changelink.svg")
    label = _("Edit here: %(row)s")

    @admin.display(description=gettext_lazy("edit"), empty_value="")
    def edit(row: Event | Occasion) -> str:
        if not rights.can("change", row):
            return ""
        return format_html(
            '<button type="button" class="edit-row" data-address="{}" title="{}" aria-label="{}">'
            '<img src="{}" alt="" width="16" height="16"></button>',
            reverse(f"admin:programme_{row._meta.model_name}_row", args=[row.pk]),
            _("Edit here (F2)"),
            label % {"row": row},
            icon,
        )

    edit.__name__ = "edit"
    return edit
