import Pixels
import Testing

@Suite("Scratch rows")
struct ScratchRowsTests {
    @Test("Rows begin on a vector boundary, are zero, and their margins do not overlap")
    func rowsAreApart() {
        for count in [1, 15, 16, 17, 100, 512] {
            let store = ScratchRows(rows: 3, count: count)
            for row in 0..<3 {
                #expect(UInt(bitPattern: store.row(row)) % 64 == 0)
                for x in -ScratchRows.margin..<(count + ScratchRows.margin) {
                    #expect(store.row(row)[x] == 0)
                    store.row(row)[x] = Float(row)
                }
            }
            for row in 0..<3 {
                let isOwn = (-ScratchRows.margin..<(count + ScratchRows.margin)).allSatisfy {
                    store.row(row)[$0] == Float(row)
                }
                #expect(isOwn)
            }
        }
    }
}
