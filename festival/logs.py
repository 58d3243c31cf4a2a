"""How log lines look: messages on stderr, requests on stdout in Apache's combined format."""

import logging
import re
from urllib.parse import quote

MOMENT = "%Y-%m-%dT%H:%M:%S%z"
LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"

# What granian tells of a request. The path comes last, because it is decoded and may hold anything.
_SEPARATOR = "\x1f"
_ATOMS = (
    *("addr", "time", "method", "query_string", "protocol", "status"),
    *("header{referer}", "header{user-agent}", "path"),
)
FACTS = _SEPARATOR.join(f"%({atom})s" for atom in _ATOMS)

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# Left as they are in the path of a request (RFC 3986, section 3.3).
_IN_PATHS = "/:@!$&'()*+,;="
_UNSAFE = re.compile(r'["\\\x00-\x1f\x7f-\U0010ffff]')


class CombinedLogFormatter(logging.Formatter):
    """Writes a request as Apache's `combined` does: one line, whatever a client sends.

    The size is always `-`: granian does not tell it. Neither is there a user: editors log in to
    the back office, not over HTTP.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record whose message is made from FACTS."""
        facts = record.getMessage().split(_SEPARATOR, len(_ATOMS) - 1)
        address, time, method, query, protocol, status, referrer, agent, path = facts
        target = quote(path, safe=_IN_PATHS, encoding="latin-1") + (query and f"?{escaped(query)}")
        protocol = "HTTP/1.0" if protocol == "HTTP/1" else protocol
        return (
            f'{address} - - [{_apache_time(time)}] "{method} {target} {protocol}" {status} -'
            f' "{escaped(referrer)}" "{escaped(agent)}"'
        )


def escaped(text: str) -> str:
    r"""Return a text that cannot end its quotes or its line: `\"`, `\\` and `\xhh`, as Apache writes them."""
    return _UNSAFE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return f"\\{character}" if character in '"\\' else f"\\x{ord(character):02x}"


def _apache_time(time: str) -> str:
    """Return `2026-07-29 14:03:12 +0200` as `29/Jul/2026:14:03:12 +0200`."""
    year, month, day = time[:4], int(time[5:7]), time[8:10]
    return f"{day}/{_MONTHS[month - 1]}/{year}:{time[11:]}"
