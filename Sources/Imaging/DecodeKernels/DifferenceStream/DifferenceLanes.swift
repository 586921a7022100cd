/// Six readers of one stream, decoded in parallel into separate buffers. A single reader mostly waits for its previous
/// look-up; six in one loop do six times the work in about twice the time.
struct DifferenceLanes: ~Copyable {
    static let count = 6

    /// In bits.
    typealias Positions = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    private(set) var positions: Positions
    /// Lane by lane.
    private let differences: UnsafeMutablePointer<UInt16>
    private let capacity: Int
    /// By lane, true after an unknown code.
    private let unknown: UnsafeMutablePointer<Bool>

    init(capacity: Int) {
        self.capacity = capacity
        differences = .allocate(capacity: Self.count * capacity)
        unknown = .allocate(capacity: Self.count)
        unknown.initialize(repeating: false, count: Self.count)
        positions = (0, 0, 0, 0, 0, 0)
    }

    deinit {
        differences.deallocate()
        unknown.deallocate()
    }

    func lane(_ index: Int) -> UnsafeMutablePointer<UInt16> { differences + index * capacity }

    func metUnknownCode(_ lane: Int) -> Bool { unknown[lane] }

    func position(_ lane: Int) -> UInt64 {
        switch lane {
        case 0: positions.0
        case 1: positions.1
        case 2: positions.2
        case 3: positions.3
        case 4: positions.4
        default: positions.5
        }
    }

    /// Places the lanes `spacing` bits apart.
    mutating func start(at first: UInt64, spacing: UInt64) {
        positions = (
            first, first &+ spacing, first &+ 2 &* spacing, first &+ 3 &* spacing, first &+ 4 &* spacing,
            first &+ 5 &* spacing
        )
        unknown.update(repeating: false, count: Self.count)
    }

    /// Decodes `2 * pairs` differences in each lane, starting at index `first`. The stream's bytes are readable as far
    /// as these differences can reach, and the caller keeps the table alive.
    mutating func decode(
        _ start: UnsafePointer<UInt8>, _ table: DifferenceTable.Lookup, pairs: Int, from first: Int
    ) {
        if table.table.hasShifts {
            decode(start, table, pairs, first, hasShifts: true)
        } else {
            decode(start, table, pairs, first, hasShifts: false)
        }
    }

    @inline(__always)
    private mutating func decode(
        _ start: UnsafePointer<UInt8>, _ table: DifferenceTable.Lookup, _ pairs: Int, _ first: Int, hasShifts: Bool
    ) {
        var (a, b, c, d, e, f) = positions
        let target = differences + first
        for pair in 0..<pairs {
            let next = target + 2 * pair
            decodePair(start, table, hasShifts, &a, 0, next)
            decodePair(start, table, hasShifts, &b, 1, next)
            decodePair(start, table, hasShifts, &c, 2, next)
            decodePair(start, table, hasShifts, &d, 3, next)
            decodePair(start, table, hasShifts, &e, 4, next)
            decodePair(start, table, hasShifts, &f, 5, next)
        }
        positions = (a, b, c, d, e, f)
    }

    @inline(__always)
    private func decodePair(
        _ start: UnsafePointer<UInt8>, _ table: DifferenceTable.Lookup, _ hasShifts: Bool,
        _ position: inout UInt64, _ lane: Int, _ next: UnsafeMutablePointer<UInt16>
    ) {
        let (used, first, second) =
            hasShifts
            ? DifferenceReader.shiftedPair(start, table, position) : DifferenceReader.pair(start, table, position)
        let target = next + lane * capacity
        if _slowPath(used == 0) {
            position = Self.decodeAnyPair(start, table, position, target, unknown + lane)
        } else {
            position &+= used
            target[0] = first
            target[1] = second
        }
    }

    @inline(never)
    private static func decodeAnyPair(
        _ start: UnsafePointer<UInt8>, _ table: DifferenceTable.Lookup, _ position: UInt64,
        _ target: UnsafeMutablePointer<UInt16>, _ unknown: UnsafeMutablePointer<Bool>
    ) -> UInt64 {
        var reader = DifferenceReader(start, at: position)
        target[0] = UInt16(truncatingIfNeeded: reader.anyDifference(table.table))
        target[1] = UInt16(truncatingIfNeeded: reader.anyDifference(table.table))
        if reader.metUnknownCode { unknown.pointee = true }
        return reader.position
    }
}
