public import Jobs

/// What to do with a photo whose name another file has.
public enum NameConflict: String, Hashable, Sendable, CaseIterable {
    /// The photo is left out; the file stays.
    case skip
    /// The photo gets a number: `IMG_1.mono-2.jpg`.
    case rename
    /// The file is replaced, whoever wrote it.
    case replace
}

/// How the photos of one batch are placed. It is kept with the batch, so that a run that continues another's work names
/// its photos as that one would have.
public struct ExportOrder: Hashable, Sendable {
    /// A folder that was given as a source.
    public struct Folder: Hashable, Sendable {
        /// The root that its files are named relative to.
        public let root: RootName
        /// Its path below the root; empty for the root itself.
        public let path: [UInt8]
        /// What its photos' folders begin with; empty for nothing.
        public let prefix: [UInt8]

        /// - Parameters:
        ///   - root: the root that its files are named relative to.
        ///   - path: its path below the root; empty for the root itself.
        ///   - prefix: what its photos' folders begin with; empty for nothing.
        public init(root: RootName, path: [UInt8], prefix: [UInt8]) {
            self.root = root
            self.path = path
            self.prefix = prefix
        }
    }

    /// Names the photos.
    public let template: NameTemplate
    /// What to do with names that are taken.
    public let conflict: NameConflict
    /// Tells the batch's photos from those of other recipes in the same run; empty where the template does.
    public let label: String
    /// The folders that were given.
    public let folders: [Folder]

    /// The parameters are the properties of the same names.
    public init(template: NameTemplate, conflict: NameConflict, label: String, folders: [Folder]) {
        self.template = template
        self.conflict = conflict
        self.label = label
        self.folders = folders
    }

    /// A RAW's folder below the innermost source that holds it; empty for a RAW that was given by its own name.
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
