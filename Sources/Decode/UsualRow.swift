/// Rows of usual scans (`LosslessScan.isUsual`), without a decision on the way: what is rare is only noticed, and the
/// row decoded again with care.
enum UsualRow {
    /// One scan's row.
    static func decode(
        _ before: DifferenceReader, _ entries: UnsafePointer<UInt32>, _ scan: LosslessScan, _ y: Int
    ) -> (reader: DifferenceReader, bits: UInt32, metRare: Bool) {
        var reader = before
        let samples = scan.row(y)
        var even = scan.start(0, row: y)
        var odd = scan.start(1, row: y)
        var bits: UInt32 = 0
        var met: UInt32 = 0
        for x in 0..<scan.header.width {
            reader.refill()
            even &+= reader.difference(entries, met: &met)
            odd &+= reader.difference(entries, met: &met)
            samples[2 * x] = UInt16(truncatingIfNeeded: even)
            samples[2 * x + 1] = UInt16(truncatingIfNeeded: odd)
            bits |= even | odd
        }
        return (reader, bits, met & DifferenceTable.isRare != 0)
    }

    /// The same row of two scans of one width, in step.
    static func decode(
        _ before: (DifferenceReader, DifferenceReader), _ entries: (UnsafePointer<UInt32>, UnsafePointer<UInt32>),
        _ scans: (LosslessScan, LosslessScan), _ y: Int
    ) -> (readers: (DifferenceReader, DifferenceReader), bits: (UInt32, UInt32), metRare: Bool) {
        var (reader, other) = before
        let samples = scans.0.row(y)
        let others = scans.1.row(y)
        var even = scans.0.start(0, row: y)
        var odd = scans.0.start(1, row: y)
        var otherEven = scans.1.start(0, row: y)
        var otherOdd = scans.1.start(1, row: y)
        var bits: UInt32 = 0
        var otherBits: UInt32 = 0
        var met: UInt32 = 0
        for x in 0..<scans.0.header.width {
            reader.refill()
            other.refill()
            even &+= reader.difference(entries.0, met: &met)
            otherEven &+= other.difference(entries.1, met: &met)
            odd &+= reader.difference(entries.0, met: &met)
            otherOdd &+= other.difference(entries.1, met: &met)
            samples[2 * x] = UInt16(truncatingIfNeeded: even)
            samples[2 * x + 1] = UInt16(truncatingIfNeeded: odd)
            others[2 * x] = UInt16(truncatingIfNeeded: otherEven)
            others[2 * x + 1] = UInt16(truncatingIfNeeded: otherOdd)
            bits |= even | odd
            otherBits |= otherEven | otherOdd
        }
        return ((reader, other), (bits, otherBits), met & DifferenceTable.isRare != 0)
    }
}
