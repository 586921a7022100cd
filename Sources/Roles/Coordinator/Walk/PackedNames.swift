internal import Glibc

/// One entry of a folder, as the folder lists it.
struct FolderEntry: Hashable, Sendable {
    let name: [UInt8]
    /// Bytes of `name` that are its family name.
    let familyLength: Int
    /// `d_type`: DT_UNKNOWN where the file system does not say.
    let type: UInt8

    var family: ArraySlice<UInt8> { name[..<familyLength] }
}

/// Names of a folder in one block of memory: about 12 bytes each beside the name itself.
struct PackedNames {
    private var bytes: [UInt8] = []
    private var slots: [Slot] = []

    private struct Slot {
        let offset: UInt32
        let length: UInt16
        let familyLength: UInt16
        let type: UInt8
    }

    var count: Int { slots.count }
    var sizeBytes: Int { bytes.count + slots.count * MemoryLayout<Slot>.stride }

    /// - Parameter name: as a folder has it, shorter than the longest path.
    mutating func append(_ name: UnsafeBufferPointer<UInt8>, type: UInt8) {
        slots.append(
            Slot(
                offset: UInt32(bytes.count), length: UInt16(name.count),
                familyLength: UInt16(FamilyName.length(of: name)), type: type))
        bytes += name
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        slots.removeAll(keepingCapacity: true)
    }

    /// By family name, then by name, as bytes.
    mutating func sort() {
        bytes.withUnsafeBytes { all in
            slots.sort { a, b in
                let first = all[Int(a.offset)..<Int(a.offset) + Int(a.length)]
                let second = all[Int(b.offset)..<Int(b.offset) + Int(b.length)]
                return ListingOrder.precedes(
                    .init(rebasing: first), Int(a.familyLength), .init(rebasing: second), Int(b.familyLength))
            }
        }
    }

    subscript(index: Int) -> FolderEntry {
        let slot = slots[index]
        return FolderEntry(
            name: Array(bytes[Int(slot.offset)..<Int(slot.offset) + Int(slot.length)]),
            familyLength: Int(slot.familyLength), type: slot.type)
    }
}

/// The order of a listing: by family name, then by name, as bytes.
enum ListingOrder {
    static func precedes(_ a: FolderEntry, _ b: FolderEntry) -> Bool {
        a.name.withUnsafeBytes { first in
            b.name.withUnsafeBytes { precedes(first, a.familyLength, $0, b.familyLength) }
        }
    }

    static func precedes(
        _ a: UnsafeRawBufferPointer, _ aFamily: Int, _ b: UnsafeRawBufferPointer, _ bFamily: Int
    ) -> Bool {
        let families = compare(a.prefix(aFamily), b.prefix(bFamily))
        return families != 0 ? families < 0 : compare(a[...], b[...]) < 0
    }

    private static func compare(_ a: Slice<UnsafeRawBufferPointer>, _ b: Slice<UnsafeRawBufferPointer>) -> Int {
        let first = UnsafeRawBufferPointer(rebasing: a)
        let second = UnsafeRawBufferPointer(rebasing: b)
        let common = min(first.count, second.count)
        if common > 0, let x = first.baseAddress, let y = second.baseAddress {
            let order = memcmp(x, y, common)
            if order != 0 { return Int(order) }
        }
        return first.count - second.count
    }
}
