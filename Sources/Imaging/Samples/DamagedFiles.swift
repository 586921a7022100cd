/// Ways a file comes to harm. The same seed harms the same bytes the same way.
public enum Damage: Hashable, Sendable, CaseIterable {
    /// The file ends early.
    case cutOff
    /// A few bits turned round, anywhere.
    case flippedBits
    /// A few bits turned round in the first kilobytes, where directories lie.
    case flippedHeaderBits
    /// A stretch that was never written: zeros.
    case hole
    /// A stretch of another file: random bytes.
    case garbage
    /// A number of a directory made a lie: sizes, counts, offsets.
    case lyingHeader
    /// A piece from elsewhere in the file.
    case displacedBlock
}

public struct DamagedFile: Sendable {
    public let damage: Damage
    public let seed: UInt64
    public let bytes: [UInt8]
}

/// Makes damaged files from a good one.
public struct DamagedFiles: Sendable {
    public let original: [UInt8]

    public init(_ original: [UInt8]) { self.original = original }

    /// One damaged file a seed, the kinds of damage taking turns.
    public func file(seed: UInt64) -> DamagedFile {
        let kinds = Damage.allCases
        return file(kinds[Int(seed % UInt64(kinds.count))], seed: seed)
    }

    public func file(_ damage: Damage, seed: UInt64) -> DamagedFile {
        var random = SplitMix64(seed: mixed(seed))
        var bytes = original
        if !bytes.isEmpty { apply(damage, to: &bytes, &random) }
        return DamagedFile(damage: damage, seed: seed, bytes: bytes)
    }

    private func apply(_ damage: Damage, to bytes: inout [UInt8], _ random: inout SplitMix64) {
        switch damage {
        case .cutOff: bytes.removeLast(bytes.count - cut(bytes.count, &random))
        case .flippedBits: flip(&bytes, below: bytes.count, &random)
        case .flippedHeaderBits: flip(&bytes, below: min(bytes.count, 4096), &random)
        case .hole:
            for place in stretch(bytes.count, &random) { bytes[place] = 0 }
        case .garbage:
            for place in stretch(bytes.count, &random) { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
        case .lyingHeader: lie(&bytes, &random)
        case .displacedBlock: misplace(&bytes, &random)
        }
    }

    /// Often near the start or the end, where the edge cases are.
    private func cut(_ count: Int, _ random: inout SplitMix64) -> Int {
        switch random.next() % 4 {
        case 0: Int(random.next() % UInt64(min(count, 512)))
        case 1: count - 1 - Int(random.next() % UInt64(min(count, 64)))
        default: Int(random.next() % UInt64(count))
        }
    }

    private func flip(_ bytes: inout [UInt8], below limit: Int, _ random: inout SplitMix64) {
        for _ in 0..<1 + random.next() % 8 {
            bytes[Int(random.next() % UInt64(limit))] ^= 1 << UInt8(random.next() % 8)
        }
    }

    /// Up to an eighth of the file.
    private func stretch(_ count: Int, _ random: inout SplitMix64) -> Range<Int> {
        let start = Int(random.next() % UInt64(count))
        let length = 1 + Int(random.next() % UInt64(max(1, count / 8)))
        return start..<min(count, start + length)
    }

    private func misplace(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let from = stretch(bytes.count, &random)
        let to = Int(random.next() % UInt64(bytes.count - from.count + 1))
        let piece = Array(bytes[from])
        bytes.replaceSubrange(to..<to + piece.count, with: piece)
    }

    /// Overwrites values of the first directory's fields by numbers that hurt.
    private func lie(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let littleEndian = bytes.first == 0x49
        guard bytes.count > 16, let directory = number(bytes, 4, 4, littleEndian), directory + 2 <= bytes.count,
            let count = number(bytes, directory, 2, littleEndian), count > 0, directory + 2 + count * 12 <= bytes.count
        else { return flip(&bytes, below: min(bytes.count, 512), &random) }
        for _ in 0..<1 + random.next() % 3 {
            let entry = directory + 2 + Int(random.next() % UInt64(count)) * 12
            let part = [2, 4, 8][Int(random.next() % 3)]
            let lies: [UInt64] = [0, 1, 2, 3, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0xffff_ffff, random.next()]
            let lie = lies[Int(random.next() % UInt64(lies.count))]
            let length = part == 2 ? 2 : 4
            for place in 0..<length {
                let shift = UInt64(littleEndian ? place : length - 1 - place) * 8
                bytes[entry + part + place] = UInt8(truncatingIfNeeded: lie >> shift)
            }
        }
    }

    private func number(_ bytes: [UInt8], _ offset: Int, _ length: Int, _ littleEndian: Bool) -> Int? {
        guard offset >= 0, offset + length <= bytes.count else { return nil }
        let places = littleEndian ? Array((0..<length).reversed()) : Array(0..<length)
        return places.reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
    }
}
