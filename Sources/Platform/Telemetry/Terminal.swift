internal import Glibc

/// What a file descriptor is connected to: a terminal, or something that needs plain lines.
public struct Terminal: Hashable, Sendable {
    /// Whether it is a terminal with cursor control.
    public let isTerminal: Bool
    /// Current width, which follows resizing; 80 if unknown.
    public var columns: Int { descriptor.flatMap(Self.columns) ?? usualColumns }
    /// Whether to use colours.
    public let showsColour: Bool
    /// Nil for a terminal with fixed width.
    private let descriptor: Int32?
    private let usualColumns: Int

    /// Describes a terminal, for tests.
    public init(isTerminal: Bool, columns: Int, showsColour: Bool) {
        self.init(isTerminal: isTerminal, showsColour: showsColour, descriptor: nil, usualColumns: columns)
    }

    private init(isTerminal: Bool, showsColour: Bool, descriptor: Int32?, usualColumns: Int) {
        self.isTerminal = isTerminal
        self.showsColour = showsColour
        self.descriptor = descriptor
        self.usualColumns = usualColumns
    }

    /// Inspects a descriptor, `TERM`, and `NO_COLOR` (no-color.org: disables colours if set and not empty).
    public init(descriptor: Int32) {
        let isTerminal = isatty(descriptor) == 1
        let isDumb = Self.environment("TERM").map { $0 == "dumb" || $0.isEmpty } ?? true
        let forbidsColour = Self.environment("NO_COLOR").map { !$0.isEmpty } ?? false
        self.init(
            isTerminal: isTerminal && !isDumb, showsColour: isTerminal && !isDumb && !forbidsColour,
            descriptor: descriptor, usualColumns: 80)
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

/// A text style. The raw value is the SGR parameter (ECMA-48, 8.3.117).
public enum Style: String, Sendable {
    case bold = "1"
    case red = "31"
    case green = "32"
    /// For warnings.
    case yellow = "33"

    /// Styles a text; unchanged if the terminal shows no colours.
    public func apply(_ text: String, on terminal: Terminal) -> String {
        terminal.showsColour ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
