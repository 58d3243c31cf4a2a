"""The Nu HTML checker, W3C's own, finds nothing to complain of on any page, nor in their style sheet."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from programme import models
from tests.pages.all_pages import PUBLISHED, pages
from tests.programmes import NIGHT

VNU = Path(__file__).parents[1] / "consumers/node_modules/vnu-jar/build/dist/vnu.jar"
JAVA = shutil.which("java")
STYLES = settings.BASE_DIR / "pages/static/pages/pages.css"
# It does not know container queries (CSS Conditional Rules 5), which all browsers have had since 2023.
UNKNOWN = (
    "pages.css: error: CSS: “container-type”",
    "pages.css: error: CSS: Unrecognized at-rule “@container",
)


@pytest.fixture
def vnu():
    if JAVA is None or not VNU.exists():
        pytest.skip(
            "vnu is not installed: needs java (default-jre-headless), and `npm ci` in tests/consumers"
        )

    def complaints(*files: Path) -> list[str]:
        # It ends with 1 where it finds errors, and says them on the standard error stream.
        command = [JAVA, "-jar", VNU, "--also-check-css", "--format", "json", *files]
        written = subprocess.run(command, capture_output=True, check=False).stderr
        return [
            f"{Path(each['url']).name}: {each['type']}: {each['message']} {each.get('extract', '')}"
            for each in json.loads(written)["messages"]
        ]

    return complaints


@pytest.mark.usefixtures("lists", "at")
def test_it_finds_nothing_on_any_page(client, vnu, tmp_path):
    withdrawn = models.Event.objects.get(id=NIGHT)
    found = dict(pages(client))
    assert {f"/tillfalle/{number}" for number in PUBLISHED} < found.keys()
    withdrawn.status = models.Status.DRAFT
    withdrawn.save()
    models.Occasion.objects.get(id=8002).delete()
    found |= {f"{path} (gone)": client.get(path) for path in ("/tillfalle/8002", "/en/occasion/8004")}
    files = []
    for number, (path, response) in enumerate(found.items()):
        files.append(tmp_path / f"{number}{path.replace('/', '|')[:80]}.html")
        files[-1].write_bytes(response.content)
    # It would find what is wrong.
    wrong = tmp_path / "wrong.html"
    wrong.write_text(
        "<!DOCTYPE html><html lang=sv><title>x</title><p><div class=a id=a></div></p><img src=a>"
    )
    said = vnu(*files, STYLES, wrong)
    assert len(said) >= 2
    wrong_or_unknown = ("wrong.html", *UNKNOWN)
    assert [each for each in said if not each.startswith(wrong_or_unknown)] == []
