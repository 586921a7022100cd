/// Chooses the partition of a key, as Kafka's own clients do.
enum Partitioner {
    static func partition(of key: [UInt8], among count: Int32) -> Int32 {
        Int32(murmur2(key) & 0x7FFF_FFFF) % max(1, count)
    }

    /// MurmurHash2 (Austin Appleby, 2008) with Kafka's seed.
    static func murmur2(_ bytes: [UInt8]) -> UInt32 {
        let multiplier: UInt32 = 0x5BD1_E995
        var hash = 0x9747_B28C ^ UInt32(truncatingIfNeeded: bytes.count)
        let whole = bytes.count & ~3
        for start in stride(from: 0, to: whole, by: 4) {
            var block = littleEndian(bytes[start..<start + 4]) &* multiplier
            block = (block ^ (block >> 24)) &* multiplier
            hash = (hash &* multiplier) ^ block
        }
        if whole < bytes.count { hash = (hash ^ littleEndian(bytes[whole...])) &* multiplier }
        hash = (hash ^ (hash >> 13)) &* multiplier
        return hash ^ (hash >> 15)
    }

    private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
