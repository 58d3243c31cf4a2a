"""Reads schedules in the frab format, in any of its dialects."""

from django.utils.translation import gettext as _

from programme.exchange.readers.frab.json import read_json
from programme.exchange.readers.frab.xml import read_xml
from programme.exchange.values import Schedule, UnreadableFileError

_XML_BEGINS = (b"<", b"\xef\xbb\xbf<", b"\xff\xfe<", b"\xfe\xff\x00<")
_JSON_BEGINS = (b"{", b"[", b"\xef\xbb\xbf{", b"\xef\xbb\xbf[")


def is_frab(content: bytes, _ending: str = "") -> bool:
    return content.lstrip()[:8].startswith(_XML_BEGINS + _JSON_BEGINS)


def read_schedule(content: bytes) -> Schedule:
    """Return the schedule in a file's content, which has at least one event."""
    start = content.lstrip()[:8]
    if start.startswith(_XML_BEGINS):
        schedule = read_xml(content.lstrip())
    elif start.startswith(_JSON_BEGINS):
        schedule = read_json(content)
    else:
        raise UnreadableFileError(_("it is neither XML nor a JSON object"))
    if not schedule.entries:
        raise UnreadableFileError(_("it names no event"))
    return schedule
