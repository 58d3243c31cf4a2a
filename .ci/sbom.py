"""Write the software bill of materials of the service, from its lock: CycloneDX 1.6 in JSON, validated."""

import json
import subprocess
import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = Path(__file__).resolve().parents[1]
LOCK, PROJECT = ROOT / "requirements" / "runtime.lock", ROOT / "pyproject.toml"


def build(version: str) -> str:
    """Return the document. Raises ValueError if it is not valid."""
    options = ("--output-reproducible", "--sv=1.6", "--of=JSON", "-o", "-")
    command = [sys.executable, "-m", "cyclonedx_py", "requirements", str(LOCK), "--pyproject", str(PROJECT)]
    made = subprocess.run([*command, *options], capture_output=True, check=True)
    document = json.loads(made.stdout)
    # The version is not in pyproject.toml but in the package.
    document["metadata"]["component"]["version"] = version
    for component in document["components"]:
        # It repeats the line of the lock.
        component.pop("description", None)
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise ValueError(f"The bill of materials is not valid: {error}")
    return text


def main(target: str) -> None:
    sys.path.insert(0, str(ROOT))
    from festival import __version__  # noqa: PLC0415 - found only now

    text = build(__version__)
    Path(target).write_text(text)
    print(f"{target}: {len(json.loads(text)['components'])} components, CycloneDX 1.6.")


if __name__ == "__main__":
    main(sys.argv[1])
