"""Writes links in plain text: their words, followed by their address."""

_EXTERNAL = ("http://", "https://", "mailto:")


def is_external(address: str) -> bool:
    """Return whether an address leads outside of the page that it was written for."""
    return address.lower().startswith(_EXTERNAL)


def append_address(words: str, address: str) -> str:
    """Return the words of a link and its address, or the address alone if the words repeat it."""
    address = address.removeprefix("mailto:")
    if not words.strip() or _without_scheme(words.strip()) == _without_scheme(address):
        return address
    return f"{words} ({address})"


def _without_scheme(address: str) -> str:
    return address.split("://", 1)[-1].rstrip("/")
