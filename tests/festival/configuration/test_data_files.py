"""The modes of what the service stores, as root and as another user; where the folders of the repository are."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile

from festival.configuration.data_files import (
    PACKAGES,
    UMASK,
    default_data_dir,
    find_folder,
    is_checkout,
    make_data_folder,
    make_folder,
)
from festival.http.files import MediaStorage

NOBODY, NOGROUP = 65534, 65534
WEB_GROUP = 33


@pytest.fixture(params=["as root", "as another user"])
def data(request) -> Iterator[Path]:
    """DATA_DIR of the service, whose user is root or is not, with the mask of its processes."""
    user, groups, mask = os.geteuid(), os.getgroups(), os.umask(UMASK)
    if user != 0 and request.param == "as root":
        pytest.skip("the tests do not run as root")
    with TemporaryDirectory() as folder:
        data = Path(folder, "festival")
        if user == 0 and request.param != "as root":
            os.chown(folder, NOBODY, NOGROUP)
            os.setgroups([])
            os.setegid(NOGROUP)
            os.seteuid(NOBODY)
        yield data
        if user == 0:
            os.seteuid(0)
            os.setegid(0)
            os.setgroups(groups)
        os.umask(mask)


def modes(folder: Path) -> dict[str, str]:
    """All files and folders with their modes."""
    paths = [folder, *sorted(folder.rglob("*"))]
    return {str(path.relative_to(folder)): f"{stat.S_IMODE(path.stat().st_mode):o}" for path in paths}


def make_folders(data: Path) -> None:
    make_data_folder(data)
    for name in ("media", "static"):
        make_folder(data / name)


def test_what_is_created_has_the_right_modes(data):
    make_folders(data)
    (data / "programme.kept").touch()
    (data / "run").mkdir()
    MediaStorage(data / "media", "/", 0o640).save("events/orgel.jpg", ContentFile(b""))
    assert modes(data) == {
        ".": "2710",
        "media": "2750",
        "media/events": "2750",
        "media/events/orgel.jpg": "640",
        "programme.kept": "600",
        "run": "2700",
        "static": "2750",
    }


@pytest.fixture
def prepared_by_root(data) -> Path:
    """DATA_DIR as docs/install.md has root create it: the service's user is not in the web server's group."""
    if os.getuid() != 0 or os.geteuid() == 0:
        pytest.skip("only root can give a folder to another user's group")
    os.seteuid(0)
    data.mkdir()
    os.chown(data, NOBODY, WEB_GROUP)
    data.chmod(0o2710)
    os.seteuid(NOBODY)
    return data


def test_new_files_get_the_web_servers_group_though_the_service_is_not_in_it(prepared_by_root):
    make_folders(prepared_by_root)
    MediaStorage(prepared_by_root / "media", "/", 0o640).save("events/orgel.jpg", ContentFile(b""))
    assert {path.stat().st_gid for path in prepared_by_root.rglob("*")} == {WEB_GROUP}


def test_root_does_not_work_in_another_users_folder(prepared_by_root):
    os.seteuid(0)
    with pytest.raises(ImproperlyConfigured) as error:
        make_data_folder(prepared_by_root)
    assert str(error.value) == (
        f"{prepared_by_root} belongs to nobody, and what root creates there the service could not read."
        " Run the command as that user: `sudo -u nobody …`."
    )


def test_a_checkout_keeps_its_data_beside_manage_py():
    assert is_checkout()
    assert find_folder("docs/handbook") == PACKAGES / "docs" / "handbook"
    assert default_data_dir() == PACKAGES / "var"


def test_an_installation_keeps_its_data_where_the_system_does(tmp_path):
    assert find_folder("docs/handbook", tmp_path) == tmp_path / "festival/resources/docs/handbook"
    assert default_data_dir(tmp_path) == Path("/var/lib/festival")
