"""The choices that a source was imported with last, so that of its next file only the file is chosen."""

from typing import Any

from programme.exchange.merge.options import number_source
from programme.models import ImportedRow, Upload

# Those of another service are named by its address each time; answers are remembered when they are imported.
_NOT_KEPT = {"address", "answers"}


def remember_choices(upload: Upload, source: str) -> None:
    kept = {name: value for name, value in upload.options.items() if name not in _NOT_KEPT}
    ImportedRow.objects.update_or_create(
        kind=ImportedRow.CHOICES,
        row_id=number_source(source),
        defaults={"source": source, "values": kept | {"source": source}},
    )


def recall_choices(source: str | None) -> dict[str, Any]:
    """Return the choices of a source; this service's own sheets have the source ''."""
    row = ImportedRow.objects.filter(kind=ImportedRow.CHOICES, source=source).first()
    return row.values if row else {}
