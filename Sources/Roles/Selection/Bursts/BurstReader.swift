internal import Database
internal import Jobs
internal import LibraryTables

/// Finds the bursts of photos by an index of times: it reads the seconds around each photo, and continues while the
/// next second has photos of the same burst. Bursts are not stored, so late, repeated and removed photos need no
/// update.
struct BurstReader {
    struct Member: Hashable {
        let path: RelativePath
        let asset: Int64
    }

    private struct Cell: Hashable {
        let place: Int
        let second: Int64
    }

    private struct Found {
        let member: Member
        let rating: Int
    }

    private let database: LibraryDatabase
    /// Makes a query for photos taken in the given seconds.
    private let query: (_ seconds: SQLFragment) throws -> PhotoQuery
    private var places: [BurstPlace: Int] = [:]
    private var cells: [Cell: [Found]] = [:]
    private var known: Set<Int64> = []

    /// - Parameter query: the photos that may form bursts and meet a condition.
    init(_ database: LibraryDatabase, _ query: @escaping (_ seconds: SQLFragment) throws -> PhotoQuery) {
        self.database = database
        self.query = query
    }

    /// The bursts of photos with these places and times: members ordered by path, and the one in front.
    mutating func bursts(
        around photos: [(place: BurstPlace, second: CaptureSecond)]
    ) throws -> [(front: Member, members: [Member])] {
        var open = Set(photos.map { Cell(place: number(of: $0.place), second: $0.second.number) })
        var reached: Set<Cell> = []
        var ahead: Int64 = 1
        while !open.isEmpty {
            try read(open, ahead: ahead)
            // Long bursts then need few queries.
            ahead = min(ahead * 2, 256)
            var queue = Array(open)
            open.removeAll()
            while let cell = queue.popLast() {
                guard known.contains(cell.second) else {
                    open.insert(cell)
                    continue
                }
                guard isPart(cell), reached.insert(cell).inserted else { continue }
                queue.append(Cell(place: cell.place, second: cell.second - 1))
                queue.append(Cell(place: cell.place, second: cell.second + 1))
            }
        }
        return bursts(of: reached)
    }

    private func isPart(_ cell: Cell) -> Bool { (1...Bursts.maxPerSecond).contains(cells[cell]?.count ?? 0) }

    private func bursts(of reached: Set<Cell>) -> [(front: Member, members: [Member])] {
        let found = reached.flatMap { cell in (cells[cell] ?? []).map { (cell, $0) } }
            .sorted { $0.1.member.path < $1.1.member.path }
        let shots = found.enumerated().map { order, element in
            BurstShot(
                place: element.0.place, second: element.0.second, rating: element.1.rating, order: order)
        }
        var bursts: [(front: Member, members: [Member])] = []
        Bursts.each(of: shots) { front, members in
            bursts.append(
                (found[front.order].1.member, members.map(\.order).sorted().map { found[$0].1.member }))
        }
        return bursts
    }

    private mutating func number(of place: BurstPlace) -> Int {
        if let number = places[place] { return number }
        places[place] = places.count
        return places.count - 1
    }

    /// Reads unknown seconds, with some before and after each.
    private mutating func read(_ open: Set<Cell>, ahead: Int64) throws {
        var seconds: Set<Int64> = []
        for cell in open {
            for second in cell.second - ahead...cell.second + ahead where !known.contains(second) {
                seconds.insert(second)
            }
        }
        known.formUnion(seconds)
        let texts = seconds.sorted().map { "\"\(CaptureSecond(number: $0).text)\"" }
        let condition = SQLFragment(
            "r.captured IN (SELECT value FROM json_each(?))", [.text("[" + texts.joined(separator: ",") + "]")],
            index: .capture)
        let rows = try query(condition).rows
        try database.perform { connection in
            try connection.each(
                "SELECT t.path, t.look, r.captured, r.make, r.model, r.rating, t.asset \(rows.sql)", values: rows.values
            ) { row in
                guard let second = CaptureSecond(row.text(2)) else { return }
                let path = try row.path(0)
                let place = BurstPlace(
                    variant: row.text(1), folder: path.folder?.bytes ?? [], make: row.text(3), model: row.text(4))
                cells[Cell(place: number(of: place), second: second.number), default: []].append(
                    Found(member: Member(path: path, asset: row.integer(6)), rating: Int(row.integer(5))))
            }
        }
    }
}
