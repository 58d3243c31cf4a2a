"""The Containerfile's steps as shell commands, for a machine without a container tool."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PATH = Path(__file__).parents[2] / "Containerfile"


class Step(NamedTuple):
    """An instruction and its arguments, on one line."""

    instruction: str
    arguments: str

    @property
    def command(self) -> str:
        """The shell command of a RUN or CMD, written as a list or as text; of a HEALTHCHECK, that after CMD."""
        text = self.arguments.partition("CMD ")[2] if self.instruction == "HEALTHCHECK" else self.arguments
        return shlex.join(json.loads(text)) if text.startswith("[") else text


def read_steps(text: str) -> list[Step]:
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    joined = "\n".join(lines).replace("\\\n", " ")
    return [Step(*line.split(maxsplit=1)) for line in joined.splitlines() if line.strip()]


def write_scripts(steps: list[Step]) -> Iterator[tuple[str, str]]:
    """Yield each step that runs something, as its instruction and a script for a root shell.

    What is copied is expected under /context in the root.
    """
    environment, user, folder = "", "root", "/"
    for step in steps:
        match step.instruction:
            case "ENV":
                environment = step.arguments
            case "USER":
                user = step.arguments
            case "WORKDIR":
                folder = step.arguments
            case "COPY":
                *sources, target = step.arguments.split()
                yield "COPY", f"mkdir -p {target} && cd /context && cp {' '.join(sources)} {target}"
            case "RUN" | "CMD" | "HEALTHCHECK":
                shell = shlex.quote(f"cd {folder} && exec {step.command}" if user != "root" else step.command)
                yield step.instruction, f"runuser -u {user} -- env {environment} sh -ec {shell}"
