/// Places the coded strips of a picture in a file in any order of arrival.
///
/// A strip that comes after the one before it is appended. One that comes earlier is put where it would begin if all
/// before it were as large as they can become, and moved when all are there. So the file's bytes depend on the strips
/// alone, and no strip waits in memory.
///
/// It is a value behind a lock: it says where bytes go, and its owner writes them.
struct FileStrips {
    /// A strip in the file.
    private struct Place {
        var offset: Int
        let byteCount: Int
    }

    /// Bytes before the first strip.
    private let start: Int
    /// The most bytes that a strip can take.
    private let worstCase: Int
    private var places: [Place?]
    /// The strip to append, and where.
    private var next = 0
    private(set) var end: Int

    init(count: Int, from start: Int, worstCase: Int) {
        self.start = start
        self.worstCase = worstCase
        places = Array(repeating: nil, count: count)
        end = start
    }

    /// True when all strips have come.
    var isComplete: Bool { !places.contains { $0 == nil } }

    /// Takes a strip.
    ///
    /// - Returns: where it has to be written; nil for a strip that came before or does not belong to the picture.
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

    /// Moves the next strip that is not where it belongs.
    ///
    /// - Returns: from where it has to be copied to where, always forwards in the file; nil when all are in their
    ///   places.
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
