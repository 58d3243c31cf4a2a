"""Reads pages with an HTML parser that refuses what the standard calls an error."""

from collections.abc import Iterator
from typing import Any

import html5lib
from django.http import HttpResponse
from django.test import Client
from lxml.etree import _Element as Element

# The title of JAZZ in tests/programmes.py, as a reader sees it.
TITLE = r"Jazz, blues & soul; allt på \New \n ]]> <b>fest</b> [b]nu[/b]"

TREE = html5lib.getTreeBuilder("lxml")


def parse(response: HttpResponse) -> Element:
    assert response["Content-Type"] == "text/html; charset=utf-8"
    parser = html5lib.HTMLParser(tree=TREE, strict=True, namespaceHTMLElements=False)
    return parser.parse(response.content.decode()).getroot()


def opened(client: Client, path: str, status: int = 200) -> Element:
    response = client.get(path)
    assert response.status_code == status
    return parse(response)


def text(element: Element) -> str:
    """Return the text of an element as it is read, with a line break for each `br`."""
    raw = "".join(_raw(element))
    return "\n".join(" ".join(line.split()) for line in raw.split("\v"))


def _raw(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        yield from "\v" if child.tag == "br" else _raw(child)
        yield child.tail or ""


def texts(element: Element, path: str) -> list[str]:
    return [text(each) for each in element.xpath(path)]


def said(element: Element) -> Any:
    """Return a text, with its language, link and moments where it has any."""
    more = {
        name: values
        for name, values in {
            "lang": element.xpath("@lang"),
            "href": element.xpath(".//a/@href"),
            "datetime": element.xpath(".//time/@datetime"),
        }.items()
        if values
    }
    return (text(element), more) if more else text(element)


def facts(page: Element) -> dict[str, list[Any]]:
    return {text(row[0]): [said(each) for each in row[1:]] for row in page.xpath("//article//dl/div")}


def links(page: Element, path: str = ".//a") -> list[tuple[str, str]]:
    return [(text(each), each.get("href")) for each in page.xpath(path)]


def notices(page: Element) -> list[Any]:
    return [said(each) for each in page.xpath("//p[starts-with(@class, 'notice')]")]
