public import Jobs

/// A file to submit.
public struct FoundSource: Hashable, Sendable {
    public let source: Source
    /// Why it cannot be read, as far as can be told before trying; nil for a readable file.
    public let unreadable: String?

    public init(source: Source, unreadable: String? = nil) {
        self.source = source
        self.unreadable = unreadable
    }
}

/// What a walk comes upon, one at a time.
enum WalkItem: Hashable, Sendable {
    /// Another folder is listed: a moment to look at the time.
    case folder
    case source(FoundSource)
    case problem(WalkProblem)
}

/// What a walk passed by, counted and not listed.
public struct WalkTally: Hashable, Sendable {
    public var folders = 0
    /// Files in folders whose names are not a RAW's.
    public var notRaw = 0
    /// Sidecars and camera JPEGs that go with a RAW.
    public var attached = 0
    /// Files and folders whose names begin with a dot.
    public var hidden = 0
    /// Devices, sockets, pipes.
    public var special = 0
    /// Links to places inside the root: what they lead to is found where it stands.
    public var links = 0

    public init() {}
}
