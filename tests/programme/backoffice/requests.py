"""Forms of the back office, as a browser submits them and as it reads the answers."""

import re
from typing import Any

from bs4 import BeautifulSoup, Tag
from django.test import Client
from lxml import html

Response = Any

GONE = (
    "This row is no longer here: someone else has deleted or moved it in the meantime. "
    "Tick “Delete?” in it, then save. Everything else is kept."
)


# White space that browsers do not show: at the edges of elements that are blocks or cells.
LAYOUT = re.compile(
    r"(<(?:pre|textarea)\b.*?</(?:pre|textarea)>)"
    r"|\s*(</?(?:address|caption|d[dlt]|details|div|fieldset|form|h\d|legend|li|ol|option|p|section|summary|t[dhr]|ul)\b[^>]*>)\s*",
    re.DOTALL,
)


def parse(response: Response) -> BeautifulSoup:
    """Return a page without the white space of its templates' layout."""
    shown = LAYOUT.sub(lambda found: found[1] or found[2], response.content.decode())
    return BeautifulSoup(shown, "lxml")


def opened(client: Client, address: str, **query: str) -> BeautifulSoup:
    response = client.get(address, query)
    assert response.status_code == 200
    return parse(response)


def words(tag: Tag | None) -> str:
    """Return the text of an element in one line, '' without one."""
    return " ".join(tag.get_text(" ").split()) if tag else ""


def submission(response: Response) -> dict[str, Any]:
    """Return what a browser would send of the page's form, untouched."""
    # A page has thousands of elements: to make BeautifulSoup's takes as long as the page.
    form = html.document_fromstring(response.content.decode()).xpath(
        "//*[@id='content-main']//form[@method='post']"
    )[0]
    fields = form.xpath(".//input[@name] | .//select[@name] | .//textarea[@name]")
    sent = {field.get("name"): _value(field) for field in fields if _is_sent(field)}
    return {name: value for name, value in sent.items() if value is not None}


def _is_sent(field: Any) -> bool:
    kind = field.get("type")
    ticked = kind not in {"checkbox", "radio"} or "checked" in field.attrib
    # What names a form belongs to that one, wherever it stands.
    return kind not in {"submit", "file"} and ticked and "form" not in field.attrib


def _value(field: Any) -> str | None:
    if field.tag == "textarea":
        # A browser leaves out the line break after the tag.
        return field.text_content().removeprefix("\n")
    if field.tag == "select":
        chosen = field.xpath(".//option[@selected]") or field.xpath(".//option")
        return chosen[0].get("value") if chosen else None
    return field.get("value", "on" if field.get("type") == "checkbox" else "")


def list_errors(response: Response) -> dict[str, list[str]]:
    """Return the errors that stand on the page, by the name of the field beside which they stand."""
    assert response.status_code == 200
    form, formsets = response.context["adminform"].form, response.context["inline_admin_formsets"]
    forms = [form, *(row for formset in formsets for row in formset.formset.forms)]
    beside = {row.add_prefix(name): list(found) for row in forms for name, found in row.errors.items()}
    whole = {
        formset.formset.prefix: list(formset.formset.non_form_errors())
        for formset in formsets
        if formset.formset.non_form_errors()
    }
    return beside | whole


def read_row_error(response: Response, row_id: str) -> str:
    """Return what stands in the table right above a row, '' where that is another row."""
    page = parse(response)
    before = page.find(id=row_id).find_previous_sibling("tr")
    return before.get_text(strip=True) if before and "row-form-errors" in before["class"] else ""


def without_tokens(sent: dict[str, Any]) -> dict[str, Any]:
    """Return what is sent but for the token and the state, which are another each time."""
    return {name: value for name, value in sent.items() if name not in {"csrfmiddlewaretoken", "_state"}}


def list_messages(response: Response) -> list[str]:
    """Return the messages on the page."""
    return [str(message) for message in response.context["messages"]]


def row_fields(formset: str, index: int, **fields: str) -> dict[str, str]:
    """Return the fields of one row of a formset under their full names."""
    return {f"{formset}-{index}-{name}": value for name, value in fields.items()}


def send(office: Client, address: str, /, *, follow: bool = False, **typed: Any) -> Response:
    """Send the form of a page, as it is shown but for what is typed."""
    return office.post(address, submission(office.get(address)) | typed, follow=follow)


def submit_new(office: Client, kind: str, /, **typed: Any) -> Response:
    return send(office, f"/admin/programme/{kind}/add/", **typed)
