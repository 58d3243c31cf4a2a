"""How a link stands in plain text: its words, followed by its address."""

_LEADS_ELSEWHERE = ("http://", "https://", "mailto:")


def is_external(address: str) -> bool:
    """Return whether an address means something outside of the page that it was written for."""
    return address.lower().startswith(_LEADS_ELSEWHERE)


def append_address(words: str, address: str) -> str:
    """Return the words of a link and its address, which stands alone where the words are the address."""
    address = address.removeprefix("mailto:")
    if not words.strip() or _bare(words.strip()) == _bare(address):
        return address
    return f"{words} ({address})"


def _bare(address: str) -> str:
    return address.split("://", 1)[-1].rstrip("/")
