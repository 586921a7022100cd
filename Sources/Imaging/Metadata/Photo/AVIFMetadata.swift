import Manifests

/// Reads the items of an untrusted AVIF (ISO/IEC 23008-12, "HEIF"; AV1 Image File Format 1.1; XMP part 3).
///
/// The `meta` box is read as a whole, up to a limit. Offsets in it are followed only to metadata items, so a file
/// cannot cause loops or long reads.
struct AVIFMetadata {
    /// Real files have less than a kilobyte, and a profile.
    private static let maxMetaBytes = 1 << 22
    private static let maxItems: UInt64 = 1024

    private typealias Extent = (offset: UInt64, count: UInt64)

    private let photo: PhotoBytes
    private let meta: BoxReader
    private let places: [UInt64: [Extent]]

    /// - Throws: `notAPhoto` if the `meta` box or its list of item locations is missing or invalid.
    init(_ photo: PhotoBytes) throws(XMPError) {
        self.photo = photo
        guard let box = FileBox.all(photo).first(where: { $0.type.elementsEqual("meta".utf8) }),
            let count = box.byteCount, count <= UInt64(Self.maxMetaBytes),
            let bytes = photo.read(box.offset, Int(count)),
            let meta = BoxReader(bytes[...]).first("meta")?.full?.contents,
            let places = meta.first("iloc").flatMap(Self.places)
        else { throw .notAPhoto }
        self.meta = meta
        self.places = places
    }

    /// The packet of the XMP item.
    ///
    /// - Throws: `notAPhoto` if the packet lies outside the file; `noPacket`; `tooLarge`.
    func xmpPacket() throws(XMPError) -> [UInt8] {
        guard let extents = item(Self.isXMP).flatMap({ places[$0] }), !extents.isEmpty else { throw .noPacket }
        return try contents(extents)
    }

    /// The TIFF structure of the EXIF item; nil if there is none.
    var exifBlock: [UInt8]? {
        let extents = item { type, _ in type.elementsEqual("Exif".utf8) }.flatMap { places[$0] }
        return extents.flatMap { try? contents($0) }.flatMap(FileBox.exifBlock)
    }

    private func contents(_ extents: [Extent]) throws(XMPError) -> [UInt8] {
        var packet: [UInt8] = []
        for extent in extents {
            guard extent.count <= UInt64(PacketValidation.byteLimit - packet.count) else {
                throw .tooLarge(bytes: Int(clamping: extent.count), limit: PacketValidation.byteLimit)
            }
            guard let bytes = photo.read(extent.offset, Int(extent.count)) else { throw .notAPhoto }
            packet += bytes
        }
        return packet
    }

    /// Whether all items lie in the file, and the file ends with its last box.
    ///
    /// - Parameter byteCount: the file's size.
    func isWhole(byteCount: UInt64) -> Bool {
        guard FileBox.endTheFile(FileBox.all(photo), byteCount: byteCount) else { return false }
        return places.values.joined().allSatisfy { $0.count <= byteCount && $0.offset <= byteCount - $0.count }
    }

    /// Width and height of the main picture; nil if the boxes do not state them.
    var size: (width: Int, height: Int)? {
        guard let properties = meta.first("iprp").map({ BoxReader($0.contents) }),
            var all = properties.first("ipco").map({ BoxReader($0.contents) }),
            let own = properties.first("ipma").flatMap({ associations($0) })
        else { return nil }
        var number: UInt64 = 1
        while let box = all.box() {
            if own.contains(number), box.type.elementsEqual("ispe".utf8), var size = box.full?.contents,
                let width = size.number(4), let height = size.number(4)
            {
                return (Int(width), Int(height))
            }
            number += 1
        }
        return nil
    }

    // MARK: - Boxes

    /// Property numbers of the main picture, from 1.
    private func associations(_ box: BoxReader.Box) -> Set<UInt64>? {
        guard let (mainVersion, _, main) = meta.first("pitm")?.full, let (version, flags, list) = box.full else {
            return nil
        }
        var (mainItem, reader) = (main, list)
        guard let wanted = mainItem.number(mainVersion == 0 ? 2 : 4), let count = reader.number(4) else { return nil }
        for _ in 0..<min(count, Self.maxItems) {
            guard let item = reader.number(version == 0 ? 2 : 4), let properties = reader.number(1) else { return nil }
            var own: Set<UInt64> = []
            for _ in 0..<properties {
                // The highest bit marks essential properties.
                guard let property = reader.number(flags & 1 == 1 ? 2 : 1) else { return nil }
                own.insert(property & (flags & 1 == 1 ? 0x7FFF : 0x7F))
            }
            if item == wanted { return own }
        }
        return nil
    }

    /// Whether an item is XMP, by its type, and the name and MIME type that follow.
    private static func isXMP(_ type: ArraySlice<UInt8>, _ entry: BoxReader) -> Bool {
        var entry = entry
        guard type.elementsEqual("mime".utf8), entry.text() != nil, let content = entry.text() else { return false }
        return content.elementsEqual("application/rdf+xml".utf8)
    }

    private func item(_ isWanted: (ArraySlice<UInt8>, BoxReader) -> Bool) -> UInt64? {
        guard let (version, _, list) = meta.first("iinf")?.full else { return nil }
        var reader = list
        guard reader.number(version == 0 ? 2 : 4) != nil else { return nil }
        var count = 0
        while count < Self.maxItems, let box = reader.box() {
            count += 1
            guard box.type.elementsEqual("infe".utf8), let (version, _, contents) = box.full, version >= 2 else {
                continue
            }
            var entry = contents
            // Item number, protection index, type.
            guard let item = entry.number(version == 2 ? 2 : 4), entry.number(2) != nil, let type = entry.bytes(4),
                isWanted(type, entry)
            else { continue }
            return item
        }
        return nil
    }

    /// Locations of the items, by number (14496-12, 8.11.3). Items outside this file have none.
    private static func places(_ box: BoxReader.Box) -> [UInt64: [Extent]]? {
        guard let (version, _, contents) = box.full, version < 3 else { return nil }
        var reader = contents
        guard let sizes = reader.number(2) else { return nil }
        let width = { (shift: UInt64) in Int(sizes >> shift & 15) }
        let (offsetBytes, lengthBytes, baseBytes) = (width(12), width(8), width(4))
        let indexBytes = version == 0 ? 0 : width(0)
        guard [offsetBytes, lengthBytes, baseBytes, indexBytes].allSatisfy({ $0 <= 8 }),
            let count = reader.number(version == 2 ? 4 : 2), count <= maxItems
        else { return nil }
        var places: [UInt64: [Extent]] = [:]
        for _ in 0..<count {
            guard let item = reader.number(version == 2 ? 4 : 2), let method = reader.number(version == 0 ? 0 : 2),
                let file = reader.number(2), let base = reader.number(baseBytes), let extents = reader.number(2)
            else { return nil }
            var own: [Extent] = []
            for _ in 0..<extents {
                guard reader.number(indexBytes) != nil, let offset = reader.number(offsetBytes),
                    let length = reader.number(lengthBytes)
                else { return nil }
                let (start, overflow) = base.addingReportingOverflow(offset)
                guard !overflow else { return nil }
                own.append((start, length))
            }
            if method & 15 == 0, file == 0 { places[item] = own }
        }
        return places
    }
}
