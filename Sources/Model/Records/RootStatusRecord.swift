public import Manifests
internal import Jobs
internal import Wire

extension RootStatus {
    /// The protobuf message `RootStatus`.
    public func encoded() -> [UInt8] { packed(wire) }

    /// Parses and validates the protobuf message `RootStatus`.
    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.record, rawmill__v1__root_status__unpack) {
            (status) throws(RecordError) in try RootStatus(wire: status)
        }
    }

    private func wire(_ arena: Arena) -> Rawmill__V1__RootStatus {
        var status = Rawmill__V1__RootStatus()
        rawmill__v1__root_status__init(&status)
        status.name = arena.bytes(Array(root.text.utf8))
        status.mark = arena.text(mark ?? "", limit: RecordLimit.message)
        let wires = entries.map { $0.wire(arena) }
        status.entries = arena.list(wires)
        status.n_entries = wires.count
        return status
    }

    private init(wire status: Rawmill__V1__RootStatus) throws(RecordError) {
        let name = try status.name.text("name")
        guard let root = RootName(name) else { throw .malformed("name is not a valid root name: \(name)") }
        var entries: [Entry] = []
        for entry in list(status.n_entries, status.entries) { entries.append(try Entry(wire: entry)) }
        self.init(root: root, mark: try status.mark.optionalText("mark"), entries: entries)
    }
}

extension RootStatus.Entry {
    fileprivate func wire(_ arena: Arena) -> Rawmill__V1__RootEntry {
        var entry = Rawmill__V1__RootEntry()
        rawmill__v1__root_entry__init(&entry)
        entry.path = arena.bytes(path.bytes)
        entry.size_bytes = sizeBytes ?? 0
        entry.folder = sizeBytes == nil ? 1 : 0
        return entry
    }

    fileprivate init(wire entry: Rawmill__V1__RootEntry) throws(RecordError) {
        self.init(
            path: try entry.path.path("entries.path"), sizeBytes: entry.folder != 0 ? nil : entry.size_bytes)
    }
}
