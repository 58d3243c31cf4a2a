"""Addresses as QR codes."""

from io import BytesIO

import segno

# Phones do not read a denser code from a screen at arm's length.
MAX_BYTES = 700


def render_qr(url: str) -> str:
    """Return an SVG in the colour of the text around it, '' for an address that is too long."""
    if len(url.encode()) > MAX_BYTES:
        return ""
    written = BytesIO()
    segno.make_qr(url, error="l", boost_error=False).save(
        written,
        kind="svg",
        xmldecl=False,
        svgns=False,
        nl=False,
        omitsize=True,
        border=4,
        svgclass=None,
        lineclass=None,
    )
    return written.getvalue().decode()
