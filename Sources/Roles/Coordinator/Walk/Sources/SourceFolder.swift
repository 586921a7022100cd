public import Jobs

/// A folder to walk, and which of its files to submit.
public struct SourceFolder: Hashable, Sendable {
    /// Which files to submit.
    public enum Extent: Hashable, Sendable {
        /// The RAWs in the folder and in all folders below it.
        case tree
        /// The named files of the folder, with any extension.
        case files(Set<[UInt8]>)
    }

    /// The root of the folder's files.
    public let root: RootName
    /// The folder's path below the root; empty for the root itself.
    public let relative: [UInt8]
    /// The folder's absolute and real path.
    public let path: [UInt8]
    /// Which files to submit.
    public let extent: Extent

    /// Creates a folder from its parts.
    public init(root: RootName, relative: [UInt8], path: [UInt8], extent: Extent) {
        self.root = root
        self.relative = relative
        self.path = path
        self.extent = extent
    }
}
