internal import Glibc

/// What a file descriptor is connected to: a terminal, or something that needs plain lines.
public struct Terminal: Hashable, Sendable {
    /// Whether it is a terminal that can move its cursor.
    public let isTerminal: Bool
    /// Its width; 80 if that is unknown.
    public let columns: Int
    /// Whether text may have colours.
    public let showsColour: Bool

    /// Describes a terminal, for tests.
    public init(isTerminal: Bool, columns: Int, showsColour: Bool) {
        self.isTerminal = isTerminal
        self.columns = columns
        self.showsColour = showsColour
    }

    /// Inspects a descriptor, `TERM`, and `NO_COLOR` (no-color.org: no colours if it is set and not empty).
    public init(descriptor: Int32) {
        let isTerminal = isatty(descriptor) == 1
        let isDumb = Self.environment("TERM").map { $0 == "dumb" || $0.isEmpty } ?? true
        let forbidsColour = Self.environment("NO_COLOR").map { !$0.isEmpty } ?? false
        self.init(
            isTerminal: isTerminal && !isDumb, columns: Self.columns(descriptor) ?? 80,
            showsColour: isTerminal && !isDumb && !forbidsColour)
    }

    private static func columns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    private static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}

/// A style of text on a terminal. The raw value is the SGR parameter (ECMA-48, 8.3.117).
public enum Style: String, Sendable {
    /// Bold.
    case bold = "1"
    /// Red.
    case red = "31"
    /// Green.
    case green = "32"

    /// The text in this style; unchanged if the terminal shows no colours.
    public func apply(_ text: String, on terminal: Terminal) -> String {
        terminal.showsColour ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
