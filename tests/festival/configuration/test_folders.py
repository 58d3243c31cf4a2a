"""Folders are found in a checkout and in an installation, and nothing is kept in site-packages."""

from pathlib import Path

from festival.configuration.folders import PACKAGES, default_data_dir, find_folder, is_checkout


def test_a_checkout_keeps_its_data_beside_manage_py():
    assert is_checkout()
    assert find_folder("docs/handbook") == PACKAGES / "docs" / "handbook"
    assert default_data_dir() == PACKAGES / "var"


def test_an_installation_keeps_its_data_where_the_system_does(tmp_path):
    assert find_folder("docs/handbook", tmp_path) == tmp_path / "festival/resources/docs/handbook"
    assert default_data_dir(tmp_path) == Path("/var/lib/festival")
