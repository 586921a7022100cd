/// A value in a settings file, and its location there.
public struct SettingsNode: Hashable, Sendable {
    /// What a node can hold.
    public enum Content: Hashable, Sendable {
        /// A text, number or switch, as it was written but without quotation marks.
        case scalar([UInt8])
        /// Several values in order.
        case list([SettingsNode])
        /// In the file's order.
        case map([Pair])
    }

    /// A name in a map and its value.
    public struct Pair: Hashable, Sendable {
        /// The name.
        public let key: SettingsNode
        /// The value of that name.
        public let value: SettingsNode
    }

    /// What the node holds.
    public let content: Content
    /// Where it begins.
    public let location: SettingsLocation

    /// The text of a scalar; nil for anything else.
    public var scalar: [UInt8]? { if case .scalar(let bytes) = content { bytes } else { nil } }
}

/// A location in a settings file. Lines and columns count from 1.
public struct SettingsLocation: Hashable, Sendable, CustomStringConvertible {
    /// The file's name, as it was given.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int

    /// The location as editors and compilers write it: `rawmill.yaml:3:7`.
    public var description: String { "\(file):\(line):\(column)" }
}

/// Why a settings file cannot be used, and where the error is.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where the error is.
    public let location: SettingsLocation
    /// What is wrong there.
    public let message: String

    /// Creates an error.
    public init(_ message: String, at location: SettingsLocation) {
        self.message = message
        self.location = location
    }

    /// Location and message in one line.
    public var description: String { "\(location): \(message)" }
}
