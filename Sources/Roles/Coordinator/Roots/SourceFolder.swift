public import Jobs

/// Where to look for files to submit.
public struct SourceFolder: Hashable, Sendable {
    public enum Extent: Hashable, Sendable {
        /// The folder and all below it.
        case tree
        /// These files of the folder, whatever their names say.
        case files(Set<[UInt8]>)
    }

    /// The root that the folder's files are named relative to.
    public let root: RootName
    /// Below the root; empty for the root itself.
    public let relative: [UInt8]
    /// The folder's absolute and real path.
    public let path: [UInt8]
    public let extent: Extent

    public init(root: RootName, relative: [UInt8], path: [UInt8], extent: Extent) {
        self.root = root
        self.relative = relative
        self.path = path
        self.extent = extent
    }
}
