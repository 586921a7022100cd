/// A part of a settings file, and where it stands there.
public struct SettingsNode: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        /// Text, a number, a switch: as it was written, without its quotation marks.
        case scalar([UInt8])
        case list([SettingsNode])
        /// In the file's order.
        case map([Pair])
    }

    public struct Pair: Hashable, Sendable {
        public let key: SettingsNode
        public let value: SettingsNode
    }

    public let content: Content
    public let place: SettingsPlace

    /// The text of a scalar; nil for anything else.
    public var scalar: [UInt8]? { if case .scalar(let bytes) = content { bytes } else { nil } }
}

/// A place in a settings file; lines and columns count from 1.
public struct SettingsPlace: Hashable, Sendable, CustomStringConvertible {
    public let file: String
    public let line: Int
    public let column: Int

    /// As editors and compilers write it, so that it can be jumped to: `rawmill.yaml:3:7`.
    public var description: String { "\(file):\(line):\(column)" }
}

/// A settings file that cannot be used, and where it is wrong.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    public let place: SettingsPlace
    public let message: String

    public init(_ message: String, at place: SettingsPlace) {
        self.message = message
        self.place = place
    }

    public var description: String { "\(place): \(message)" }
}
