public import PictureFormat
internal import PixelKernels

/// Coding of samples in a group of 16 bytes.
public enum GroupCoding: Hashable, Sendable {
    /// Ten 12-bit or nine 14-bit samples, from the lowest bit: Panasonic's formats 5 and 7.
    case packed12, packed14
    /// Ten 12-bit samples and a zero byte: the plain samples of some cameras.
    case padded12
    /// Fourteen 12-bit samples in Panasonic's format 4; see `GroupDifferences`.
    case differences
    /// Eleven 14-bit or fourteen 12-bit samples in Panasonic's format 6; see `GroupScales`.
    case scaled14, scaled12

    /// Samples per group.
    public var count: Int {
        switch self {
        case .packed12, .padded12: 10
        case .packed14: 9
        case .differences, .scaled12: 14
        case .scaled14: 11
        }
    }
}

/// Samples in independent groups of 16 bytes: Panasonic's RW2 (dcraw, D. Coffin, and LibRaw: `panasonic_load_raw`,
/// `panasonicC6_load_raw`, `panasonicC7_load_raw`).
public struct GroupSamples {
    /// Bytes of a group.
    public static let groupBytes = 16
    /// Bytes of a block. In formats 4 and 5, the second part of a block comes first.
    public static let blockBytes = 0x4000
    /// Offset of the block's first part.
    static let split = 0x1ff8

    /// Bytes from the first group to the end of the last one.
    public static func byteCount(groups count: Int, isInBlocks: Bool) -> Int {
        let byteCount = count * groupBytes
        let beyond = byteCount % blockBytes
        guard isInBlocks, beyond > 0 else { return byteCount }
        return byteCount - beyond + min(split + beyond, blockBytes)
    }

    private let bytes: UnsafeRawBufferPointer
    private let coding: GroupCoding
    private let isInBlocks: Bool
    private let visible: PixelSize
    private let target: SliceTarget
    private let slice: PlaneSlice
    private let firstGroup: Int

    /// Proves that there are bytes for all groups, and that rows are whole groups inside the plane.
    ///
    /// - Parameters:
    ///   - bytes: groups row by row from the slice's first row, or the whole blocks that contain them. Must stay valid
    ///     until `unpack()` returns.
    ///   - visible: columns and rows of the plane whose samples must be in range, if the coding can exceed it.
    ///   - target: one slice of whole rows. In blocks, the first group of the plane's first row starts a block.
    public init?(
        _ bytes: UnsafeRawBufferPointer, coding: GroupCoding, isInBlocks: Bool, visible: PixelSize, target: SliceTarget
    ) {
        guard target.slices.count == 1, let slice = target.slices.first, slice.width % coding.count == 0,
            slice.x == 0,
            target.visibleCount(slice.width, x: 0) == slice.width, (0...slice.width).contains(visible.width)
        else { return nil }
        let groups = slice.width / coding.count
        let firstGroup = isInBlocks ? slice.y * groups % (Self.blockBytes / Self.groupBytes) : 0
        let needed = (firstGroup + groups * slice.height) * Self.groupBytes
        guard bytes.count >= needed, !isInBlocks || bytes.count % Self.blockBytes == 0 else { return nil }
        self.bytes = bytes
        self.coding = coding
        self.isInBlocks = isInBlocks
        self.visible = visible
        self.target = target
        self.slice = slice
        self.firstGroup = firstGroup
    }

    /// Writes all samples to the target. Other threads see them after `StreamingStores.fence()`.
    ///
    /// - Returns: false if a sample is out of range, because the data is damaged.
    public func unpack() -> Bool {
        switch coding {
        case .packed12:
            unpackEach { group, row in
                GroupBits.unpack12(group, to: row); return true
            }
        case .packed14:
            unpackEach { group, row in
                GroupBits.unpack14(group, to: row); return true
            }
        case .padded12:
            unpackEach { group, row in
                GroupBits.unpack12(group, to: row); return group.high &>> 56 == 0
            }
        case .differences:
            unpackTogether(
                { lanes, numbers in GroupDifferences.unpack(lanes, to: numbers) },
                { group, row in GroupDifferences.unpack(group, to: row) })
        case .scaled14:
            unpackTogether(
                { lanes, numbers in GroupScales.of14.unpack(lanes, to: numbers) },
                { group, row in
                    GroupScales.of14.unpack(group, to: row); return true
                })
        case .scaled12:
            unpackTogether(
                { lanes, numbers in GroupScales.of12.unpack(lanes, to: numbers) },
                { group, row in
                    GroupScales.of12.unpack(group, to: row); return true
                })
        }
    }

    /// - Parameter unpackRow: writes the row that starts with the given group; false if a sample is out of range.
    @inline(__always)
    private func unpackRows(_ unpackRow: (Int, UnsafeMutablePointer<UInt16>) -> Bool) -> Bool {
        let groups = slice.width / coding.count
        return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: slice.width) { row in
            guard let row = row.baseAddress else { return false }
            for y in 0..<slice.height {
                let areInRange = unpackRow(firstGroup &+ y &* groups, row)
                guard areInRange || slice.y + y >= visible.height || isVisiblyInRange(row) else { return false }
                StreamingStores.copy(
                    row, to: target.row(slice.y + y) + slice.x,
                    byteCount: slice.width * MemoryLayout<UInt16>.stride)
            }
            return true
        }
    }

    @inline(__always)
    private func group(_ start: UnsafeRawPointer, _ index: Int) -> Group {
        isInBlocks ? Group(start, inBlocksAt: index) : Group(start + index &* Self.groupBytes)
    }

    /// `unpackGroup` writes a group's samples; false if one is out of range.
    @inline(__always)
    private func unpackEach(_ unpackGroup: (Group, UnsafeMutablePointer<UInt16>) -> Bool) -> Bool {
        guard let start = bytes.baseAddress else { return false }
        let count = coding.count
        // Rejects a group only if its last sample is visible.
        let judged = visible.width / count
        return unpackRows { first, row in
            var areInRange = true
            for index in 0..<slice.width / count {
                let isInRange = unpackGroup(group(start, first &+ index), row + index &* count)
                areInRange = areInRange && (isInRange || index >= judged)
            }
            return areInRange
        }
    }

    /// Unpacks many groups in parallel. The rest of a row and lanes with a rare kind of group are unpacked one by one.
    /// The closures write samples; false if one is out of range, nil if a lane is of a rare kind.
    @inline(__always)
    private func unpackTogether(
        _ unpackLanes: (GroupLanes, UnsafeMutablePointer<GroupLanes.Numbers>) -> Bool?,
        _ unpackGroup: (Group, UnsafeMutablePointer<UInt16>) -> Bool
    ) -> Bool {
        guard let start = bytes.baseAddress else { return false }
        let count = coding.count
        let groups = slice.width / count
        return withUnsafeTemporaryAllocation(of: GroupLanes.Numbers.self, capacity: count) { numbers in
            guard let numbers = numbers.baseAddress else { return false }
            return unpackRows { first, row in
                var areInRange = true
                var index = 0
                while index < groups {
                    let target = row + index &* count
                    if index &+ GroupLanes.count <= groups {
                        let lanes = GroupLanes { group(start, first &+ index &+ $0) }
                        if let isInRange = unpackLanes(lanes, numbers) {
                            areInRange = areInRange && isInRange
                            GroupLanes.store(numbers, count: count, to: target)
                            index &+= GroupLanes.count
                            continue
                        }
                    }
                    let end = min(index &+ GroupLanes.count, groups)
                    for place in index..<end {
                        let isInRange = unpackGroup(group(start, first &+ place), row + place &* count)
                        areInRange = areInRange && isInRange
                    }
                    index = end
                }
                return areInRange
            }
        }
    }

    /// Whether all samples out of range are invisible.
    @inline(never)
    private func isVisiblyInRange(_ row: UnsafePointer<UInt16>) -> Bool {
        guard coding == .differences else { return false }
        return (0..<visible.width).allSatisfy { row[$0] <= GroupDifferences.limit }
    }
}

/// The 16 bytes of a group as one little-endian number.
struct Group {
    let low: UInt64
    let high: UInt64

    @inline(__always)
    init(_ start: UnsafeRawPointer) {
        low = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
        high = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// A group in blocks whose second part comes first. The middle group consists of two halves.
    @inline(__always)
    init(_ start: UnsafeRawPointer, inBlocksAt index: Int) {
        let offset = index &* GroupSamples.groupBytes
        let inBlock = offset & (GroupSamples.blockBytes &- 1)
        let block = start + (offset &- inBlock)
        let first = (inBlock &+ GroupSamples.split) & (GroupSamples.blockBytes &- 1)
        let second = (first &+ 8) & (GroupSamples.blockBytes &- 1)
        low = UInt64(littleEndian: block.loadUnaligned(fromByteOffset: first, as: UInt64.self))
        high = UInt64(littleEndian: block.loadUnaligned(fromByteOffset: second, as: UInt64.self))
    }

    /// A field at a place counted from the highest bit.
    @inline(__always)
    func bits(_ place: UInt64, _ count: UInt64) -> UInt64 {
        let mask = UInt64.max &>> (64 &- count)
        if place &+ count <= 64 { return high &>> (64 &- place &- count) & mask }
        if place >= 64 { return low &>> (128 &- place &- count) & mask }
        let inLow = place &+ count &- 64
        return (high &<< inLow | low &>> (64 &- inLow)) & mask
    }
}
