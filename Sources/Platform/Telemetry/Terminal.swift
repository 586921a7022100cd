internal import Glibc

/// What stands at a descriptor: a terminal, or something that wants plain lines.
public struct Terminal: Hashable, Sendable {
    public let isTerminal: Bool
    public let columns: Int
    public let showsColour: Bool

    public init(isTerminal: Bool, columns: Int, showsColour: Bool) {
        self.isTerminal = isTerminal
        self.columns = columns
        self.showsColour = showsColour
    }

    /// Looks at the descriptor, `TERM`, and `NO_COLOR` (no-color.org: set and not empty means none).
    public init(descriptor: Int32) {
        let isTerminal = isatty(descriptor) == 1
        let isDumb = Self.environment("TERM").map { $0 == "dumb" || $0.isEmpty } ?? true
        let wantsNone = Self.environment("NO_COLOR").map { !$0.isEmpty } ?? false
        self.init(
            isTerminal: isTerminal && !isDumb, columns: Self.columns(descriptor) ?? 80,
            showsColour: isTerminal && !isDumb && !wantsNone)
    }

    private static func columns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

/// How text is shown on a terminal.
public enum Style: String, Sendable {
    case bold = "1"
    case red = "31"
    case green = "32"

    /// The text so styled, or as it is where there is no colour.
    public func apply(_ text: String, on terminal: Terminal) -> String {
        terminal.showsColour ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
