/// Prometheus' text format 0.0.4 ("Exposition formats", prometheus.io).
struct MetricText {
    private(set) var bytes: [UInt8] = []

    mutating func header(_ descriptor: MetricDescriptor) {
        let help = Self.escaped(descriptor.help, quotes: false)
        append("# HELP \(descriptor.name) \(help)\n# TYPE \(descriptor.name) \(descriptor.kind.rawValue)\n")
    }

    mutating func sample(_ name: String, _ labels: some Sequence<(String, String)>, _ value: Double) {
        append(name)
        var separator = "{"
        for (label, text) in labels {
            append("\(separator)\(label)=\"\(Self.escaped(text, quotes: true))\"")
            separator = ","
        }
        if separator == "," { append("}") }
        append(" \(Self.number(value))\n")
    }

    /// Whole numbers have no decimal point.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if value == value.rounded(), abs(value) < 1e15 { return Int64(value).description }
        return value.description
    }

    /// Escapes backslashes and line feeds, and quotation marks in label values, which are all that can end a line or a
    /// value.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result.append(contentsOf: #"\\"#.unicodeScalars)
            case "\n": result.append(contentsOf: #"\n"#.unicodeScalars)
            case "\"" where quotes: result.append(contentsOf: #"\""#.unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private mutating func append(_ text: String) { bytes += Array(text.utf8) }
}
