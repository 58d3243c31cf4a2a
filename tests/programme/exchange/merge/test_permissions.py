"""An import by somebody without the right to publish takes nothing away that readers see."""

import pytest
from django.utils.translation import override

from programme.backoffice.rights import rights_of
from programme.backoffice.roles import Role
from programme.exchange.merge.apply import apply_import
from programme.exchange.values import ImportOptions
from programme.models import Event, Occasion, Status
from tests.programme.backoffice.imports.pages import create_user_in_role
from tests.programme.exchange.imports import read_xml
from tests.programme.exchange.schedules import JAZZ, LATER, TEA, build_xml

pytestmark = pytest.mark.django_db
SECOND = {"guid": "g9", "date": LATER}
REFUSED = ["You may not move this occasion to another event."]


def import_moved_occasion(role: Role) -> tuple[list[str], str]:
    """Import a schedule in which tea's second occasion is one of jazz; return refusals and its event."""
    options = ImportOptions(
        "feast26", "", "The Feast", "The Feast", rights=rights_of(create_user_in_role(role))
    )
    with override("en"):
        plan = apply_import(read_xml(build_xml(TEA, JAZZ, JAZZ | SECOND)), options)
    return [why for _row, why in plan.refused], Occasion.objects.get(source_id="g9").event.title


@pytest.fixture
def imported(run):
    run(build_xml(TEA, TEA | SECOND, JAZZ))


@pytest.mark.parametrize(
    ("role", "status", "expected"),
    [
        (Role.EDITOR, Status.PUBLISHED, (REFUSED, "Tea")),
        (Role.EDITOR, Status.DRAFT, ([], "Jazz")),
        (Role.CHIEF_EDITOR, Status.PUBLISHED, ([], "Jazz")),
    ],
)
def test_who_may_not_publish_moves_occasions_of_drafts_only(imported, role, status, expected):
    Event.objects.filter(title="Tea").update(status=status)
    assert import_moved_occasion(role) == expected
