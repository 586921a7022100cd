"""A strict implementation of the used part of Immich's documented interface (https://api.immich.app).

    immich.py KEY [FAILING-UPLOAD]

Prints its port. `GET /state` returns its contents. Upload number FAILING-UPLOAD, counted from 1, fails once. Fields
of requests are checked against the interface's description: required fields, types, UUIDs, dates, and counts."""

import email.parser
import email.policy
import hashlib
import http.server
import json
import re
import sys
import uuid

KEY = sys.argv[1]
failing = int(sys.argv[2]) if len(sys.argv) > 2 else 0
assets, stacks, albums, uploads = {}, [], [], 0
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$")


class Wrong(Exception):
    def __init__(self, status, message):
        self.status, self.message = status, message


def check(condition, message, status=400):
    if not condition:
        raise Wrong(status, message)


def text(fields, name):
    check(isinstance(fields.get(name), str) and fields[name] != "", f"{name} must be a string")
    return fields[name]


def ids(fields, name, least):
    values = fields.get(name)
    check(isinstance(values, list) and len(values) >= least, f"{name} must contain at least {least} elements")
    for value in values:
        check(isinstance(value, str) and str(uuid.UUID(value)) == value, f"each value in {name} must be a UUID")
        check(value in assets, "Not found or no asset.read access")
    return values


def known(digest):
    return next((id for id, asset in assets.items() if asset["sha1"] == digest), None)


def version(_):
    return 200, {"major": 1, "minor": 140, "patch": 0}


def bulk_check(fields):
    check(isinstance(fields.get("assets"), list) and fields["assets"], "assets must be an array")
    results = []
    for item in fields["assets"]:
        id, digest = text(item, "id"), text(item, "checksum")
        check(re.fullmatch(r"[0-9a-f]{40}|[A-Za-z0-9+/]{27}=", digest), "checksum must be SHA-1")
        there = known(digest)
        results.append({"id": id, "action": "reject", "reason": "duplicate", "assetId": there, "isTrashed": False}
                       if there else {"id": id, "action": "accept"})
    return 200, {"results": results}


def upload(form):
    global uploads, failing
    uploads += 1
    if uploads == failing:
        raise Wrong(500, "Internal server error")
    for name in ["deviceAssetId", "deviceId"]:
        text(form, name)
    for name in ["fileCreatedAt", "fileModifiedAt"]:
        check(DATE.match(text(form, name)), f"{name} must be a date")
    check(isinstance(form.get("assetData"), tuple), "assetData is missing")
    name, data = form["assetData"]
    check(re.search(r"\.(jpe?g|avif|jxl|tiff?|png|dng|nef|cr2|arw)$", name, re.I), f"Unsupported file type {name}")
    sidecar = form.get("sidecarData")
    if sidecar:
        check(sidecar[0].endswith(".xmp") and b"<x:xmpmeta" in sidecar[1], "sidecarData is no XMP")
    digest = hashlib.sha1(data).hexdigest()
    there = known(digest)
    if there:
        return 200, {"id": there, "status": "duplicate"}
    id = str(uuid.uuid4())
    assets[id] = {
        "name": name, "sha1": digest, "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data),
        "created": form["fileCreatedAt"], "sidecar": bool(sidecar),
    }
    return 201, {"id": id, "status": "created"}


def stack(fields):
    wanted = list(dict.fromkeys(ids(fields, "assetIds", 2)))
    merged = list(wanted)
    for old in [old for old in stacks if any(id in wanted for id in old["assets"])]:
        stacks.remove(old)
        merged += [id for id in old["assets"] if id not in merged]
    stacks.append({"id": str(uuid.uuid4()), "primaryAssetId": wanted[0], "assets": merged})
    return 201, stacks[-1]


def make_album(fields):
    album = {"id": str(uuid.uuid4()), "albumName": text(fields, "albumName"),
             "createdAt": f"2024-05-01T10:00:{len(albums):02}.000Z", "assets": []}
    albums.append(album)
    return 201, album


def add(album, fields):
    results = []
    for id in ids(fields, "ids", 1):
        if id in album["assets"]:
            results.append({"id": id, "success": False, "error": "duplicate"})
        else:
            album["assets"].append(id)
            results.append({"id": id, "success": True})
    return 200, results


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def body(self):
        length = self.headers.get("Content-Length")
        if length is not None:
            return self.rfile.read(int(length))
        check(self.headers.get("Transfer-Encoding") is None, "chunks are not expected", 411)
        return b""

    def fields(self, body):
        kind = self.headers.get("Content-Type", "")
        if kind.startswith("multipart/form-data"):
            message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(
                b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body)
            form = {}
            for part in message.iter_parts():
                name, data = part.get_param("name", header="content-disposition"), part.get_payload(decode=True)
                form[name] = (part.get_filename(), data) if part.get_filename() else data.decode()
            return form
        check(kind == "application/json" or not body, f"the content type is {kind}", 415)
        return json.loads(body) if body else {}

    def answer(self, method):
        try:
            body = self.body()
            if (method, self.path) == ("GET", "/state"):
                status, value = 200, {"assets": assets, "stacks": stacks, "albums": albums, "uploads": uploads}
            else:
                check(self.path.startswith("/api/"), f"Cannot {method} {self.path}", 404)
                check(self.headers.get("x-api-key") == KEY, "Invalid API key", 401)
                status, value = self.route(method, self.path[4:], body)
        except Wrong as wrong:
            status, value = wrong.status, {"message": [wrong.message], "error": "wrong", "statusCode": wrong.status}
        text = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def route(self, method, path, body):
        fields = self.fields(body)
        if (method, path) == ("GET", "/albums"):
            return 200, albums
        album = re.fullmatch(r"/albums/([0-9a-f-]{36})/assets", path)
        if method == "PUT" and album:
            found = next((each for each in albums if each["id"] == album[1]), None)
            check(found, "Not found or no album.read access")
            return add(found, fields)
        routes = {
            ("GET", "/server/version"): version, ("POST", "/assets/bulk-upload-check"): bulk_check,
            ("POST", "/assets"): upload, ("POST", "/stacks"): stack, ("POST", "/albums"): make_album,
        }
        check((method, path) in routes, f"Cannot {method} {path}", 404)
        return routes[method, path](fields)

    def do_GET(self):
        self.answer("GET")

    def do_POST(self):
        self.answer("POST")

    def do_PUT(self):
        self.answer("PUT")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
