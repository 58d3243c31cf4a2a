"""No form is lost while the process that answers editors is replaced, with the kernel's setting of docs/install.md."""

import json
import os
import re
import subprocess
import sys

import pytest

from tests.failures.processes import ROOT
from tests.install.page import PAGE


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can have a network of its own")
def test_no_form_is_lost_in_a_reload() -> None:
    (setting,) = re.findall(r'^echo "(net\.ipv4\.\w+) = 1" >', PAGE.read_text(), re.MULTILINE)
    script = (
        f"ip link set lo up && sysctl -qw {setting}=1 && exec {sys.executable} -m tests.failures.form_storm"
    )
    answers = json.loads(subprocess.check_output(["unshare", "--net", "sh", "-c", script], cwd=ROOT))
    answered = answers.pop("HTTP/1.1 200")
    # Without the setting one in ten thousand is lost, with it one in 300,000 of such a storm: 50,000.
    assert answers in ({}, {"": 1})
    assert answered > 1_000
