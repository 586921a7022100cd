public import Jobs

/// A file to submit.
public struct FoundSource: Hashable, Sendable {
    /// The RAW with its sidecar and companion.
    public let source: Source
    /// Why the file cannot be read, as far as can be told without trying; nil for a readable file.
    public let unreadable: String?

    /// - Parameter unreadable: why the file cannot be read; nil for a readable file.
    public init(source: Source, unreadable: String? = nil) {
        self.source = source
        self.unreadable = unreadable
    }
}

/// What a walk finds, one at a time.
enum WalkItem: Hashable, Sendable {
    /// Another folder was listed. It carries nothing, and gives the caller a chance to check the time.
    case folder
    case source(FoundSource)
    case problem(WalkProblem)
    case skipped(SkippedFile)
}

/// A file that the walk leaves out, and with which nothing is wrong.
public struct SkippedFile: Hashable, Sendable, CustomStringConvertible {
    /// Why it is left out.
    public enum Reason: String, Hashable, Sendable {
        /// Its name is not a RAW's.
        case notRaw = "not-raw"
        /// A link to a file or folder inside the root, which is found under its own name.
        case link
    }

    /// Why it is left out.
    public let reason: Reason
    /// Absolute.
    public let path: [UInt8]

    /// - Parameters:
    ///   - reason: why it is left out.
    ///   - path: absolute.
    public init(_ reason: Reason, _ path: [UInt8]) {
        self.reason = reason
        self.path = path
    }

    /// A sentence for people.
    public var description: String {
        let name = String(decoding: path, as: UTF8.self)
        return switch reason {
        case .notRaw: "\(name) is not named like a RAW. To convert it all the same, give the file itself."
        case .link: "\(name) is a link to something that is found under its own name."
        }
    }
}

/// What a walk skipped: counted, not listed.
public struct WalkTally: Hashable, Sendable {
    /// Folders visited.
    public var folders = 0
    /// Files in folders whose names are not a RAW's.
    public var notRaw = 0
    /// Sidecars and camera JPEGs that go with a RAW.
    public var attached = 0
    /// Files and folders whose names begin with a dot, and folders of systems.
    public var hidden = 0
    /// Devices, sockets, pipes.
    public var special = 0
    /// Links to files and folders inside the root, which are found under their own names.
    public var links = 0
    /// Files and folders that the filter excludes.
    public var excluded = 0
    /// RAWs with fewer stars than the filter wants.
    public var ratedLower = 0

    /// Nothing skipped.
    public init() {}

    mutating func add(_ other: WalkTally) {
        folders += other.folders
        notRaw += other.notRaw
        attached += other.attached
        hidden += other.hidden
        special += other.special
        links += other.links
        excluded += other.excluded
        ratedLower += other.ratedLower
    }
}
