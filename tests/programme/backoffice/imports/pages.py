"""Steps through the pages of importing: upload, preview, apply, and what the pages say."""

from django.contrib.auth.models import Group, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from programme.models import Area, AreaEditor, Revision
from tests.programme.backoffice.requests import parse

EXPORT = "/admin/programme/event/export/"

HEADINGS = "Titel;Område;Plats;Datum;Start;Slut;Pris"

ROWS = [
    "Fest;Parken;Scen;2026-09-12;19;20;Fri",
    "Fest;;Scen;2026-09-13;19;20;",
    "Konsert;Parken;;2026-09-14;19;20;50 kr",
]


def build_sheet(*rows: str, headings: str = HEADINGS) -> bytes:
    return "\n".join([headings, *rows]).encode()


def sign_in_administrator() -> Client:
    user = User.objects.create_superuser("ada", password="x")
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


def upload(client: Client, content: bytes, name: str = "programme.csv", **options: str):
    """Upload a file, or paste it, and choose how it is imported as the preview lets one."""
    given = (
        {"pasted": options.pop("pasted")}
        if "pasted" in options
        else {"file": SimpleUploadedFile(name, content)}
    )
    page = client.post("/admin/import/", given)
    if page.status_code == 302:
        chosen = {"options": "1", "source": "office", "new_events": "published"} | options
        client.post(f"{page['Location']}answers/", chosen)
    return page


def show_preview(client: Client, content: bytes, **options: str):
    """Upload a file, let it be read, and return the page that shows what would happen."""
    page = upload(client, content, **options)
    assert page.status_code == 302, page.content.decode()
    return read_upload(client, page["Location"])


def read_upload(client: Client, address: str):
    assert "data-progress" in client.get(address).content.decode()
    done = client.post(f"{address}read/")
    assert done["Location"] == "/admin/import/done/"
    return client.get(done["Location"], follow=True)


def preview_rows(page) -> list[tuple[str, ...]]:
    """Return what is said of the rows, the wrong ones first, with the reason beside its cell."""
    shown = parse(page)
    for row in shown.select("tr.cells"):
        row.find_previous("tr").select("td")[-1].extend(row.select(".errorlist"))
        row.extract()
    for button in shown.select("button.correct"):
        button.extract()
    found = shown.select(".rows-of-file tbody tr:not(:has([colspan]))")
    return [tuple(cell.get_text(" ", strip=True) for cell in row.select("td, th")) for row in found]


def messages_on(page) -> list[str]:
    """Return the messages without their buttons, the link to the next file and what readers get."""
    shown = parse(page)
    for button in shown.select(".messagelist :is(a.undo, a[href*=source], .news)"):
        button.decompose()
    return [each.get_text(strip=True) for each in shown.select(".messagelist li")]


def remarks_on(page) -> list[str]:
    return [each.get_text() for each in parse(page).select(".remarks li")]


def apply_preview(client: Client, page, *overwrite: str, **headers: str):
    """Apply a preview, and accept what looks odd in it."""
    sent = {"apply": "1", "overwrite": list(overwrite), "accept": list(odd_on(page))}
    return client.post(f"{page.wsgi_request.path}apply/", sent, headers=headers)


def odd_on(page) -> dict[str, str]:
    """Return what looks odd, by the values of its ticks."""
    found = parse(page).select(".suspicions > ul > li:has([name=accept])")
    return {each.input["value"]: each.strong.get_text(" ", strip=True) for each in found}


def apply_and_list_messages(client, page, *overwrite: str) -> list[str]:
    return messages_on(client.get(apply_preview(client, page, *overwrite)["Location"], follow=True))


def row_kinds(page) -> list[tuple[str, str]]:
    return [(row[1], row[2]) for row in preview_rows(page)]


def refusals_on(page) -> list[tuple[str, str]]:
    return [(row[2], row[3]) for row in preview_rows(page) if row[1] == "refused" and row[3]]


def create_user_in_role(name: str, *areas: str) -> User:
    user = User.objects.create_user(name, is_staff=True)
    user.groups.add(Group.objects.get(name=name))
    for area in areas:
        AreaEditor.objects.create(user=user, area=Area.objects.get(name=area))
    return user


def revision_number() -> int:
    return Revision.objects.get().number if Revision.objects.exists() else 0
