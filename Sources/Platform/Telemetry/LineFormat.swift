internal import Clock

/// Format of log lines.
public enum LineFormat: String, Hashable, Sendable, CaseIterable {
    /// `time=… level=info event=job.started job=…`
    case logfmt
    case json

    func line(
        milliseconds: Int64, level: Level, event: Event, fields: [(Key, LogValue)]
    ) -> String {
        let time = WallClock.text(milliseconds: milliseconds)
        switch self {
        case .logfmt:
            let start = "time=\(time) level=\(level.rawValue) event=\(event.rawValue)"
            return fields.reduce(into: start) { line, field in
                line += " \(field.0.rawValue)=\(Self.logfmt(field.1))"
            }
        case .json:
            return JSONWriter.line { json in
                json.field("time", time)
                json.field("level", level.rawValue)
                json.field("event", event.rawValue)
                for (key, value) in fields { json.field(key.rawValue, value) }
            }
        }
    }

    /// Writes single words as they are; quotes and escapes other text like a JSON string.
    private static func logfmt(_ value: LogValue) -> String {
        switch value {
        case .integer(let number): return number.description
        case .real(let number): return number.description
        case .boolean(let flag): return flag.description
        case .text(let text):
            let isWord = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#"="\"#.utf8.contains($0) }
            if isWord { return text }
            var quoted: [UInt8] = []
            JSONText.append(text, to: &quoted)
            return String(decoding: quoted, as: UTF8.self)
        }
    }
}
