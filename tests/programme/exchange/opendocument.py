"""Writes OpenDocument spreadsheets, as LibreOffice saves them."""

import datetime as dt
import io
import zipfile
from typing import Any
from xml.sax.saxutils import escape, quoteattr

_NAMESPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "table", "text", "style")
)
_FILLER = '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>'


def write_ods(
    sheets: dict[str, list[list[Any]]],
    *hidden: str,
    rows: str = "",
    spans: dict[tuple[str, int, int], int] | None = None,
) -> bytes:
    """Return a document; `spans` has the rows of merged cells by sheet, row and column, `rows` more XML."""
    tables = "".join(
        f'<table:table table:name={quoteattr(name)} table:style-name="{"ta2" if name in hidden else "ta1"}">'
        f"{''.join(_write_row(name, number, cells, spans or {}) for number, cells in enumerate(lines))}{rows}{_FILLER}</table:table>"
        for name, lines in sheets.items()
    )
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {_NAMESPACES}><office:automatic-styles>'
        '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style>'
        '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>'
        f"</office:automatic-styles><office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest:manifest/>")
        # A document has much more in it.
        archive.writestr("Thumbnails/thumbnail.png", bytes(50_000))
        archive.writestr("content.xml", content)
    return stream.getvalue()


def _write_row(name: str, row: int, cells: list[Any], spans: dict[tuple[str, int, int], int]) -> str:
    written = []
    for column, value in enumerate(cells):
        merged = spans.get((name, row, column), 1)
        span = f' table:number-rows-spanned="{merged}" table:number-columns-spanned="1"' if merged > 1 else ""
        written.append(f"<table:table-cell{span}{_write_value(value)}</table:table-cell>")
    return f"<table:table-row>{''.join(written)}</table:table-row>"


def _write_value(value: Any) -> str:
    if value in (None, ""):
        return ">"
    kinds = {
        dt.datetime: ("date", "date-value"), dt.date: ("date", "date-value"), int: ("float", "value"), float: ("float", "value"),
        bool: ("boolean", "boolean-value"),
    }  # fmt: skip
    if isinstance(value, dt.time):
        return f' office:value-type="time" office:time-value="PT{value:%H}H{value:%M}M{value:%S}S"><text:p>x</text:p>'
    if type(value) in kinds:
        kind, name = kinds[type(value)]
        stated = value.isoformat() if isinstance(value, dt.date) else str(value).lower()
        return f' office:value-type="{kind}" office:{name}="{stated}"><text:p>as shown</text:p>'
    paragraphs = "".join(f"<text:p>{escape(line)}</text:p>" for line in str(value).split("\n"))
    return f' office:value-type="string"><office:annotation><text:p>Obs!</text:p></office:annotation>{paragraphs}'
