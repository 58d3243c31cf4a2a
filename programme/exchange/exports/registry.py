"""The kinds of files that the programme can be exported as."""

from programme.exchange.exports.export import ExportFormat
from programme.exchange.exports.sheet import CsvExport, XlsxExport

_EXPORTS: list[ExportFormat] = [XlsxExport(), CsvExport()]
EXPORTS = {export.name: export for export in _EXPORTS}
