"""An address as a picture that phones read."""

from io import BytesIO

import segno

# A denser picture is no longer read from a screen at arm's length.
MAX_BYTES = 700


def render_qr(url: str) -> str:
    """Return an SVG in the colour of its surroundings, '' for an address too long to be read."""
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
