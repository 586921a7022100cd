public import Jobs

/// A sample of a root's content, published by the coordinator in the status topic. A worker recognises its own mount by
/// it, because a root whose mount is missing looks like an empty folder.
public struct RootStatus: Hashable, Sendable {
    /// A file or folder.
    public struct Entry: Hashable, Sendable {
        /// Relative to the root.
        public let path: RelativePath
        /// Nil for a folder.
        public let sizeBytes: UInt64?

        /// Memberwise initializer.
        public init(path: RelativePath, sizeBytes: UInt64?) {
            self.path = path
            self.sizeBytes = sizeBytes
        }
    }

    /// The root's name.
    public let root: RootName
    /// The content of the file `.rawmill-root`, which an operator placed, if any.
    public let mark: String?
    /// Some of its files and folders.
    public let entries: [Entry]

    /// Memberwise initializer.
    public init(root: RootName, mark: String?, entries: [Entry]) {
        self.root = root
        self.mark = mark
        self.entries = entries
    }
}
