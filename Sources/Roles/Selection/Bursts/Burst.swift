/// The properties that photos of a burst share: a look, a folder of `photos/`, a camera.
///
/// The tables have no serial numbers of cameras. Two bodies of one model usually have different file names or cards,
/// and so different folders; if both take photos in the same second in one folder, they make one burst.
struct BurstPlace: Hashable, Sendable {
    let variant: String
    let folder: [UInt8]
    let make: String
    let model: String
}

struct BurstShot: Hashable, Sendable {
    let place: Int
    let second: Int64
    /// The stars; 0 if unknown.
    let rating: Int
    /// Orders photos; smaller numbers come first.
    let order: Int
}

/// Finds bursts: photos of one place, each taken in the same second as another or in the next. So they are less than
/// two seconds apart on the camera's clock; the tables have no fractions of seconds. The result does not depend on the
/// photos' order.
enum Bursts {
    /// No camera takes more photos in a second. A time shared by more photos did not come from a clock.
    static let maxPerSecond = 250

    /// Calls `body` with each burst: the first of its photos with the most stars, and their number. A single photo is a
    /// burst of one.
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
