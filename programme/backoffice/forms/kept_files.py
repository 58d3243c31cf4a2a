"""Files of forms that were refused: they stay chosen, because a page cannot hold on to a file.

They are in the database, apart from public media, for the user who has sent them and for a day.
"""

from base64 import b64encode
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.contrib.admin.widgets import AdminFileWidget
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from programme.api.instant import get_instant
from programme.backoffice.forms.images import LARGEST_FILE, make_thumbnail
from programme.models import KeptFile
from programme.models.parsing import parse_int

# After the name of a file's field: the field that says which kept file it has.
SUFFIX = "-kept"
MAX_AGE = timedelta(days=1)


class _TakenFile(SimpleUploadedFile):
    """A kept file that a form has again."""

    def __init__(self, row: KeptFile) -> None:
        super().__init__(row.name, bytes(row.content))
        self.row = row


class KeptFileInput(AdminFileWidget):
    """A field of a file that shows the one that is kept; unticked, it is not used."""

    kept: KeptFile | None = None

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        field = super().render(name, value, attrs, renderer)
        if self.kept is None:
            return field
        address = thumbnail_address(self.kept)
        return field + format_html(
            '<p class="kept-file"><label><input type="checkbox" name="{}{}" value="{}" checked>'
            " {}{}</label></p>",
            name,
            SUFFIX,
            str(self.kept.pk),
            format_html('<img src="{}" alt="">', address) if address else "",
            _("“%(file)s” is still chosen, and saved with the rest.") % {"file": self.kept.name},
        )


def thumbnail_address(row: KeptFile | None) -> str:
    """Return the image in a small size within its address, '' of other files: it has no other address."""
    try:
        content = make_thumbnail(bytes(row.content)) if row else b""
    except (OSError, ValueError, SyntaxError):
        content = b""
    return f"data:image/webp;base64,{b64encode(content).decode()}" if content else ""


def take_back(request: HttpRequest) -> None:
    """Give a form the files that were kept for it, except where others are chosen now."""
    sent = {name.removesuffix(SUFFIX): key for name, key in request.POST.items() if name.endswith(SUFFIX)}
    keys = {name: parse_int(str(key)) for name, key in sent.items() if name not in request.FILES}
    if any(keys.values()):
        # Those of the user alone, so that the number need not be a secret.
        rows = KeptFile.objects.filter(user=request.user.pk, pk__in=filter(None, keys.values())).in_bulk()
        request.FILES.update({name: _TakenFile(rows[key]) for name, key in keys.items() if key in rows})


def keep_files(request: HttpRequest, refused: Iterable[str] = ()) -> dict[str, KeptFile]:
    """Keep what a form has sent that is not saved, but for refused files; return it by the fields' names."""
    sent: dict[str, Any] = dict(request.FILES.items())
    return {
        name: file.row if isinstance(file, _TakenFile) else _store(request, file)
        for name, file in sent.items()
        if name not in {*refused} and not file.closed and file.size <= LARGEST_FILE
    }


def _store(request: HttpRequest, file: Any) -> KeptFile:
    file.seek(0)
    user: Any = request.user
    return KeptFile.objects.create(
        user=user, name=file.name[-200:], content=file.read(), kept_at=get_instant(request)
    )


def forget_saved(request: HttpRequest) -> None:
    """Delete the kept files that a form was saved with."""
    for file in request.FILES.values():
        if isinstance(file, _TakenFile):
            file.row.delete()


def show_kept(request: HttpRequest, form: Any) -> None:
    """Keep the files of a form that is shown again, and name them beside their fields."""
    for name, row in keep_files(request, form.errors).items():
        widget = form.fields[name].widget if name in form.fields else None
        if isinstance(widget, KeptFileInput):
            widget.kept = row


def sweep_kept_files(instant: datetime) -> int:
    return KeptFile.objects.filter(kept_at__lt=instant - MAX_AGE).delete()[0]
