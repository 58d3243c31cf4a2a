"""The pages of a reader process when the back office cannot answer: in both languages, and without Django."""

from base64 import b64encode
from hashlib import sha256
from html import escape
from http import HTTPStatus
from math import ceil
from typing import NamedTuple

RETRY_AFTER = 5

_STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:1.0625rem/1.5 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1.25rem}"
    "h1{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem}p{margin:0}"
    "section+section{margin-top:2.5rem;padding-top:2.5rem;border-top:1px solid #8886}"
)
_STYLE_HASH = b64encode(sha256(_STYLE.encode()).digest()).decode()
_HEADERS = (
    ("Content-Type", "text/html; charset=utf-8"),
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    (
        "Content-Security-Policy",
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'",
    ),
)
_DOCUMENT = (
    '<!doctype html><html lang="sv"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width,initial-scale=1">'
    '<meta name="robots" content="noindex">'
    "{refresh}<title>{title}</title><style>{style}</style></head><body><main>{sections}</main></body></html>"
)
_SECTION = '<section lang="{}"><h1>{}</h1><p>{}</p></section>'


class Text(NamedTuple):
    """A heading and a sentence or two, in one language."""

    heading: str
    explanation: str


class Page(NamedTuple):
    """A page; `is_passing` if the same request will be answered in a moment, or after `wait` seconds."""

    status: HTTPStatus
    sv: Text
    en: Text
    is_passing: bool = False
    wait: int = 0

    def headers(self) -> list[tuple[str, str]]:
        wait = RETRY_AFTER if self.is_passing else self.wait
        return [*_HEADERS, ("Retry-After", str(wait))] if wait else [*_HEADERS]

    def content(self, *, is_safe: bool) -> bytes:
        """Return the document; if nothing was sent, it requests the page again by itself."""
        is_repeated = self.is_passing and is_safe
        refresh = f'<meta http-equiv="refresh" content="{RETRY_AFTER}">' if is_repeated else ""
        sections = ""
        for language, text in (("sv", self.sv), ("en", self.en)):
            explanation = _BY_ITSELF[language] if is_repeated else text.explanation
            sections += _SECTION.format(language, escape(text.heading), escape(explanation))
        document = _DOCUMENT.format(
            refresh=refresh, title=escape(self.sv.heading), style=_STYLE, sections=sections
        )
        return document.encode()


_BY_ITSELF = {
    "sv": "Sidan försöker igen av sig själv om några sekunder.",
    "en": "This page tries again by itself in a few seconds.",
}
_SEND_AGAIN_SV = "Inget är sparat. Ladda om sidan om en liten stund: det du skrev skickas då igen."
_SEND_AGAIN_EN = "Nothing has been saved. Reload this page in a moment: what you typed is then sent again."

BUSY = Page(
    HTTPStatus.SERVICE_UNAVAILABLE,
    Text("Redaktionen har fullt upp just nu", _SEND_AGAIN_SV),
    Text("The back office is busy right now", _SEND_AGAIN_EN),
    is_passing=True,
)
AWAY = Page(
    HTTPStatus.SERVICE_UNAVAILABLE,
    Text("Redaktionen startas om", _SEND_AGAIN_SV),
    Text("The back office is restarting", _SEND_AGAIN_EN),
    is_passing=True,
)
DISK_FULL = Page(
    HTTPStatus.INSUFFICIENT_STORAGE,
    Text(
        "Serverns disk är full",
        "Inget är sparat. Säg till den som sköter servern, och lämna sidan öppen:"
        " ladda om den när det finns plats, så skickas det du skrev igen.",
    ),
    Text(
        "The server's disk is full",
        "Nothing has been saved. Tell the person who runs the server, and leave this page open:"
        " reload it when there is room, and what you typed is sent again.",
    ),
)
BROKEN = Page(
    HTTPStatus.BAD_GATEWAY,
    Text(
        "Redaktionen avbröts",
        "Det är osäkert om det du gjorde hann sparas. Gå tillbaka och se efter innan du gör det igen.",
    ),
    Text(
        "The back office was interrupted",
        "What you did may or may not have been saved. Go back and look before you do it again.",
    ),
)
TOO_LARGE = Page(
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Text("Det är för mycket på en gång", "Högst 20 MB kan skickas. Gå tillbaka och välj en mindre fil."),
    Text("That is too much at once", "At most 20 MB can be sent. Go back and choose a smaller file."),
)
NO_LENGTH = Page(
    HTTPStatus.LENGTH_REQUIRED,
    Text("Begäran saknar längd", "Skicka den med Content-Length."),
    Text("The request has no length", "Send it with Content-Length."),
)
MALFORMED = Page(
    HTTPStatus.BAD_REQUEST,
    Text("Begäran är trasig", "Den kom inte fram hel. Gå tillbaka och försök igen."),
    Text("The request is malformed", "It did not arrive complete. Go back and try again."),
)


def refuse_network(seconds: int) -> Page:
    """Return the page for who has to wait because too much was sent from the network."""
    minutes = ceil(seconds / 60)
    return Page(
        HTTPStatus.TOO_MANY_REQUESTS,
        Text(
            "För många försök att logga in från ditt nätverk",
            f"Försök igen om {minutes} {'minut' if minutes == 1 else 'minuter'}."
            " Brådskar det, så använd ett annat nätverk, till exempel telefonens.",
        ),
        Text(
            "Too many attempts to sign in from your network",
            f"Try again in {minutes} {'minute' if minutes == 1 else 'minutes'}."
            " If it is urgent, use another network, such as your phone’s.",
        ),
        wait=seconds,
    )
