internal import Telemetry

/// Spans in OTLP 1.x JSON (OpenTelemetry protocol, "OTLP/HTTP", `ExportTraceServiceRequest`), with hexadecimal ids and
/// 64-bit numbers as text.
enum TraceText {
    static func request(_ spans: [Span], service: String, version: String, instance: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.array("resourceSpans") { json in
                json.object { json in
                    json.object("resource") { json in
                        attributes(
                            [
                                ("service.name", .text(service)), ("service.version", .text(version)),
                                ("service.instance.id", .text(instance)),
                            ], to: &json)
                    }
                    json.array("scopeSpans") { json in
                        json.object { json in
                            json.object("scope") { $0.field("name", "rawmill") }
                            json.array("spans") { json in for span in spans { write(span, to: &json) } }
                        }
                    }
                }
            }
        }
        return json.bytes
    }

    private static func write(_ span: Span, to json: inout JSONWriter) {
        json.object { json in
            json.field("traceId", span.parent.traceText)
            json.field("spanId", TraceContext.text(span.id))
            if !span.isRoot { json.field("parentSpanId", TraceContext.text(span.parent.span)) }
            json.field("name", span.name)
            // SPAN_KIND_INTERNAL: neither a server nor a client of another service.
            json.field("kind", 1)
            json.field("startTimeUnixNano", span.start.description)
            json.field("endTimeUnixNano", span.end.description)
            attributes(span.attributes, to: &json)
            json.object("status") { json in
                json.field("code", span.failure == nil ? 1 : 2)
                if let failure = span.failure { json.field("message", failure) }
            }
        }
    }

    private static func attributes(_ all: [(name: String, value: LogValue)], to json: inout JSONWriter) {
        json.array("attributes") { json in
            for (name, value) in all {
                json.object { json in
                    json.field("key", name)
                    json.object("value") { json in
                        switch value {
                        case .text(let text): json.field("stringValue", text)
                        case .integer(let number): json.field("intValue", number.description)
                        case .real(let number): json.field("doubleValue", number)
                        case .boolean(let flag): json.field("boolValue", flag)
                        }
                    }
                }
            }
        }
    }
}
