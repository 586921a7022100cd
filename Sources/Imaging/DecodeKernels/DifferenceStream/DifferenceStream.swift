/// The differences of one long Huffman-coded stream, decoded at six places at once.
///
/// Where a code begins is only known when the one before it was read, but Huffman codes synchronise by themselves: a decoder
/// that starts at any bit soon meets a true boundary, and is right from there on (S. T. Klein and Y. Wiseman, "Parallel
/// Huffman Decoding with Applications to JPEG Files", The Computer Journal 46, 2003). So five lanes start ahead at guessed
/// bits, and remember the first boundaries that they found. The first lane is right from its start; it goes on until it meets
/// one of the second's, which is thereby right from there, and so forth. A lane that is not met counts for nothing, and the
/// next round starts before it: whatever the bytes are, the differences are those that one reader would have read.
struct DifferenceStream: ~Copyable {
    /// What a lane decodes in one round, about.
    private static let laneLength = 8192
    /// The boundaries that a lane remembers. Of guessed starts, hardly one in ten thousand synchronises later.
    private static let boundaries = 64
    /// How many differences of a lane are decoded between two looks at where it is.
    private static let block = 64
    private static let capacity = boundaries + laneLength * 5 / 4
    /// From how many differences on more than one reader is at work for most of the time.
    static let worthwhileCount = 4 * DifferenceLanes.count * capacity

    /// How far behind the data it may read: a lane begins before the end.
    static let slack = capacity * DifferenceReader.maxBytesPerSample + DifferenceReader.slack

    private let start: UnsafePointer<UInt8>
    private let bitCount: UInt64
    private let table: DifferenceTable
    private var reader: DifferenceReader
    /// Differences that were not decoded yet.
    private var remaining: Int
    private var lanes = DifferenceLanes(capacity: capacity)
    /// By lane: where its first differences begin.
    private let found: UnsafeMutablePointer<UInt64>
    /// What was decoded and not read yet: parts of lanes, the first one next.
    private var parts: [(lane: Int, range: Range<Int>)] = []

    /// - Parameters:
    ///   - data: loaded with `slack`; must stay in place.
    ///   - count: how many differences will be read.
    ///   - position: where the first one begins, in bits.
    init(_ data: borrowing EntropyData, _ table: DifferenceTable, count: Int, at position: UInt64 = 0) {
        start = UnsafePointer(data.start)
        bitCount = UInt64(data.count) * 8
        self.table = table
        reader = DifferenceReader(data, at: position)
        remaining = count
        found = .allocate(capacity: DifferenceLanes.count * Self.boundaries)
    }

    deinit { found.deallocate() }

    /// Whether more bits were used than there are. Only at the end is it certain.
    var isBeyondEnd: Bool { reader.isBeyondEnd }

    /// Bits that were used, once all differences were read.
    var position: UInt64 { reader.position }

    /// See `DifferenceReader.isSpent`.
    var isSpent: Bool { reader.isSpent }

    /// The next differences, modulo 2¹⁶.
    ///
    /// - Parameter wanted: no more than were announced and not read.
    /// - Returns: false where the data is damaged: an unknown code, or far too few bits.
    mutating func read(_ wanted: Int, into target: UnsafeMutablePointer<UInt16>) -> Bool {
        var done = 0
        while done < wanted {
            if let part = parts.first {
                let length = min(part.range.count, wanted - done)
                (target + done).update(from: lanes.lane(part.lane) + part.range.lowerBound, count: length)
                done += length
                let rest = part.range.dropFirst(length)
                if rest.isEmpty { parts.removeFirst() } else { parts[0].range = rest }
            } else if let spacing = laneSpacing {
                guard decodeLanes(spacing) else { return false }
            } else {
                guard readAlone(wanted - done, into: target + done) else { return false }
                done = wanted
            }
        }
        return true
    }

    /// Bits between the starts of two lanes; nil near the end, where one reader does all.
    private var laneSpacing: UInt64? {
        guard remaining >= DifferenceLanes.count * Self.capacity, !reader.isBeyondEnd else { return nil }
        // As many bits a difference as there still are.
        let spacing = UInt64(Self.laneLength) * (bitCount - reader.position) / UInt64(remaining)
        guard spacing > 0, reader.position + UInt64(DifferenceLanes.count) * spacing <= bitCount else { return nil }
        return spacing
    }

    private mutating func readAlone(_ wanted: Int, into target: UnsafeMutablePointer<UInt16>) -> Bool {
        for index in 0..<wanted {
            target[index] = UInt16(truncatingIfNeeded: reader.anyDifference(table))
            if reader.isBeyondEnd || reader.metUnknownCode { return false }
        }
        remaining -= wanted
        return true
    }
}

// MARK: - One round

extension DifferenceStream {
    /// Where a lane was before it passed the start of the next one.
    private struct Checkpoint {
        var position: UInt64
        var index: Int
        var isPast = false
    }

    /// - Returns: false where the data is damaged.
    private mutating func decodeLanes(_ spacing: UInt64) -> Bool {
        let first = reader.position
        lanes.start(at: first, spacing: spacing)
        let lookup = DifferenceTable.Lookup(table)
        rememberBoundaries(lookup)
        var checkpoints = (0..<DifferenceLanes.count).map {
            Checkpoint(position: lanes.position($0), index: Self.boundaries)
        }
        var index = Self.boundaries
        // All lanes but the last have a next one to reach.
        while index + Self.block <= Self.capacity, !checkpoints.dropLast().allSatisfy(\.isPast) {
            lanes.decode(start, lookup, pairs: Self.block / 2, from: index)
            index += Self.block
            for lane in checkpoints.indices where !checkpoints[lane].isPast {
                let position = lanes.position(lane)
                if position >= first + UInt64(lane + 1) * spacing {
                    checkpoints[lane].isPast = true
                } else {
                    checkpoints[lane] = Checkpoint(position: position, index: index)
                }
            }
        }
        checkpoints[DifferenceLanes.count - 1] = Checkpoint(
            position: lanes.position(DifferenceLanes.count - 1), index: index)
        return joinLanes(checkpoints)
    }

    private mutating func rememberBoundaries(_ lookup: DifferenceTable.Lookup) {
        for index in stride(from: 0, to: Self.boundaries, by: 2) {
            for lane in 0..<DifferenceLanes.count {
                // The pair's second boundary is where a reader of one difference would be.
                let position = lanes.position(lane)
                var alone = DifferenceReader(start, at: position)
                _ = alone.anyDifference(table)
                found[lane * Self.boundaries + index] = position
                found[lane * Self.boundaries + index + 1] = alone.position
            }
            lanes.decode(start, lookup, pairs: 1, from: index)
        }
    }

    /// Goes on with each lane until it meets the next one.
    private mutating func joinLanes(_ checkpoints: [Checkpoint]) -> Bool {
        var from = 0
        for (lane, checkpoint) in checkpoints.enumerated() {
            guard !lanes.metUnknownCode(lane) else { return lane > 0 }
            var alone = DifferenceReader(start, at: checkpoint.position)
            var index = checkpoint.index
            let met = lane + 1 < DifferenceLanes.count ? meet(lane, &alone, &index) : nil
            guard !alone.metUnknownCode else { return false }
            parts.append((lane, from..<index))
            remaining -= index - from
            reader.move(to: alone.position)
            guard let met else { return true }
            from = met
        }
        return true
    }

    /// - Returns: which of the next lane's boundaries was met; nil for none.
    private func meet(_ lane: Int, _ alone: inout DifferenceReader, _ index: inout Int) -> Int? {
        let next = found + (lane + 1) * Self.boundaries
        var boundary = 0
        while true {
            while next[boundary] < alone.position {
                boundary += 1
                guard boundary < Self.boundaries else { return nil }
            }
            if next[boundary] == alone.position { return boundary }
            guard index < Self.capacity else { return nil }
            lanes.lane(lane)[index] = UInt16(truncatingIfNeeded: alone.anyDifference(table))
            index += 1
        }
    }
}
