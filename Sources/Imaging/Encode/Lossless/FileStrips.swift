/// Assigns file offsets to coded strips that arrive in any order.
///
/// A strip that follows the last one is appended. An early strip is placed where it would begin if all strips before it
/// had their worst-case size, and is moved at the end. The file's bytes therefore depend only on the strips, and no
/// strip waits in memory.
///
/// A value behind a lock: it computes offsets, and its owner writes.
struct FileStrips {
    private struct Place {
        var offset: Int
        let byteCount: Int
    }

    private let start: Int
    private let worstCase: Int
    private var places: [Place?]
    /// The next strip to append, and its offset.
    private var next = 0
    private(set) var end: Int

    init(count: Int, from start: Int, worstCase: Int) {
        self.start = start
        self.worstCase = worstCase
        places = Array(repeating: nil, count: count)
        end = start
    }

    var isComplete: Bool { !places.contains { $0 == nil } }

    /// Adds a strip.
    ///
    /// - Returns: its offset; nil for a duplicate, or an index or size out of range.
    mutating func add(_ index: Int, byteCount: Int) -> Int? {
        guard places.indices.contains(index), places[index] == nil, byteCount <= worstCase else { return nil }
        let isNext = index == next
        let offset = isNext ? end : start + index * worstCase
        places[index] = Place(offset: offset, byteCount: byteCount)
        if isNext {
            next += 1
            end += byteCount
        }
        return offset
    }

    /// Takes the next strip that is not in its final place.
    ///
    /// - Returns: the copy to perform, always towards the start of the file; nil when all strips are in place.
    mutating func move() -> (from: Int, to: Int, byteCount: Int)? {
        while next < places.count, var place = places[next] {
            let from = place.offset
            place.offset = end
            places[next] = place
            next += 1
            end += place.byteCount
            if from != place.offset { return (from, place.offset, place.byteCount) }
        }
        return nil
    }
}
