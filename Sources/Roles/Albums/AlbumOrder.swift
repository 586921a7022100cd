/// Positions of members in an album, with gaps for later members.
enum AlbumOrder {
    /// The distance of appended members: allows 20 halvings before an album is renumbered.
    static let step: Int64 = 1 << 20

    /// Evenly spaced positions between two members.
    ///
    /// - Parameters:
    ///   - low: the position before; nil at the beginning.
    ///   - high: the position behind; nil at the end.
    /// - Returns: `count` ascending positions; nil if the gap is too small.
    static func positions(count: Int, after low: Int64?, before high: Int64?) -> [Int64]? {
        guard count > 0 else { return [] }
        let count = Int64(count)
        let room = count.multipliedReportingOverflow(by: step)
        if room.overflow { return nil }
        let (start, end): (Int64, Int64)
        switch (low, high) {
        case (nil, nil): (start, end) = (0, room.partialValue + step)
        case (let low?, nil):
            let limit = low.addingReportingOverflow(room.partialValue + step)
            if limit.overflow { return nil }
            (start, end) = (low, limit.partialValue)
        case (nil, let high?):
            let limit = high.subtractingReportingOverflow(room.partialValue + step)
            if limit.overflow { return nil }
            (start, end) = (limit.partialValue, high)
        case (let low?, let high?): (start, end) = (low, high)
        }
        let gap = end.subtractingReportingOverflow(start)
        if gap.overflow { return nil }
        let distance = gap.partialValue / (count + 1)
        return distance > 0 ? (1...count).map { start + $0 * distance } : nil
    }
}
