"""Follow every link of the back office, as a person does who clicks on everything."""

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from html import unescape
from itertools import permutations, product
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urljoin, urlsplit

START = "/admin/"

# What leads to another page or file, and the form that searches a list.
_LINK = re.compile(r"<(?:a|iframe|link|script|img)\b[^>]*?\b(?:href|src)=\"([^\"]*)\"", re.DOTALL)
_SEARCH = '<form id="changelist-search"'
# A search that finds something, and one that does not.
_SEARCHES = ("?q=a", "?q=9z9")


class Page(NamedTuple):
    """An answer: its status, its `Location` if it is a redirect, and its HTML ("" if it is something else)."""

    status: int
    location: str
    html: str


class Fault(NamedTuple):
    """A link that leads nowhere."""

    page: str
    address: str
    status: int


def by_address(address: str) -> Hashable:
    """Tell all addresses apart."""
    return address


def by_pattern(address: str) -> Hashable:
    """Take addresses that differ by numbers, dates or the values of parameters for the same page."""
    url = urlsplit(address)
    names = tuple(sorted({name for name, _value in parse_qsl(url.query, keep_blank_values=True)}))
    return re.sub(r"\d[\d-]*", "0", url.path), names


def crawl(
    get: Callable[[str], Page],
    identify: Callable[[str], Hashable] = by_address,
    below: tuple[str, ...] = (START,),
    also: Sequence[str] = (),
) -> "Crawl":
    """Visit every page below these paths that a link leads to, one of each that `identify` tells apart.

    It begins at the start page, and at addresses to which no link leads.
    """
    found = Crawl(identify)
    queue = [("", each) for each in (*also, START)]
    while queue:
        origin, address = queue.pop()
        if not found.is_new(address):
            continue
        page = get(address)
        found.visited.append(address)
        if page.status >= 400:
            found.faults.append(Fault(origin, address, page.status))
        links = [each for each in _find_links(address, page) if each.startswith(below)]
        queue += [(address, each) for each in reversed(links)]
    return found


class Crawl:
    """What was visited, in order, and which links led nowhere."""

    def __init__(self, identify: Callable[[str], Hashable]) -> None:
        self.visited: list[str] = []
        self.faults: list[Fault] = []
        self._identify = identify
        self._seen: set[Any] = set()

    def is_new(self, address: str) -> bool:
        key = self._identify(address)
        is_new = key not in self._seen
        self._seen.add(key)
        return is_new


def _find_links(address: str, page: Page) -> Iterator[str]:
    here = urlsplit(address)
    links = [page.location] if page.location else _LINK.findall(page.html)
    if _SEARCH in page.html:
        links += _SEARCHES
    for link in links:
        url = urlsplit(urljoin(address, unescape(link)))
        # A list that is filtered or sorted offers all other filters and sortings again, in addition.
        is_combined = bool(here.query and url.query and url.path == here.path)
        if not url.netloc and not is_combined:
            yield url._replace(fragment="").geturl()


def list_sortings(columns: list[int]) -> Iterator[str]:
    """Yield the parameter `o` of every sorting by one column and by two, in both directions."""
    for column, sign in product(columns, ("", "-")):
        yield f"{sign}{column}"
    for (first, second), signs in product(permutations(columns, 2), product(("", "-"), repeat=2)):
        yield f"{signs[0]}{first}.{signs[1]}{second}"
