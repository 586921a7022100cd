/// A sorted run of entries in a scratch file, read once from its beginning.
struct SpilledRun {
    private let file: ScratchFile
    private var nextOffset: Int
    private let end: Int
    private var buffer: [UInt8] = []
    private var place = 0
    private(set) var first: FolderEntry?

    fileprivate init(file: ScratchFile, from start: Int) throws(WalkError) {
        self.file = file
        nextOffset = start
        end = file.sizeBytes
        try advance()
    }

    /// Takes the first entry off.
    mutating func advance() throws(WalkError) {
        if buffer.count - place < Self.largestEntry && nextOffset < end {
            buffer.removeSubrange(..<place)
            place = 0
            let more = try file.read(from: nextOffset, limit: min(Self.bufferBytes, end - nextOffset))
            nextOffset += more.count
            buffer += more
            if more.isEmpty { nextOffset = end }
        }
        first = decode()
    }

    private static let bufferBytes = 16 * 1024
    /// Two lengths of two bytes each, the lower one first, and the type.
    private static let headerBytes = 5
    /// Linux has names of 255 bytes, other systems of 255 characters; no path is longer than this.
    private static let largestEntry = headerBytes + 4096

    fileprivate static func encode(_ entry: FolderEntry, into bytes: inout [UInt8]) {
        for length in [entry.name.count, entry.familyLength] {
            bytes.append(UInt8(truncatingIfNeeded: length))
            bytes.append(UInt8(truncatingIfNeeded: length >> 8))
        }
        bytes.append(entry.type)
        bytes += entry.name
    }

    private func length(at place: Int) -> Int { Int(buffer[place]) | Int(buffer[place + 1]) << 8 }

    /// Nil at the end, and for a file that was cut short, which only a failing disk does.
    private mutating func decode() -> FolderEntry? {
        guard buffer.count - place > Self.headerBytes else { return nil }
        let (length, familyLength) = (length(at: place), length(at: place + 2))
        let start = place + Self.headerBytes
        guard buffer.count - start >= length, familyLength <= length else { return nil }
        let entry = FolderEntry(
            name: Array(buffer[start..<start + length]), familyLength: familyLength, type: buffer[place + 4])
        place = start + length
        return entry
    }
}

/// Writes a run to the end of a scratch file.
struct RunWriter {
    private let file: ScratchFile
    private let start: Int
    private var waiting: [UInt8] = []

    init(file: ScratchFile) {
        self.file = file
        start = file.sizeBytes
    }

    /// Entries must come in order.
    mutating func append(_ entry: FolderEntry) throws(WalkError) {
        SpilledRun.encode(entry, into: &waiting)
        guard waiting.count >= 64 * 1024 else { return }
        try file.append(waiting)
        waiting.removeAll(keepingCapacity: true)
    }

    consuming func finish() throws(WalkError) -> SpilledRun {
        try file.append(waiting)
        return try SpilledRun(file: file, from: start)
    }
}
