public import Jobs

/// Some of what the coordinator sees in a root, published in the status topic. A worker recognises its own mount of the root
/// by it: a root whose mount is missing looks like an empty folder.
public struct RootStatus: Hashable, Sendable {
    /// A file or folder.
    public struct Entry: Hashable, Sendable {
        /// Below the root.
        public let path: RelativePath
        /// Nil for a folder.
        public let sizeBytes: UInt64?

        /// - Parameters:
        ///   - path: below the root.
        ///   - sizeBytes: nil for a folder.
        public init(path: RelativePath, sizeBytes: UInt64?) {
            self.path = path
            self.sizeBytes = sizeBytes
        }
    }

    /// Names the root.
    public let root: RootName
    /// What the file `.rawmill-root` holds, which an operator placed; nil without one.
    public let mark: String?
    /// Some of its files and folders.
    public let entries: [Entry]

    /// The parameters are the properties of the same names.
    public init(root: RootName, mark: String?, entries: [Entry]) {
        self.root = root
        self.mark = mark
        self.entries = entries
    }
}
