"""Lets pytest run as if the files of `formats` stood in feeds/formats."""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

FOLDER = Path(__file__).parent / "formats"


class _Finder(PathFinder):
    @classmethod
    def find_spec(
        cls,
        fullname: str,
        path: Sequence[str] | None = None,
        target: object = None,  # noqa: ARG003 - a finder has it
    ) -> ModuleSpec | None:
        spec = super().find_spec(fullname, path, None) if fullname == "feeds.formats" else None
        if spec and spec.submodule_search_locations:
            spec.submodule_search_locations.append(str(FOLDER))
        return spec


sys.meta_path.insert(0, _Finder)
