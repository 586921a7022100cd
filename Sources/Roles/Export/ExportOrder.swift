public import Jobs

/// What to do if another file has a photo's name.
public enum NameConflict: String, Hashable, Sendable, CaseIterable {
    /// Keep the file and leave out the photo.
    case skip
    /// Number the photo: `IMG_1.mono-2.jpg`.
    case rename
    /// Replace the file, including files of other programs.
    case replace
}

/// How the photos of one batch are placed. It is stored with the batch, so that a resumed run names its photos the same
/// way.
public struct ExportOrder: Hashable, Sendable {
    /// A folder given as a source.
    public struct Folder: Hashable, Sendable {
        /// The root that its files are relative to.
        public let root: RootName
        /// Its path below the root; empty for the root itself.
        public let path: [UInt8]
        /// Prefix of its photos' folders; may be empty.
        public let prefix: [UInt8]

        /// Creates a folder from its parts.
        public init(root: RootName, path: [UInt8], prefix: [UInt8]) {
            self.root = root
            self.path = path
            self.prefix = prefix
        }
    }

    /// Template of the photos' names.
    public let template: NameTemplate
    /// What to do with occupied names.
    public let conflict: NameConflict
    /// Distinguishes the batch's photos from those of other recipes in the same run; empty if the template does.
    public let label: String
    /// The folders given as sources.
    public let folders: [Folder]

    /// Creates an order from its parts.
    public init(template: NameTemplate, conflict: NameConflict, label: String, folders: [Folder]) {
        self.template = template
        self.conflict = conflict
        self.label = label
        self.folders = folders
    }

    /// A RAW's folder below the innermost source that contains it; empty for a RAW given as a file.
    func dir(of file: FileReference) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        let folder = file.path.folder?.bytes ?? []
        let holding = folders.filter { source in
            source.root == file.root
                && (source.path.isEmpty || folder == source.path || folder.starts(with: source.path + [slash]))
        }
        guard let source = holding.max(by: { $0.path.count < $1.path.count }) else { return [] }
        let below = folder.dropFirst(source.path.count).drop { $0 == slash }
        return source.prefix.isEmpty || below.isEmpty ? source.prefix + below : source.prefix + [slash] + below
    }
}
