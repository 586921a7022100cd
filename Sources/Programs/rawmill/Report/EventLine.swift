import Telemetry

/// A line of `--json`: an object whose first field names its kind.
struct EventLine<Fields: Encodable>: Encodable {
    let event: String
    let fields: Fields

    private enum Key: CodingKey { case event }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(event, forKey: .event)
        try fields.encode(to: encoder)
    }
}

extension EventLine where Fields == JSONFields {
    init(_ event: String, _ fields: JSONFields) { self.init(event: event, fields: fields) }
}

extension TextOutput {
    func write(event: String, _ fields: JSONFields) { write(line: JSONWriter.line(EventLine(event, fields))) }
}
