internal import Jobs
internal import Wire

extension FileReference {
    func wire(_ arena: Arena) -> Rawmill__V1__FileReference {
        var reference = Rawmill__V1__FileReference()
        rawmill__v1__file_reference__init(&reference)
        reference.root = arena.bytes(Array(root.text.utf8))
        reference.path = arena.bytes(path.bytes)
        return reference
    }

    init(wire reference: Rawmill__V1__FileReference, _ field: String) throws(RecordError) {
        let name = try reference.root.text("\(field).root")
        guard let root = RootName(name) else { throw .malformed("\(field).root is not a valid root name: \(name)") }
        self.init(root: root, path: try reference.path.path("\(field).path"))
    }
}

extension FileStamp {
    func wire(_ arena: Arena) -> Rawmill__V1__FileStamp {
        var stamp = Rawmill__V1__FileStamp()
        rawmill__v1__file_stamp__init(&stamp)
        stamp.file = arena.pointer(to: file.wire(arena))
        stamp.size_bytes = sizeBytes
        stamp.modified_nanoseconds = modifiedNanoseconds
        return stamp
    }

    init(wire stamp: Rawmill__V1__FileStamp, _ field: String) throws(RecordError) {
        self.init(
            file: try FileReference(wire: required(stamp.file, "\(field).file"), field),
            sizeBytes: stamp.size_bytes, modifiedNanoseconds: stamp.modified_nanoseconds)
    }

    static func optional(
        _ stamp: UnsafeMutablePointer<Rawmill__V1__FileStamp>?, _ field: String
    ) throws(RecordError) -> FileStamp? {
        guard let stamp else { return nil }
        return try FileStamp(wire: stamp.pointee, field)
    }
}

extension Source {
    func wire(_ arena: Arena) -> Rawmill__V1__Source {
        var source = Rawmill__V1__Source()
        rawmill__v1__source__init(&source)
        source.raw = arena.pointer(to: raw.wire(arena))
        source.sidecar = arena.pointer(to: sidecar?.wire(arena))
        source.companion = arena.pointer(to: companion?.wire(arena))
        source.photo_base = arena.bytes(photoBase)
        return source
    }

    init(wire source: Rawmill__V1__Source) throws(RecordError) {
        self.init(
            raw: try FileStamp(wire: required(source.raw, "source.raw"), "source.raw"),
            sidecar: try FileStamp.optional(source.sidecar, "source.sidecar"),
            companion: try FileStamp.optional(source.companion, "source.companion"),
            photoBase: try source.photo_base.fileName("source.photo_base"))
    }
}
