internal import Manifests
internal import Wire

extension FileGroup {
    func wire(_ arena: Arena) -> Rawmill__V1__FileGroup {
        var group = Rawmill__V1__FileGroup()
        rawmill__v1__file_group__init(&group)
        group.kind = kind.wire
        group.total = UInt64(clamping: total)
        group.files = arena.list(files.map { $0.wire(arena) })
        group.n_files = files.count
        return group
    }

    /// Nil for a kind of a later version: the rest of the status is useful without it.
    init?(wire group: Rawmill__V1__FileGroup) throws(RecordError) {
        guard let kind = Kind.allCases.first(where: { $0.wire == group.kind }) else { return nil }
        var files: [NamedFile] = []
        for file in list(group.n_files, group.files) { files.append(try NamedFile(wire: file)) }
        self.init(kind: kind, total: Int(clamping: group.total), files: files)
    }
}

extension NamedFile {
    fileprivate func wire(_ arena: Arena) -> Rawmill__V1__NamedFile {
        var file = Rawmill__V1__NamedFile()
        rawmill__v1__named_file__init(&file)
        file.source = arena.bytes(source)
        file.message = arena.text(message, limit: RecordLimit.message)
        return file
    }

    fileprivate init(wire file: Rawmill__V1__NamedFile) throws(RecordError) {
        self.init(source: file.source.array, message: try file.message.text("files.message"))
    }
}

extension FileGroup.Kind {
    fileprivate var wire: Rawmill__V1__FileGroupKind {
        switch self {
        case .failed: RAWMILL__V1__FILE_GROUP_KIND__FILE_GROUP_KIND_FAILED
        case .degraded: RAWMILL__V1__FILE_GROUP_KIND__FILE_GROUP_KIND_DEGRADED
        case .withoutProfile: RAWMILL__V1__FILE_GROUP_KIND__FILE_GROUP_KIND_WITHOUT_PROFILE
        case .refused: RAWMILL__V1__FILE_GROUP_KIND__FILE_GROUP_KIND_REFUSED
        case .unseen: RAWMILL__V1__FILE_GROUP_KIND__FILE_GROUP_KIND_UNSEEN
        case .missing: RAWMILL__V1__FILE_GROUP_KIND__FILE_GROUP_KIND_MISSING
        case .unreadable: RAWMILL__V1__FILE_GROUP_KIND__FILE_GROUP_KIND_UNREADABLE
        case .link: RAWMILL__V1__FILE_GROUP_KIND__FILE_GROUP_KIND_LINK
        case .notRaw: RAWMILL__V1__FILE_GROUP_KIND__FILE_GROUP_KIND_NOT_RAW
        }
    }
}
