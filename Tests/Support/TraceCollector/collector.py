"""Collects traces for tests: receives OTLP over HTTP in JSON, checks its format strictly, and writes each span as a
line of JSON into a file. Prints its port first.

usage: collector.py FILE
"""
import http.server
import json
import re
import sys


def value(of):
    ((kind, what),) = of.items()
    assert kind in {"stringValue", "intValue", "doubleValue", "boolValue"}, kind
    assert kind != "intValue" or re.fullmatch(r"-?\d+", what), what
    return json.dumps(what) if isinstance(what, bool) else str(what)


def attributes(of):
    return {one["key"]: value(one["value"]) for one in of}


def spans(request):
    for resource in request["resourceSpans"]:
        service = attributes(resource["resource"]["attributes"])
        for scope in resource["scopeSpans"]:
            assert scope["scope"]["name"] == "rawmill"
            for span in scope["spans"]:
                assert re.fullmatch("[0-9a-f]{32}", span["traceId"]) and re.fullmatch("[0-9a-f]{16}", span["spanId"])
                assert re.fullmatch("[0-9a-f]{16}", span.get("parentSpanId", "0" * 16))
                assert isinstance(span["startTimeUnixNano"], str)
                yield {"service": service["service.name"], "name": span["name"], "trace": span["traceId"],
                       "id": span["spanId"], "parent": span.get("parentSpanId"),
                       "start": int(span["startTimeUnixNano"]), "end": int(span["endTimeUnixNano"]),
                       "attributes": attributes(span["attributes"]),
                       "failure": span["status"].get("message") if span["status"]["code"] == 2 else None}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            assert self.path == "/v1/traces" and self.headers["Content-Type"] == "application/json"
            heard = list(spans(json.loads(body)))
            with open(sys.argv[1], "a", encoding="utf-8") as file:
                file.writelines(json.dumps(span) + "\n" for span in heard)
            self.send_response(200)
        except (AssertionError, KeyError, ValueError) as error:
            print(f"collector: {error!r} in {body[:300]}", file=sys.stderr)
            self.send_response(400)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
