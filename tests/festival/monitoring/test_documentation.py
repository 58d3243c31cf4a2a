"""docs/monitoring.md: each example is read as the program reads it that it is for."""

import re
from pathlib import Path

import yaml

from festival.monitoring.endpoints import ENDPOINTS

TEXT = (Path(__file__).parents[3] / "docs" / "monitoring.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def test_nginx_passes_none_of_the_addresses():
    (location,) = blocks("nginx")
    pattern = re.match(r"location ~ (\S+) {\n    return 404;\n}", location)[1]
    assert [path for path in ENDPOINTS if not re.search(pattern, path)] == []
    assert not re.search(pattern, "/api/events")


def test_alerts_are_about_metrics_that_exist():
    _scraping, alerts = map(yaml.safe_load, blocks("yaml"))
    rules = [rule for group in alerts["groups"] for rule in group["rules"]]
    assert len({rule["alert"] for rule in rules}) == len(rules) == 6
    table = set(re.findall(r"`(festival_\w+)`", TEXT))
    named = {name for rule in rules for name in re.findall(r"festival_\w+", rule["expr"])}
    # Prometheus adds to the name of a histogram.
    assert {name.removesuffix("_bucket") for name in named} <= table
