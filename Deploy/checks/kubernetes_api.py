"""A Kubernetes API of one namespace that keeps what it is given: enough for Helm to install a chart into.

Nothing runs in it. A job is said to have succeeded, so that hooks end.
"""
import http.server
import json
import threading
import time
import urllib.parse

import yaml

# Group/version: the kinds it knows, by the names in paths.
KINDS = {
    "v1": {"services": "Service", "serviceaccounts": "ServiceAccount", "secrets": "Secret", "pods": "Pod",
           "configmaps": "ConfigMap", "persistentvolumeclaims": "PersistentVolumeClaim"},
    "apps/v1": {"deployments": "Deployment", "statefulsets": "StatefulSet"},
    "batch/v1": {"jobs": "Job"},
    "policy/v1": {"poddisruptionbudgets": "PodDisruptionBudget"},
    "networking.k8s.io/v1": {"networkpolicies": "NetworkPolicy"},
    "keda.sh/v1alpha1": {"scaledobjects": "ScaledObject", "triggerauthentications": "TriggerAuthentication"},
    "monitoring.coreos.com/v1": {"podmonitors": "PodMonitor", "prometheusrules": "PrometheusRule"},
}


class API(http.server.ThreadingHTTPServer):
    """`given` has what was made, as it was given, by kind and name; without secrets, which are Helm's own. It has no kinds of
    the groups `without`."""

    daemon_threads = True

    def __init__(self, version="1.31", without=()):
        super().__init__(("127.0.0.1", 0), Handler)
        self.version = version
        self.kinds = {name: kinds for name, kinds in KINDS.items() if name not in without}
        self.objects = {}
        self.given = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def configuration(self):
        """A kubeconfig that leads here."""
        return yaml.safe_dump({
            "apiVersion": "v1", "kind": "Config", "current-context": "here",
            "clusters": [{"name": "here", "cluster": {"server": f"http://127.0.0.1:{self.server_address[1]}"}}],
            "contexts": [{"name": "here", "context": {"cluster": "here", "user": "nobody"}}],
            "users": [{"name": "nobody", "user": {}}],
        })

    def discovery(self, path):
        """What there is: versions, groups, kinds."""
        major, minor = self.version.split(".")
        groups = {name.split("/")[0]: name for name in self.kinds if "/" in name}
        if path == "/version":
            return {"major": major, "minor": minor, "gitVersion": f"v{self.version}.0"}
        if path == "/api":
            return {"kind": "APIVersions", "versions": ["v1"]}
        if path == "/apis":
            return {"kind": "APIGroupList", "apiVersion": "v1", "groups": [
                {"name": group, "versions": [{"groupVersion": name, "version": name.split("/")[1]}],
                 "preferredVersion": {"groupVersion": name, "version": name.split("/")[1]}}
                for group, name in groups.items()]}
        name = path.removeprefix("/apis/").removeprefix("/api/")
        if name in self.kinds:
            return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": name, "resources": [
                {"name": plural, "singularName": kind.lower(), "kind": kind, "namespaced": True,
                 "verbs": ["create", "get", "list", "patch", "update", "watch", "delete"]}
                for plural, kind in self.kinds[name].items()]}
        if path == "/openapi/v3":
            return {"paths": {self.path_of(name): {"serverRelativeURL": f"/openapi/v3/{self.path_of(name)}"}
                              for name in self.kinds}}
        if path.startswith("/openapi/v3/"):
            return self.description(path.removeprefix("/openapi/v3/"))
        return None

    @staticmethod
    def path_of(name):
        return f"apis/{name}" if "/" in name else f"api/{name}"

    def description(self, path):
        """Of a group: its kinds are validated here, says the parameter, so that the client need not."""
        name = path.split("/", 1)[1]
        group, version = name.split("/") if "/" in name else ("", name)
        return {"openapi": "3.0.0", "info": {"title": "Kubernetes", "version": self.version}, "paths": {
            f"/{path}/namespaces/{{namespace}}/{plural}/{{name}}": {"patch": {
                "x-kubernetes-group-version-kind": {"group": group, "version": version, "kind": kind},
                "x-kubernetes-action": "patch",
                "parameters": [{"name": "fieldValidation", "in": "query", "schema": {"type": "string"}}],
                "responses": {"200": {"description": "OK"}}}}
            for plural, kind in self.kinds.get(name, {}).items()}}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, value, status=200):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def missing(self):
        self.answer({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404}, 404)

    def place(self):
        """The kind that a path below a namespace names, and the object's name, if any."""
        parts = urllib.parse.urlparse(self.path).path.strip("/").split("/")
        if "namespaces" not in parts:
            return None, None
        index = parts.index("namespaces")
        group = "/".join(parts[1:index])
        rest = parts[index + 2:]
        kind = self.server.kinds.get(group, {}).get(rest[0]) if rest else None
        return (group, kind) if kind else None, rest[1] if len(rest) > 1 else None

    def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        found = self.server.discovery(url.path)
        if found is not None:
            return self.answer(found)
        kind, name = self.place()
        if kind is None:
            return self.missing()
        if name is not None:
            known = self.server.objects.get((kind[1], name))
            return self.answer(known) if known else self.missing()
        items = [value for (known, _), value in self.server.objects.items() if known == kind[1]]
        if urllib.parse.parse_qs(url.query).get("watch"):
            return self.watch(kind, items)
        self.answer({"kind": f"{kind[1]}List", "apiVersion": kind[0], "metadata": {"resourceVersion": "1"},
                     "items": items})

    def watch(self, kind, items):
        """What there is, and the word that this was all of it; then nothing happens any more."""
        end = {"kind": kind[1], "apiVersion": kind[0], "metadata": {
            "resourceVersion": "1", "annotations": {"k8s.io/initial-events-end": "true"}}}
        events = [{"type": "ADDED", "object": item} for item in items] + [{"type": "BOOKMARK", "object": end}]
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Connection", "close")
        self.end_headers()
        for event in events:
            self.wfile.write(json.dumps(event).encode() + b"\n")
        self.wfile.flush()
        self.close_connection = True
        time.sleep(10)

    def keep(self, status):
        kind, name = self.place()
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if kind is None:
            return self.missing()
        if kind[1] == "Secret":  # In which Helm keeps its release, as protobuf: nobody asks for it again.
            return self.answer({"kind": "Secret", "apiVersion": "v1", "metadata": {"name": name or "release"}}, status)
        value = json.loads(body)
        meta = value.setdefault("metadata", {})
        key = (kind[1], name or meta.get("name"))
        given = json.loads(json.dumps(value))
        meta.update(uid="0", resourceVersion="1", generation=1, namespace="default")
        if kind[1] == "Job":
            value["status"] = {"succeeded": 1, "conditions": [
                {"type": "Complete", "status": "True"}, {"type": "SuccessCriteriaMet", "status": "True"}]}
        self.server.objects[key] = value
        self.server.given[key] = given
        self.answer(value, status)

    def do_POST(self):
        self.keep(201)

    def do_PUT(self):
        self.keep(200)

    def do_PATCH(self):
        self.keep(200)

    def do_DELETE(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        kind, name = self.place()
        if kind:
            self.server.objects.pop((kind[1], name), None)
        self.answer({"kind": "Status", "apiVersion": "v1", "status": "Success"})

    def log_message(self, *arguments):
        pass
