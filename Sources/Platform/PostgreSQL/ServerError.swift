internal import CPostgreSQL

/// A refusal by the server, or a failure to reach it.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Classification for callers.
    public enum Kind: Hashable, Sendable {
        /// The connection failed or broke. Uncommitted changes are rolled back; the outcome of a commit in progress is
        /// unknown.
        case unreachable
        /// TLS failed: the certificate is untrusted, belongs to another host, or is missing.
        case notTrusted
        /// The server is out of connections or memory.
        case exhausted
        /// The server rejects this user, or the database does not exist.
        case notAdmitted
        /// Another transaction interfered; a retry may succeed.
        case conflict
        case busy
        case diskFull, readOnly, corrupt
        /// The statement can never succeed.
        case refused
        case other
    }

    /// Classification.
    public let kind: Kind
    /// The server's message in one line.
    public let message: String
    /// SQLSTATE, five letters and digits; empty if the server did not respond.
    public let state: String

    /// Message and SQLSTATE.
    public var description: String { state.isEmpty ? message : "\(message) (SQLSTATE \(state))" }

    init(state: String, message: String) {
        self.init(kind: Self.kind(state), state: state, message: message)
    }

    init(kind: Kind, state: String = "", message: String) {
        self.kind = kind
        self.state = state
        self.message = Self.oneLine(message)
    }

    /// By class of PostgreSQL's error codes (manual, appendix A).
    private static func kind(_ state: String) -> Kind {
        switch state {
        // Errors without a code come from libpq: the connection failed.
        case "", "57P01", "57P02", "57P03", "57P05", "25P03": return .unreachable
        case "40001", "40P01", "55P03", "57014": return .conflict
        case "55006": return .busy
        case "53100": return .diskFull
        case "25006": return .readOnly
        case "53000", "53200", "53300": return .exhausted
        case "3D000", "42501", "57P04": return .notAdmitted
        default: break
        }
        return switch state.prefix(2) {
        case "08": .unreachable
        case "28": .notAdmitted
        case "22", "23", "42", "0A", "25", "54", "2B", "3F": .refused
        case "XX": .corrupt
        default: .other
        }
    }

    static func oneLine(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }
        let line = lines.joined(separator: "; ")
        return line.hasSuffix(".") ? String(line.dropLast()) : line
    }
}
