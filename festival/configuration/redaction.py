"""What no log may keep of an address: secrets in paths and parameters. It needs no Django."""

import re

REDACTED = "REDACTED"
# Of visitors' calendars; one-time links (long, with a digit); identity providers and links sent by e-mail.
_SECRET = re.compile(
    r"(/my-list/)[^/?]+"
    r"|(/admin/(?:[^/?]+/)*?)(?=[^/?]*\d)[^/?]*[\w:=.~-]{20,}[^/?]*"
    r"|((?:^|[?&])(?:(?:access_?|id_?|refresh_?)?token|api_?key|key|code|state|nonce|secret|password\d?|passwd"
    r"|sig(?:nature)?|session(?:id)?)=)[^&]+",
    re.IGNORECASE,
)


def redact(text: str) -> str:
    """Return an address, a path or a query string without its secrets."""
    return _SECRET.sub(lambda found: "".join(filter(None, found.groups())) + REDACTED, text)
