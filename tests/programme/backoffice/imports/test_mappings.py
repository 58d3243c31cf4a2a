"""The page of saved column mappings."""

import pytest
from django.contrib.auth.models import Permission, User

from programme.models import (
    SheetMapping,
)
from tests.programme.backoffice.imports.pages import (
    messages_on,
)

pytestmark = pytest.mark.django_db


def test_saved_columns_are_listed_renamed_and_deleted(client):
    kept = SheetMapping.objects.create(name="Theirs", key="x", headings=["vad", "när"], sources={})
    assert "vad · när" in client.get("/admin/import/saved/").content.decode()
    assert messages_on(
        client.post("/admin/import/saved/", {"rename": kept.pk, "name": " "}, follow=True)
    ) == ["Give them a name."]
    client.post("/admin/import/saved/", {"rename": kept.pk, "name": "Ours"}, follow=True)
    assert SheetMapping.objects.get().name == "Ours"
    assert messages_on(client.post("/admin/import/saved/", {"delete": kept.pk}, follow=True)) == [
        "“Ours” is deleted."
    ]
    assert messages_on(client.post("/admin/import/saved/", {"delete": kept.pk}, follow=True)) == [
        "These columns are no longer saved."
    ]
    user = User.objects.create_user("cy", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_event"))
    client.force_login(user)
    assert client.post("/admin/import/saved/", {"delete": kept.pk}).status_code == 403
