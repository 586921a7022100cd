public import Jobs

/// A file to submit.
public struct FoundSource: Hashable, Sendable {
    /// The RAW with its sidecar and companion.
    public let source: Source
    /// Why the file is unreadable, as far as known without reading it; nil for a readable file.
    public let unreadable: String?

    /// - Parameter unreadable: why the file is unreadable; nil for a readable file.
    public init(source: Source, unreadable: String? = nil) {
        self.source = source
        self.unreadable = unreadable
    }
}

enum WalkItem: Hashable, Sendable {
    /// Another folder was listed. Lets the caller check the time.
    case folder
    case source(FoundSource)
    case problem(WalkProblem)
    case skipped(SkippedFile)
}

/// A sound file that the walk leaves out.
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

    /// Creates a skipped file with an absolute path.
    public init(_ reason: Reason, _ path: [UInt8]) {
        self.reason = reason
        self.path = path
    }

    /// The reason as a sentence.
    public var description: String {
        let name = String(decoding: path, as: UTF8.self)
        return switch reason {
        case .notRaw: "\(name) does not have a RAW's extension. To convert it anyway, name the file as a source."
        case .link: "\(name) is a link to a file or folder that is found under its own name."
        }
    }
}

/// Counts of what a walk skipped.
public struct WalkTally: Hashable, Sendable {
    /// Folders visited.
    public var folders = 0
    /// Files in folders without a RAW's extension.
    public var notRaw = 0
    /// Sidecars and camera JPEGs of RAWs.
    public var attached = 0
    /// Hidden files and folders, and folders of systems.
    public var hidden = 0
    /// Devices, sockets, pipes.
    public var special = 0
    /// Links to files and folders inside the root, which are found under their own names.
    public var links = 0
    /// Files and folders excluded by the filter.
    public var excluded = 0
    /// RAWs with fewer stars than the filter's minimum.
    public var ratedLower = 0
    /// The stars that the filter wants; nil if it left out no RAW.
    public var leastRating: Int?

    /// Creates counts of zero.
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
        leastRating = leastRating ?? other.leastRating
    }
}
