internal import Manifests
internal import TIFF

/// Reads the main directory of an untrusted TIFF (TIFF Revision 6.0, section 2).
///
/// Offsets are followed only to the directory and its values, and values are limited to the size of a packet, so a file
/// cannot cause loops or long reads.
struct TIFFMetadata {
    /// Real directories have a few dozen entries.
    private static let maxEntries = 512

    private struct Entry {
        let type: FieldType
        let count: UInt32
        /// The value or its offset.
        let place: [UInt8]
    }

    private let photo: PhotoBytes
    private let order: ByteReader.ByteOrder
    private var entries: [TIFFTag: Entry] = [:]

    /// - Throws: `notAPhoto` if the bytes are not a TIFF, or end before its main directory does.
    init(_ photo: PhotoBytes) throws(XMPError) {
        self.photo = photo
        guard let header = photo.read(0, 8) else { throw .notAPhoto }
        order = header[0] == 0x49 ? .littleEndian : .bigEndian
        let order = order
        let first = Self.number(header[4...], order)
        guard let counted = photo.read(UInt64(first), 2) else { throw .notAPhoto }
        let count = min(Int(Self.number(counted[...], order)), Self.maxEntries)
        guard let bytes = photo.read(UInt64(first) + 2, 12 * count) else { throw .notAPhoto }
        for start in stride(from: 0, to: bytes.count, by: 12) {
            let tag = TIFFTag(rawValue: UInt16(truncatingIfNeeded: Self.number(bytes[start..<start + 2], order)))
            let type = FieldType(tiffType: Int(Self.number(bytes[start + 2..<start + 4], order)))
            guard let type, entries[tag] == nil else { continue }
            entries[tag] = Entry(
                type: type, count: Self.number(bytes[start + 4..<start + 8], order),
                place: Array(bytes[start + 8..<start + 12]))
        }
    }

    func xmpPacket() throws(XMPError) -> [UInt8] {
        guard let entry = entries[.xmp], [.byte, .undefined].contains(entry.type) else { throw .noPacket }
        guard entry.count <= UInt32(PacketValidation.byteLimit) else {
            throw .tooLarge(bytes: Int(entry.count), limit: PacketValidation.byteLimit)
        }
        if entry.count <= 4 { return Array(entry.place.prefix(Int(entry.count))) }
        let offset = Self.number(entry.place[...], order)
        guard let packet = photo.read(UInt64(offset), Int(entry.count)) else { throw .notAPhoto }
        return packet
    }

    /// Width and height of the main picture; nil if the directory does not state them.
    var size: (width: Int, height: Int)? {
        guard let width = number(.imageWidth), let height = number(.imageLength) else { return nil }
        return (width, height)
    }

    /// Range from the first strip to the end of the last; nil if the directory does not state it.
    var strips: Range<UInt64>? {
        guard let offsets = entries[.stripOffsets], let counts = entries[.stripByteCounts],
            offsets.count == counts.count, offsets.count > 0, let first = long(offsets, 0),
            let last = long(offsets, offsets.count - 1), let size = long(counts, counts.count - 1), first <= last
        else { return nil }
        return UInt64(first)..<UInt64(last) + UInt64(size)
    }

    private func long(_ entry: Entry, _ index: UInt32) -> UInt32? {
        guard entry.type == .long, index < entry.count else { return nil }
        if entry.count == 1 { return Self.number(entry.place[...], order) }
        let start = UInt64(Self.number(entry.place[...], order))
        return photo.read(start + 4 * UInt64(index), 4).map { Self.number($0[...], order) }
    }

    private func number(_ tag: TIFFTag) -> Int? {
        guard let entry = entries[tag], entry.count == 1 else { return nil }
        switch entry.type {
        case .short: return Int(Self.number(entry.place[..<2], order))
        case .long: return Int(Self.number(entry.place[...], order))
        default: return nil
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ order: ByteReader.ByteOrder) -> UInt32 {
        let ordered = order == .bigEndian ? Array(bytes) : bytes.reversed()
        return ordered.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
