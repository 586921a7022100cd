internal import CPostgreSQL

/// What a server refused, or that it cannot be reached.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a program decides by.
    public enum Kind: Hashable, Sendable {
        /// There is no connection, or it broke: what was not committed is undone. Whether a commit under way was done is
        /// not known.
        case unreachable
        /// No encrypted connection comes about: the server's certificate is not trusted, is another host's, or there is none.
        case notTrusted
        /// The server has no connection, or no memory, to give at the moment.
        case exhausted
        /// The server does not let this user in, or there is no such database.
        case notAdmitted
        /// Another transaction was in the way; the same again may succeed.
        case conflict
        /// Another process has what is wanted.
        case busy
        case diskFull, readOnly, corrupt
        /// The statement cannot succeed, now or later.
        case refused
        case other
    }

    /// The kind of the error.
    public let kind: Kind
    /// The server's own words in one line.
    public let message: String
    /// SQLSTATE, five letters and digits; empty where the server did not answer.
    public let state: String

    /// The server's words, and its code.
    public var description: String { state.isEmpty ? message : "\(message) (SQLSTATE \(state))" }

    init(state: String, message: String) {
        self.init(kind: Self.kind(state), state: state, message: message)
    }

    init(kind: Kind, state: String = "", message: String) {
        self.kind = kind
        self.state = state
        self.message = Self.oneLine(message)
    }

    /// By the classes of PostgreSQL's error codes (its manual, appendix A).
    private static func kind(_ state: String) -> Kind {
        switch state {
        // Without a code it is libpq's own: there is no connection.
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
