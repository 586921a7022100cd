/// Differences of one long Huffman-coded stream, decoded at six places at once.
///
/// A code's start is known only after the previous code is read. But Huffman codes are self-synchronising: a decoder
/// that starts at any bit soon meets a true boundary and is correct from there (S. T. Klein and Y. Wiseman, "Parallel
/// Huffman Decoding with Applications to JPEG Files", The Computer Journal 46, 2003). So five lanes start ahead at
/// guessed bits and record their first boundaries. The first lane is correct from its start. It continues until it
/// meets a boundary of the second lane, which is thereby correct from there, and so on. If a lane is never met, its
/// output is discarded and the next round starts before it. For any bytes, the differences equal those of a single
/// reader.
struct DifferenceStream: ~Copyable {
    /// Approximate differences per lane and round.
    private static let laneLength = 8192
    /// Boundaries that a lane records. Fewer than one guess in ten thousand synchronises later.
    private static let boundaries = 64
    /// Differences between two checks of a lane's position.
    private static let block = 64
    private static let capacity = boundaries + laneLength * 5 / 4
    /// Minimum length at which several lanes are busy most of the time.
    static let worthwhileCount = 4 * DifferenceLanes.count * capacity

    /// Bytes that may be read beyond the data: a lane may start just before the end.
    static let slack = capacity * DifferenceReader.maxBytesPerSample + DifferenceReader.slack

    private let start: UnsafePointer<UInt8>
    private let bitCount: UInt64
    private let table: DifferenceTable
    private var reader: DifferenceReader
    /// Differences not yet decoded.
    private var remaining: Int
    private var lanes = DifferenceLanes(capacity: capacity)
    /// First boundaries, by lane.
    private let found: UnsafeMutablePointer<UInt64>
    /// Decoded but unread ranges, in order.
    private var parts: [(lane: Int, range: Range<Int>)] = []

    /// The data is loaded with `slack` and stays in place. `position` is the start of the first difference, in bits.
    init(_ data: borrowing EntropyData, _ table: DifferenceTable, count: Int, at position: UInt64 = 0) {
        start = UnsafePointer(data.start)
        bitCount = UInt64(data.count) * 8
        self.table = table
        reader = DifferenceReader(data, at: position)
        remaining = count
        found = .allocate(capacity: DifferenceLanes.count * Self.boundaries)
    }

    deinit { found.deallocate() }

    /// Whether more bits were used than exist; definite only after the last difference.
    var isBeyondEnd: Bool { reader.isBeyondEnd }

    /// Bits used; valid after the last difference.
    var position: UInt64 { reader.position }

    var isSpent: Bool { reader.isSpent }

    /// Reads the next differences, modulo 2¹⁶.
    ///
    /// - Parameter wanted: at most the announced differences not yet read.
    /// - Returns: false if the data is damaged: an unknown code, or far too few bits.
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

    /// Bits between the starts of two lanes; nil near the end, where a single reader suffices.
    private var laneSpacing: UInt64? {
        guard remaining >= DifferenceLanes.count * Self.capacity, !reader.isBeyondEnd else { return nil }
        // Assumes the remaining data's average bits per difference.
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
    /// A lane's state before it passes the next lane's start.
    private struct Checkpoint {
        var position: UInt64
        var index: Int
        var isPast = false
    }

    private mutating func decodeLanes(_ spacing: UInt64) -> Bool {
        let first = reader.position
        lanes.start(at: first, spacing: spacing)
        let lookup = DifferenceTable.Lookup(table)
        rememberBoundaries(lookup)
        var checkpoints = (0..<DifferenceLanes.count).map {
            Checkpoint(position: lanes.position($0), index: Self.boundaries)
        }
        var index = Self.boundaries
        // Each lane except the last must reach the next.
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
                // A reader of single differences also stops at the pair's second boundary.
                let position = lanes.position(lane)
                var alone = DifferenceReader(start, at: position)
                _ = alone.anyDifference(table)
                found[lane * Self.boundaries + index] = position
                found[lane * Self.boundaries + index + 1] = alone.position
            }
            lanes.decode(start, lookup, pairs: 1, from: index)
        }
    }

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

    /// The index of the next lane's boundary that was met; nil for none.
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
