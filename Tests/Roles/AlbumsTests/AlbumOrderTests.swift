import Testing

@testable import Albums

@Suite("Positions in an album") struct AlbumOrderTests {
    @Test("Positions are between their neighbours, in ascending order, or missing")
    func between() throws {
        for (low, high) in [
            (nil, nil), (nil, 5), (7, nil), (0, 1 << 20), (-3, 3), (Int64.max - 5, nil), (nil, Int64.min + 5),
            (Int64.min, Int64.max), (4, 5), (4, 7),
        ] as [(Int64?, Int64?)] {
            for count in [0, 1, 2, 5, 1000] {
                guard let positions = AlbumOrder.positions(count: count, after: low, before: high)
                else { continue }
                #expect(positions.count == count)
                #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
                if let low { #expect(positions.allSatisfy { $0 > low }) }
                if let high { #expect(positions.allSatisfy { $0 < high }) }
            }
        }
    }

    @Test("A gap that is too small has no positions, and the ends always have some")
    func small() {
        #expect(AlbumOrder.positions(count: 1, after: 4, before: 5) == nil)
        #expect(AlbumOrder.positions(count: 2, after: 4, before: 7) == [5, 6])
        #expect(AlbumOrder.positions(count: 1, after: .max, before: nil) == nil)
        #expect(AlbumOrder.positions(count: 3, after: nil, before: nil)?.count == 3)
        #expect(AlbumOrder.positions(count: 3, after: 10, before: nil)?.first == 10 + AlbumOrder.step)
    }
}
