internal import CCache

/// MD5 of sixteen messages of equal length at once, one in each lane of a vector (R. Rivest, 1992, "The MD5
/// Message-Digest Algorithm", RFC 1321).
///
/// A single MD5 waits for its last step; sixteen parallel chains keep the processor busy. The digest protects against
/// damage, not against attackers.
public struct MD5Lanes {
    /// Messages at once.
    public static let count = 16
    private typealias Lanes = SIMD16<UInt32>

    private var a = Lanes(repeating: 0x6745_2301)
    private var b = Lanes(repeating: 0xefcd_ab89)
    private var c = Lanes(repeating: 0x98ba_dcfe)
    private var d = Lanes(repeating: 0x1032_5476)

    private init() {}

    /// The digests of sixteen messages, 16 bytes each.
    ///
    /// - Parameters:
    ///   - messages: sixteen pointers to `length` readable bytes each.
    ///   - length: bytes of each message.
    public static func digests(_ messages: [UnsafePointer<UInt8>], length: Int) -> [[UInt8]] {
        guard messages.count == count, length >= 0 else { fatalError("MD5Lanes takes sixteen messages") }
        var lanes = MD5Lanes()
        let whole = length / 64 * 64
        for offset in stride(from: 0, to: whole, by: 64) { lanes.update(messages, at: offset) }
        return lanes.finish(messages, whole: whole, length: length)
    }

    /// The digests of sixteen messages in rows, such as the tiles of a plane; 16 bytes each.
    ///
    /// - Parameters:
    ///   - messages: sixteen pointers to the messages' first rows.
    ///   - rows: rows of each message.
    ///   - rowBytes: bytes of a row, a multiple of 64.
    ///   - strideBytes: distance of rows.
    public static func digests(
        _ messages: [UnsafePointer<UInt8>], rows: Int, rowBytes: Int, strideBytes: Int
    ) -> [[UInt8]] {
        guard messages.count == count, rowBytes % 64 == 0 else {
            fatalError("MD5Lanes takes sixteen messages, and no block lies in two rows")
        }
        var lanes = MD5Lanes()
        for row in 0..<rows {
            for column in stride(from: 0, to: rowBytes, by: 64) {
                let offset = row * strideBytes + column
                // Processors prefetch along a row, but not the row below.
                prefetch(messages, at: offset + strideBytes)
                lanes.update(messages, at: offset)
            }
        }
        return lanes.finish(messages, whole: 0, length: 0, before: rows * rowBytes)
    }

    /// `whole` bytes of each message have been digested, and `before` bytes before those.
    private mutating func finish(
        _ messages: [UnsafePointer<UInt8>], whole: Int, length: Int, before: Int = 0
    ) -> [[UInt8]] {
        let ends = messages.map { Self.ending($0 + whole, length - whole, total: before + length) }
        let blocks = ends[0].count / 64
        for block in 0..<blocks {
            let flat = ends.flatMap { $0[block * 64..<block * 64 + 64] }
            flat.withUnsafeBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return }
                update((0..<Self.count).map { start + $0 * 64 }, at: 0)
            }
        }
        return (0..<Self.count).map { digest($0) }
    }

    /// The rest of a message, then its padding: a one bit, zeros, and the message's length in bits.
    private static func ending(_ rest: UnsafePointer<UInt8>, _ count: Int, total: Int) -> [UInt8] {
        var bytes = [UInt8](UnsafeBufferPointer<UInt8>(start: rest, count: count))
        bytes.append(0x80)
        while bytes.count % 64 != 56 { bytes.append(0) }
        let bits = UInt64(total) * 8
        for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * UInt64(index)))) }
        return bytes
    }

    private func digest(_ lane: Int) -> [UInt8] {
        [a[lane], b[lane], c[lane], d[lane]].flatMap { value in
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
        }
    }

    private static func prefetch(_ messages: [UnsafePointer<UInt8>], at offset: Int) {
        for message in messages { rawmill_prefetch(message + offset) }
    }

    private mutating func update(_ messages: [UnsafePointer<UInt8>], at offset: Int) {
        withUnsafeTemporaryAllocation(of: Lanes.self, capacity: 16) { words in
            guard let words = words.baseAddress else { return }
            for lane in 0..<16 { words[lane] = Self.block(messages[lane] + offset) }
            Self.transpose(words)
            var (a, b, c, d) = (self.a, self.b, self.c, self.d)
            for i in stride(from: 0, to: 16, by: 4) {
                Self.step(&a, b, d ^ (b & (c ^ d)), words[i], i, 7)
                Self.step(&d, a, c ^ (a & (b ^ c)), words[i + 1], i + 1, 12)
                Self.step(&c, d, b ^ (d & (a ^ b)), words[i + 2], i + 2, 17)
                Self.step(&b, c, a ^ (c & (d ^ a)), words[i + 3], i + 3, 22)
            }
            for i in stride(from: 16, to: 32, by: 4) {
                Self.step(&a, b, c ^ (d & (b ^ c)), words[(5 * i + 1) & 15], i, 5)
                Self.step(&d, a, b ^ (c & (a ^ b)), words[(5 * i + 6) & 15], i + 1, 9)
                Self.step(&c, d, a ^ (b & (d ^ a)), words[(5 * i + 11) & 15], i + 2, 14)
                Self.step(&b, c, d ^ (a & (c ^ d)), words[5 * i & 15], i + 3, 20)
            }
            for i in stride(from: 32, to: 48, by: 4) {
                Self.step(&a, b, b ^ c ^ d, words[(3 * i + 5) & 15], i, 4)
                Self.step(&d, a, a ^ b ^ c, words[(3 * i + 8) & 15], i + 1, 11)
                Self.step(&c, d, d ^ a ^ b, words[(3 * i + 11) & 15], i + 2, 16)
                Self.step(&b, c, c ^ d ^ a, words[(3 * i + 14) & 15], i + 3, 23)
            }
            for i in stride(from: 48, to: 64, by: 4) {
                Self.step(&a, b, c ^ (b | ~d), words[7 * i & 15], i, 6)
                Self.step(&d, a, b ^ (a | ~c), words[(7 * i + 7) & 15], i + 1, 10)
                Self.step(&c, d, a ^ (d | ~b), words[(7 * i + 14) & 15], i + 2, 15)
                Self.step(&b, c, d ^ (c | ~a), words[(7 * i + 21) & 15], i + 3, 21)
            }
            self.a &+= a
            self.b &+= b
            self.c &+= c
            self.d &+= d
        }
    }

    @inline(__always)
    private static func block(_ bytes: UnsafePointer<UInt8>) -> Lanes {
        let words = UnsafeRawPointer(bytes).loadUnaligned(as: Lanes.self)
        guard UInt32(1).littleEndian != 1 else { return words }
        return words.indices.reduce(into: words) { $0[$1] = UInt32(littleEndian: words[$1]) }
    }

    /// Transposes 16 × 16 numbers: from one message per row to one per lane.
    ///
    /// Separating even from odd columns in each pair of rows rotates the eight bits of a number's row and column index
    /// by one; four rotations exchange row and column.
    @inline(__always)
    private static func transpose(_ rows: UnsafeMutablePointer<Lanes>) {
        for _ in 0..<4 {
            withUnsafeTemporaryAllocation(of: Lanes.self, capacity: 16) { halves in
                for row in 0..<8 {
                    let (upper, lower) = (rows[2 * row], rows[2 * row + 1])
                    halves[row] = Lanes(lowHalf: upper.evenHalf, highHalf: lower.evenHalf)
                    halves[row + 8] = Lanes(lowHalf: upper.oddHalf, highHalf: lower.oddHalf)
                }
                for row in 0..<16 { rows[row] = halves[row] }
            }
        }
    }

    /// One of the 64 steps. The compiler splits a rotation, or a shift of all lanes by a scalar, into lanes; two vector
    /// shifts and an addition stay vectors.
    @inline(__always)
    private static func step(
        _ rotated: inout Lanes, _ base: Lanes, _ mix: Lanes, _ word: Lanes, _ number: Int, _ bits: UInt32
    ) {
        // Adds `mix` last, because it is available last.
        let sum = (rotated &+ (word &+ Lanes(repeating: sines[number]))) &+ mix
        rotated = (base &+ (sum &<< Lanes(repeating: bits))) &+ (sum &>> Lanes(repeating: 32 - bits))
    }

    /// |sin| of 1 to 64 radians, times 2^32.
    private static let sines: [UInt32] = [
        0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
        0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
        0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
        0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
        0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
        0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
        0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
        0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
    ]
}
