/// A value in a settings file, with its location.
public struct SettingsNode: Hashable, Sendable {
    /// Content of a node.
    public enum Content: Hashable, Sendable {
        /// A text, number or boolean as written, without quotation marks.
        case scalar([UInt8])
        case list([SettingsNode])
        /// Pairs in the file's order.
        case map([Pair])
    }

    /// A key and its value in a map.
    public struct Pair: Hashable, Sendable {
        /// The key.
        public let key: SettingsNode
        /// The value.
        public let value: SettingsNode
    }

    /// Content.
    public let content: Content
    /// Where the node begins.
    public let location: SettingsLocation

    /// The text of a scalar; nil for other nodes.
    public var scalar: [UInt8]? { if case .scalar(let bytes) = content { bytes } else { nil } }
}

/// A location in a settings file. Lines and columns count from 1.
public struct SettingsLocation: Hashable, Sendable, CustomStringConvertible {
    /// The file's name as given.
    public let file: String
    /// From 1.
    public let line: Int
    /// From 1.
    public let column: Int

    /// As editors and compilers write it: `rawmill.yaml:3:7`.
    public var description: String { "\(file):\(line):\(column)" }
}

/// An error in a settings file, with its location.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where the error is.
    public let location: SettingsLocation
    /// What is wrong.
    public let message: String

    /// Creates an error.
    public init(_ message: String, at location: SettingsLocation) {
        self.message = message
        self.location = location
    }

    /// Location and message in one line.
    public var description: String { "\(location): \(message)" }
}
