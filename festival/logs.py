"""Log formats: messages on stderr, requests on stdout in Apache's combined format."""

import logging
import re
from urllib.parse import quote

DATE_FORMAT = "%Y-%m-%dT%H:%M:%S%z"
LINE_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"

# The fields of granian's access log. The path comes last: it is decoded and may contain the separator.
_SEPARATOR = "\x1f"
_ATOMS = (
    *("addr", "time", "method", "query_string", "protocol", "status"),
    *("header{referer}", "header{user-agent}", "path"),
)
ACCESS_FIELDS = _SEPARATOR.join(f"%({atom})s" for atom in _ATOMS)

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# Characters that need no escape in a path (RFC 3986, section 3.3).
_PATH_CHARACTERS = "/:@!$&'()*+,;="
_UNSAFE = re.compile(r'["\\\x00-\x1f\x7f-\U0010ffff]')


class CombinedLogFormatter(logging.Formatter):
    """Format a request like Apache's `combined`, in one line whatever a client sends.

    The size is always `-` because granian does not report it, and so is the user, because editors do not
    log in through HTTP authentication.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record whose message is made from FACTS."""
        fields = record.getMessage().split(_SEPARATOR, len(_ATOMS) - 1)
        address, time, method, query, protocol, status, referrer, agent, path = fields
        target = quote(path, safe=_PATH_CHARACTERS, encoding="latin-1") + (query and f"?{escape(query)}")
        protocol = "HTTP/1.0" if protocol == "HTTP/1" else protocol
        return (
            f'{address} - - [{_apache_time(time)}] "{method} {target} {protocol}" {status} -'
            f' "{escape(referrer)}" "{escape(agent)}"'
        )


def escape(text: str) -> str:
    r"""Escape quotes, backslashes and control characters as Apache does: `\"`, `\\` and `\xhh`."""
    return _UNSAFE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return f"\\{character}" if character in '"\\' else f"\\x{ord(character):02x}"


def _apache_time(time: str) -> str:
    """Return `2026-07-29 14:03:12 +0200` as `29/Jul/2026:14:03:12 +0200`."""
    year, month, day = time[:4], int(time[5:7]), time[8:10]
    return f"{day}/{_MONTHS[month - 1]}/{year}:{time[11:]}"
