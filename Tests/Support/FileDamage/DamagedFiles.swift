internal import SeededRandom

/// A kind of damage to a file. The same seed causes the same damage.
public enum Damage: Hashable, Sendable, CaseIterable {
    /// The file ends too early.
    case cutOff
    /// A few bits flipped anywhere.
    case flippedBits
    /// A few bits flipped in the first kilobytes, where directories are.
    case flippedHeaderBits
    /// A range that was never written: zeros.
    case hole
    /// A range of another file: random bytes.
    case garbage
    /// Wrong numbers in a directory: sizes, counts, offsets.
    case falseHeader
    /// A block from elsewhere in the file.
    case displacedBlock
    /// Directories that refer back to themselves.
    case directoryLoop
    /// Strips or tiles on top of each other.
    case overlappingChunks
    /// A field that claims more values than exist.
    case swollenCount
    /// Wrong sizes, bits, codings and areas.
    case lyingSize
    /// Compressed samples that end early in a complete file.
    case truncatedStream
    /// Fields that exchanged places or values.
    case shuffledFields
    /// Opcodes with excessive parameters.
    case opcodeBomb
}

/// A damaged file, and how to reproduce it.
public struct DamagedFile: Sendable {
    /// Kind of the damage.
    public let damage: Damage
    /// Seed of the damage.
    public let seed: UInt64
    /// The damaged file.
    public let bytes: [UInt8]
}

/// Makes damaged files from a valid one.
public struct DamagedFiles: Sendable {
    /// The undamaged file.
    public let original: [UInt8]

    /// - Parameter original: the undamaged file.
    public init(_ original: [UInt8]) { self.original = original }

    /// One damaged file for each seed; the kinds of damage alternate.
    public func file(seed: UInt64) -> DamagedFile {
        let kinds = Damage.allCases
        return file(kinds[Int(seed % UInt64(kinds.count))], seed: seed)
    }

    /// A file with this damage, at a place chosen by the seed.
    public func file(_ damage: Damage, seed: UInt64) -> DamagedFile {
        var random = SeededGenerator(seed: SeededGenerator.mixed(seed))
        var bytes = original
        if !bytes.isEmpty { apply(damage, to: &bytes, &random) }
        return DamagedFile(damage: damage, seed: seed, bytes: bytes)
    }

    private func apply(_ damage: Damage, to bytes: inout [UInt8], _ random: inout SeededGenerator) {
        switch damage {
        case .cutOff: bytes.removeLast(bytes.count - cut(bytes.count, &random))
        case .flippedBits: flip(&bytes, below: bytes.count, &random)
        case .flippedHeaderBits: flip(&bytes, below: min(bytes.count, 4096), &random)
        case .hole:
            for offset in range(bytes.count, &random) { bytes[offset] = 0 }
        case .garbage:
            for offset in range(bytes.count, &random) { bytes[offset] = UInt8(truncatingIfNeeded: random.next()) }
        case .falseHeader: falsify(&bytes, &random)
        case .displacedBlock: displace(&bytes, &random)
        default:
            // Other containers have their tables at the beginning or the end.
            guard var tiff = TIFFBytes(bytes) else { return falsifyEnds(&bytes, &random) }
            apply(damage, to: &tiff, &random)
            bytes = tiff.bytes
        }
    }

    private func apply(_ damage: Damage, to tiff: inout TIFFBytes, _ random: inout SeededGenerator) {
        switch damage {
        case .directoryLoop: tiff.loop(&random)
        case .overlappingChunks: tiff.overlapChunks(&random)
        case .swollenCount: tiff.swellCount(&random)
        case .truncatedStream: tiff.truncateStream(&random)
        case .shuffledFields: tiff.shuffle(&random)
        case .opcodeBomb: tiff.addOpcodes(&random)
        default: tiff.lie(&random)
        }
    }

    /// Overwrites numbers of the file's first or last two kilobytes.
    private func falsifyEnds(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let length = min(bytes.count, 2048)
        for _ in 0..<1 + random.next() % 3 {
            let place = Int(random.next() % UInt64(length)) & ~1
            let start = random.next() % 2 == 0 ? place : bytes.count - length + place
            let number = [0, 1, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, random.next()][Int(random.next() % 7)]
            for index in 0..<min(4, bytes.count - start) {
                bytes[start + index] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(index)))
            }
        }
    }

    /// Often near the start or the end, where edge cases are.
    private func cut(_ count: Int, _ random: inout SeededGenerator) -> Int {
        switch random.next() % 4 {
        case 0: Int(random.next() % UInt64(min(count, 512)))
        case 1: count - 1 - Int(random.next() % UInt64(min(count, 64)))
        default: Int(random.next() % UInt64(count))
        }
    }

    private func flip(_ bytes: inout [UInt8], below limit: Int, _ random: inout SeededGenerator) {
        for _ in 0..<1 + random.next() % 8 {
            bytes[Int(random.next() % UInt64(limit))] ^= 1 << UInt8(random.next() % 8)
        }
    }

    /// Up to an eighth of the file.
    private func range(_ count: Int, _ random: inout SeededGenerator) -> Range<Int> {
        let start = Int(random.next() % UInt64(count))
        let length = 1 + Int(random.next() % UInt64(max(1, count / 8)))
        return start..<min(count, start + length)
    }

    private func displace(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let from = range(bytes.count, &random)
        let to = Int(random.next() % UInt64(bytes.count - from.count + 1))
        let piece = Array(bytes[from])
        bytes.replaceSubrange(to..<to + piece.count, with: piece)
    }

    /// Overwrites values of the first directory's fields with numbers at the edges of their ranges.
    private func falsify(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let littleEndian = bytes.first == 0x49
        guard bytes.count > 16, let directory = number(bytes, 4, 4, littleEndian), directory + 2 <= bytes.count,
            let count = number(bytes, directory, 2, littleEndian), count > 0, directory + 2 + count * 12 <= bytes.count
        else { return flip(&bytes, below: min(bytes.count, 512), &random) }
        for _ in 0..<1 + random.next() % 3 {
            let entry = directory + 2 + Int(random.next() % UInt64(count)) * 12
            let part = [2, 4, 8][Int(random.next() % 3)]
            let numbers: [UInt64] = [0, 1, 2, 3, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0xffff_ffff, random.next()]
            let value = numbers[Int(random.next() % UInt64(numbers.count))]
            let length = part == 2 ? 2 : 4
            for byte in 0..<length {
                let shift = UInt64(littleEndian ? byte : length - 1 - byte) * 8
                bytes[entry + part + byte] = UInt8(truncatingIfNeeded: value >> shift)
            }
        }
    }

    private func number(_ bytes: [UInt8], _ offset: Int, _ length: Int, _ littleEndian: Bool) -> Int? {
        guard offset >= 0, offset + length <= bytes.count else { return nil }
        let order = littleEndian ? Array((0..<length).reversed()) : Array(0..<length)
        return order.reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
    }
}
