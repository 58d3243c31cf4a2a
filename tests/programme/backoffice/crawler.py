"""Follow every link of the back office, as a person does who clicks on everything."""

import re
from collections.abc import Callable, Hashable, Iterator
from html import unescape
from itertools import pairwise, product
from typing import NamedTuple
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


def _identify(address: str) -> Hashable:
    """Take addresses that differ by numbers, dates or the values of parameters for the same page."""
    url = urlsplit(address)
    names = tuple(sorted({name for name, _value in parse_qsl(url.query, keep_blank_values=True)}))
    return re.sub(r"\d[\d-]*", "0", url.path), names


class Crawl(NamedTuple):
    """What was visited, in order, and which links led nowhere."""

    visited: list[str]
    faults: list[Fault]


def crawl(get: Callable[[str], Page]) -> Crawl:
    """Visit every page of the back office that a link leads to from its start, one of each kind."""
    found, seen, queue = Crawl([], []), set(), [("", START)]
    while queue:
        origin, address = queue.pop()
        if (kind := _identify(address)) in seen:
            continue
        seen.add(kind)
        page = get(address)
        found.visited.append(address)
        if page.status >= 400:
            found.faults.append(Fault(origin, address, page.status))
        links = [each for each in _find_links(address, page) if each.startswith(START)]
        queue += [(address, each) for each in reversed(links)]
    return found


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
    """Yield the parameter `o` of every sorting by one column in both directions, and by two that stand side by side."""
    for column, sign in product(columns, ("", "-")):
        yield f"{sign}{column}"
    for first, second in pairwise(columns):
        yield f"{first}.-{second}"
