"""The kinds of files that the programme can be exported as."""

from programme.exchange.exports.export import ExportFormat
from programme.exchange.exports.frab import FrabJsonExport, FrabXmlExport
from programme.exchange.exports.ical import ICalendarExport
from programme.exchange.exports.sheet import CsvExport, XlsxExport

_EXPORTS: list[ExportFormat] = [
    XlsxExport(),
    CsvExport(),
    ICalendarExport(),
    FrabXmlExport(),
    FrabJsonExport(),
]
EXPORTS = {export.name: export for export in _EXPORTS}
