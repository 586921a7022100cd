import Telemetry

/// What a list without entries says: on standard error, so that a pipe gets entries alone.
enum EmptyList {
    /// - Parameter isText: false for output that programs read, which stays empty.
    static func note(_ sentence: String, isText: Bool) {
        if isText { TextOutput.standardError.write(line: sentence) }
    }
}
