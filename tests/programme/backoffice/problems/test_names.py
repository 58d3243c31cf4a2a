"""Names that nearly match: each two rows of which one may be the other one, misspelt."""

import pytest

from programme.backoffice.problems.registry import build_survey
from programme.models import Area, Location, Organizer, Room, SubArea
from programme.models.festival_time import festival_time

pytestmark = pytest.mark.django_db


def list_pairs() -> list[tuple[str, ...]]:
    [found] = [each for each in build_survey(festival_time()).found if each.kind.key == "similar-names"]
    return [tuple(str(link.label) for link in problem.links) for problem in found.problems]


def test_both_rows_are_linked_and_their_areas_concerned(settings) -> None:
    settings.LANGUAGE_CODE = "en"
    first, second = (Area.objects.create(name=name) for name in ("Stadsparken", "Stadspakren"))
    [found] = [each for each in build_survey(festival_time()).found if each.kind.key == "similar-names"]
    [problem] = found.problems
    assert (problem.title, str(problem.detail)) == ("Stadspakren", "area · nearly the same name")
    assert [link.url for link in problem.links] == [
        f"/admin/programme/area/{area.pk}/change/#id_name" for area in (second, first)
    ]
    assert problem.areas == {first.pk, second.pk}


@pytest.mark.parametrize("model", [Location, Organizer])
def test_places_and_organizers(model) -> None:
    for name in ("Kulturhuset", "Kulturhusett", "Kulturkvarteret", "Scen 1", "Scen 2"):
        model.objects.create(name=name)
    assert list_pairs() == [("Kulturhusett", "Kulturhuset")]


def test_rooms_of_one_location_and_sub_areas_of_one_area() -> None:
    parents = [
        (Location.objects.create(name=name), Area.objects.create(name=name)) for name in ("Norr", "Söder")
    ]
    for (location, area), names in zip(
        parents, (("Spegelsalen",), ("Spegelsalen", "Spegelsaln")), strict=True
    ):
        for name in names:
            Room.objects.create(location=location, name=name)
            SubArea.objects.create(area=area, name=name)
    assert list_pairs() == [("Spegelsaln", "Spegelsalen")] * 2


def test_names_of_another_kind_are_no_matter() -> None:
    Location.objects.create(name="Stadsparken")
    Area.objects.create(name="Stadspakren")
    assert list_pairs() == []
