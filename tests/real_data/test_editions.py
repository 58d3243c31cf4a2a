"""The check of two years in one service, with an invented sheet of the real one's shape."""

from pathlib import Path

import pytest

from tests.programme.exchange import almedalen
from tests.real_data import editions

pytestmark = pytest.mark.django_db

ROW = '{0},Arr {0},2022-07-0{1} 16:00:00,2022-07-0{1} 17:00:00,,Samtal,A,B,Svenska,"Gatan {0}, H10",Kort.,Lång.,,,,,,,2,{0}{1}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Thirteen events with one or two occasions each."""
    rows = [ROW.format(f"{number}1", 3 + day) for number in range(13) for day in range(1 + number % 2)]
    sheet = tmp_path / "events.csv"
    sheet.write_text("\n".join([",".join(almedalen.HEADINGS), *rows, ""]), encoding="utf-8")
    return sheet


@pytest.mark.parametrize("way", editions.WAYS)
def test_each_year_is_as_its_own_file_has_it(path: Path, way: editions.Way):
    assert editions.check(path, way) == ("19 occasions of 2022, 16 occasions of 2023", [])
