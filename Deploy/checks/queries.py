"""Every query of the dashboards and alerts, and the names of the metrics in them."""
import json
import pathlib
import re

import yaml

DEPLOY = pathlib.Path(__file__).parent.parent


def dashboards():
    """File and content of each."""
    for file in sorted((DEPLOY / "grafana" / "dashboards").glob("*.json")):
        yield file, json.loads(file.read_text())


def of_dashboards(interval="1m"):
    """Panel and query, with Grafana's variables replaced: of every cluster."""
    for _, board in dashboards():
        for panel in board["panels"]:
            for target in panel.get("targets", []):
                query = target["expr"].replace("$__rate_interval", interval).replace("$cluster", ".*")
                yield f"{board['title']}: {panel['title']}", query


def of_alerts():
    for group in yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text())["groups"]:
        for rule in group["rules"]:
            yield rule.get("alert") or rule["record"], rule["expr"]


def metrics(query):
    """Names of Rawmill's metrics, without what a histogram adds to them."""
    names = re.findall(r"\b(?:rawmill|process)_[a-z_]+", re.sub(r'"[^"]*"', "", query))
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in names}


def served():
    """Names that the sources serve."""
    text = "".join(file.read_text() for file in (DEPLOY.parent / "Sources" / "Roles" / "Monitoring").rglob("*.swift"))
    return set(re.findall(r'"((?:rawmill|process)_[a-z_]+)"', text))
