/// What photos have in common that may be of one burst: a look, a folder of `photos/`, a camera.
///
/// The library's tables do not know cameras' serial numbers. Bodies of one model name their files differently or have cards, and
/// so folders, of their own; two that fire in the same second into one folder make one burst.
struct BurstPlace: Hashable, Sendable {
    /// The look, with what else tells a file of `photos/` from others of its RAW.
    let variant: String
    let folder: [UInt8]
    let make: String
    let model: String
}

/// A photo, as far as bursts ask for it.
struct BurstShot: Hashable, Sendable {
    /// Which `BurstPlace`, as a number.
    let place: Int
    let second: Int64
    /// The stars; 0 where they are not known.
    let rating: Int
    /// Stands before photos with greater numbers.
    let order: Int
}

/// Finds bursts: photos of one place each of which was taken in the same second as another, or in the one after it.
///
/// So they are less than two seconds apart on the camera's clock, whose fractions of seconds the tables do not have. The result
/// follows from the photos alone, and not from the order in which they came.
enum Bursts {
    /// No camera makes more photos in a second. A time that more photos have was not told by a clock.
    static let maxPerSecond = 250

    /// Calls `body` with each burst: its photo in front, which has most stars, and of these stands first; and the number of all.
    /// A photo alone is a burst of one.
    static func each(
        of shots: [BurstShot], _ body: (_ front: BurstShot, _ members: ArraySlice<BurstShot>) throws -> Void
    ) rethrows {
        let shots = shots.sorted { ($0.place, $0.second, $0.order) < ($1.place, $1.second, $1.order) }
        var start = 0
        func end(_ next: Int) throws {
            if next > start, let front = shots[start..<next].min(by: { ($1.rating, $0.order) < ($0.rating, $1.order) })
            {
                try body(front, shots[start..<next])
            }
            start = next
        }
        var index = 0
        while index < shots.count {
            let (place, second) = (shots[index].place, shots[index].second)
            var next = index + 1
            while next < shots.count, shots[next].place == place, shots[next].second == second { next += 1 }
            if next - index > maxPerSecond {
                try end(index)
                for single in index..<next { try end(single + 1) }
            } else if index > start, place != shots[index - 1].place || second > shots[index - 1].second + 1 {
                try end(index)
            }
            index = next
        }
        try end(shots.count)
    }
}
