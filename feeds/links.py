"""Which addresses may be linked to."""

WEB = ("http://", "https://")


def safe_url(url: str) -> str:
    """Return an address that may be linked to, '' for any other: imported ones pass no form."""
    return url if url.lower().startswith(WEB) else ""
