import TIFF

extension RowPairCoding {
    /// Where the note's table has its codes.
    private static let codesOffset = 14
    /// LibRaw looks codes up by so many bits.
    private static let maxLength = 12

    /// What a PEF's maker note says of its compression: how many codes there are, each code as the first bits of 12, and their
    /// lengths; the code's number is how many bits the difference has (dcraw, D. Coffin, `pentax_load_raw`). Nil for what is
    /// left to LibRaw: tables that make no complete code in the order of its lengths, which no camera writes.
    ///
    /// - Parameters:
    ///   - reader: of the whole file, in its byte order.
    ///   - offset: where the table is (tag 0x220).
    ///   - bits: of a sample.
    init?(pentax reader: ByteReader, at offset: Int, bits: Int, height: Int) {
        guard (10...14).contains(bits), let stated = reader.count16(offset) else { return nil }
        let count = (stated + 12) & 15
        let lengths = offset + Self.codesOffset + 2 * count
        var codes: [(start: Int, length: Int, category: UInt8)] = []
        for index in 0..<count {
            guard let start = reader.count16(offset + Self.codesOffset + 2 * index),
                let length = reader.uint8(lengths + index), (1...Self.maxLength).contains(Int(length))
            else { return nil }
            codes.append((start, Int(length), UInt8(index)))
        }
        codes.sort { $0.start < $1.start }
        var tree = [UInt8](repeating: 0, count: 16)
        var (end, longest) = (0, 1)
        for code in codes {
            guard code.start == end, code.length >= longest else { return nil }
            end += 1 << (Self.maxLength - code.length)
            longest = code.length
            tree[code.length - 1] += 1
            tree.append(code.category)
        }
        guard end == 1 << Self.maxLength else { return nil }
        trees = .pentax(tree)
        split = height
        start = .zero
        limit = 1 << bits
        curve = nil
    }
}
