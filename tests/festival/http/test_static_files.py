"""Static files in production: collected without touching what is there."""

import errno
import gzip
import json
import os
from pathlib import PurePath

import brotli
import pytest
from django.core.management.base import CommandError

from festival import __version__
from festival.http.files import StaticFilesStorage
from festival.server import collect_static
from festival.server.collect_static import collect

MANIFEST, SOURCES = f"staticfiles-{__version__}.json", f"sources-{__version__}"


@pytest.fixture
def collected(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    settings.WHITENOISE_AUTOREFRESH = settings.WHITENOISE_USE_FINDERS = False
    return settings.STATIC_ROOT


@pytest.fixture
def sources(collected, settings, tmp_path):
    """A folder with the only file that is collected: compressing those of the service takes seconds."""
    folder = tmp_path / "sources"
    folder.mkdir()
    settings.STATICFILES_DIRS = [folder]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    (folder / "style.css").write_text("p {}")
    return folder


def files(folder):
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.stat().st_ino)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_files_are_named_by_their_content_and_compressed(collected):
    collect()
    names = json.loads((collected / MANIFEST).read_text())["paths"]
    style = collected / names["pages/pages.css"]
    plain = style.read_bytes()
    assert gzip.decompress(style.with_name(f"{style.name}.gz").read_bytes()) == plain
    assert brotli.decompress(style.with_name(f"{style.name}.br").read_bytes()) == plain
    folders = {"account", "accounts", "admin", "drf_spectacular_sidecar", "mfa", "pages", "programme"}
    assert {name.partition("/")[0] for name in names} == folders

    # So are the modules that a script imports: a browser must not get those of an earlier version.
    script = (collected / names["programme/timetable/main.js"]).read_text()
    assert f'from "./{PurePath(names["programme/timetable/day.js"]).name}";' in script

    # Once more: nothing has changed, and nothing is left over.
    before = files(collected)
    collect()
    assert files(collected) == before
    assert [path.name for path in collected.parent.iterdir()] == ["static"]


def test_only_what_has_changed_is_written_again_because_a_server_may_serve_the_rest(collected, sources):
    collect()
    before = files(collected)
    before.pop(SOURCES)
    (sources / "added.css").write_text("p {}")
    collect()
    after = files(collected)
    after.pop(SOURCES)
    assert before.pop(MANIFEST) != after.pop(MANIFEST)
    assert {name: after[name] for name in before} == before
    assert {name.split(".")[0] for name in after.keys() - before.keys()} == {"added"}
    assert {name.split(".")[0] for name in before} == {"style"}


@pytest.mark.usefixtures("sources")
def test_an_earlier_version_that_was_collected_needs_no_disk(collected, monkeypatch):
    collect()
    before = files(collected)
    with monkeypatch.context() as newer:
        newer.setattr(StaticFilesStorage, "manifest_name", "staticfiles-1.1.0.json")
        newer.setattr(collect_static, "__version__", "1.1.0")
        newer.setattr(collect_static, "_digest_sources", lambda: "others")
        collect()
    assert {name: files(collected)[name] for name in before} == before
    monkeypatch.setattr(collect_static, "_collect", lambda _root: pytest.fail("it is collected again"))
    collect()


def test_a_full_disk_is_a_sentence_and_leaves_the_files_as_they_were(collected, monkeypatch):
    (collected / MANIFEST).write_text("{}")

    def refuse(*_arguments, **_named):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(StaticFilesStorage, "post_process", refuse)
    with pytest.raises(CommandError) as caught:
        collect()
    assert str(caught.value) == f"The static files cannot be written to {collected}: No space left on device."
    assert [path.name for path in collected.parent.rglob("*")] == ["static", MANIFEST]
