"""The page of saved column mappings."""

import pytest
from django.contrib.auth.models import Permission, User

from programme.models import SheetMapping
from tests.programme.backoffice.imports.pages import messages_on

pytestmark = pytest.mark.django_db


def test_saved_columns_are_listed_and_deleted(client):
    kept = SheetMapping.objects.create(name="Ours", key="x", headings=["vad", "när"], sources={})
    assert "vad · när" in client.get("/admin/import/saved/").content.decode()
    for message in ("“Ours” is deleted.", "These columns are no longer saved."):
        answer = client.post("/admin/import/saved/", {"delete": kept.pk}, follow=True)
        assert messages_on(answer) == [message]
    user = User.objects.create_user("cy", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_event"))
    client.force_login(user)
    assert client.post("/admin/import/saved/", {"delete": kept.pk}).status_code == 403
