"""Golden files: whole responses, byte for byte; JSON is kept indented, so that one sees what has changed."""

from pathlib import Path

import msgspec
import pytest

GOLDEN = Path(__file__).parent / "golden"


def assert_golden(request: pytest.FixtureRequest, name: str, body: bytes) -> None:
    """Compare a response with its golden file, which `--regolden` writes."""
    golden, is_json = GOLDEN / name, name.endswith("json")
    if request.config.getoption("regolden"):
        golden.write_bytes(msgspec.json.format(body, indent=1) + b"\n" if is_json else body)
    module = request.path.relative_to(request.config.rootpath)
    advice = f"Write tests/golden/{name} with `pytest {module} --regolden`, and review it."
    assert golden.exists(), advice
    kept = golden.read_bytes()
    assert body == (msgspec.json.format(kept, indent=-1) if is_json else kept), advice


def list_golden(folder: str = ".") -> set[str]:
    return {path.name for path in (GOLDEN / folder).iterdir() if path.is_file()}
