internal import SeededRandom

/// Targeted damage to the numbers of a TIFF file, as an attacker would do.
extension TIFFBytes {
    private static let edges = [
        0, 1, 2, 3, 7, 255, 256, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x10_0000, 0x3fff_ffff, 0x4000_0001, 0x7fff_ffff,
        0x8000_0000, 0xffff_fffe, 0xffff_ffff,
    ]
    private static let chunkOffsets = [273, 324]
    private static let chunkByteCounts = [279, 325]
    /// Sizes, bits, compression, samples, chunks, filters, areas, crops, black levels, slices.
    private static let sizes: Set<Int> = [
        256, 257, 258, 259, 262, 277, 278, 284, 322, 323, 339, 33421, 33422, 50710, 50711, 50712, 50713, 50714, 50717,
        50718, 50719, 50720, 50752, 50829, 51125,
    ]

    /// Directories that refer to themselves or to an earlier one.
    mutating func loop(_ random: inout SeededGenerator) {
        let target = directories[random.index(of: directories)]
        write(target + Int(random.next() % 4) / 3, at: links[random.index(of: links)], 4)
    }

    /// Strips or tiles that overlap each other, the header or the end of the file.
    mutating func overlapChunks(_ random: inout SeededGenerator) {
        guard let field = any(of: Set(Self.chunkOffsets), &random) else { return lie(&random) }
        let places = valueOffsets(of: field)
        guard let first = places.first, let start = number(at: first, width(of: field)) else { return lie(&random) }
        let target = [start, 0, 8, bytes.count - 16, bytes.count][Int(random.next() % 5)]
        for place in places { write(target + Int(random.next() % 3), at: place, width(of: field)) }
    }

    /// A field that claims slightly or far more values than the file has bytes.
    mutating func swellCount(_ random: inout SeededGenerator) {
        let field = fields[random.index(of: fields)]
        let counts = Self.edges + [field.count + 1, field.count * 2, bytes.count, bytes.count / 4]
        write(counts[random.index(of: counts)], at: field.offset + 4, 4)
    }

    /// Wrong sizes, bits, codings and areas.
    mutating func lie(_ random: inout SeededGenerator) {
        for _ in 0..<1 + random.next() % 2 {
            let field = any(of: Self.sizes, &random) ?? fields[random.index(of: fields)]
            let places = valueOffsets(of: field)
            let place = places.isEmpty ? field.offset + 8 : places[random.index(of: places)]
            let old = number(at: place, width(of: field)) ?? 0
            let values = Self.edges + [old + 1, old - 1, old * 2, old / 2, old * 256]
            write(values[random.index(of: values)], at: place, width(of: field))
        }
    }

    /// Compressed samples that end early: by the directory, by a marker, or in zeros or ones.
    mutating func truncateStream(_ random: inout SeededGenerator) {
        guard let field = any(of: Set(Self.chunkByteCounts), &random) else { return swellCount(&random) }
        let places = valueOffsets(of: field)
        guard !places.isEmpty else { return swellCount(&random) }
        let chunk = random.index(of: places)
        let length = number(at: places[chunk], width(of: field)) ?? 0
        let kept = Int(random.next() % UInt64(max(length, 1)))
        let kind = Int(random.next() % 4)
        if kind == 0 { return write(kept, at: places[chunk], width(of: field)) }
        let starts = fields.filter { $0.tag + (field.tag == 279 ? 6 : 1) == field.tag }.flatMap(valueOffsets)
        guard chunk < starts.count, let start = number(at: starts[chunk], 4), start + length <= bytes.count else {
            return write(kept, at: places[chunk], width(of: field))
        }
        if kind == 1 {
            let marker = start + min(kept, max(length - 2, 0))
            for (index, byte) in [0xff, 0xd9].enumerated() where marker + index < bytes.count {
                bytes[marker + index] = UInt8(byte)
            }
        } else {
            for offset in start + kept..<start + length { bytes[offset] = kind == 2 ? 0 : 0xff }
        }
    }

    /// Fields that exchanged places or values.
    mutating func shuffle(_ random: inout SeededGenerator) {
        let (a, b) = (fields[random.index(of: fields)], fields[random.index(of: fields)])
        let parts = [(0, 2), (2, 2), (4, 4), (8, 4), (0, 4), (4, 8)]
        let (start, length) = parts[random.index(of: parts)]
        for index in start..<start + length { bytes.swapAt(a.offset + index, b.offset + index) }
    }

    /// Opcodes with excessive parameters, in the place of a field that few readers need, with the list at the file's
    /// end (DNG 1.4, chapter 7; always big-endian).
    mutating func addOpcodes(_ random: inout SeededGenerator) {
        let bomb = OpcodeBomb(&random).bytes
        let field = fields[random.index(of: fields)]
        write([51008, 51009, 51022][Int(random.next() % 3)], at: field.offset, 2)
        write(7, at: field.offset + 2, 2)
        write(random.next() % 8 == 0 ? 0xffff_fff0 : bomb.count, at: field.offset + 4, 4)
        write(bytes.count, at: field.offset + 8, 4)
        bytes += bomb
    }

    private func any(of tags: Set<Int>, _ random: inout SeededGenerator) -> Field? {
        let found = fields.filter { tags.contains($0.tag) }
        return found.isEmpty ? nil : found[random.index(of: found)]
    }
}

/// A list of opcodes with excessive parameters.
private struct OpcodeBomb {
    private(set) var bytes: [UInt8] = []

    init(_ random: inout SeededGenerator) {
        let count = [1, 2, 400, 0xffff_ffff][Int(random.next() % 4)]
        append(count)
        for _ in 0..<min(count, 400) { appendOpcode(&random) }
    }

    /// Number, version, flags, length, and the common start of opcodes on areas: the area, planes, pitches.
    private mutating func appendOpcode(_ random: inout SeededGenerator) {
        let edges = [0, 1, 2, 4, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]
        func edge() -> Int { edges[random.index(of: edges)] }
        let numbers = (0..<20).map { $0 < 4 && random.next() % 4 > 0 ? [0, 0, 64, 64][$0] : edge() }
        append(1 + Int(random.next() % 13))
        append(0x0103_0000)
        append(Int(random.next() % 4))
        append(random.next() % 3 == 0 ? edge() : 4 * numbers.count)
        for number in numbers { append(number) }
    }

    private mutating func append(_ number: Int) {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}

extension SeededGenerator {
    /// The index of a random element; the collection must not be empty.
    mutating func index(of elements: some Collection) -> Int { Int(next() % UInt64(max(elements.count, 1))) }
}
