import Telemetry

extension JSONWriter {
    /// A line of `--json`: an object whose first field names its kind.
    static func line(event: String, _ fields: (inout JSONWriter) -> Void) -> String {
        line { json in
            json.field("event", event)
            fields(&json)
        }
    }
}

extension TextOutput {
    func write(event: String, _ fields: (inout JSONWriter) -> Void) {
        write(line: JSONWriter.line(event: event, fields))
    }
}
