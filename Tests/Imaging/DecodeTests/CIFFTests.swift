import Testing

@testable import Decode

@Suite("Canon's heaps") struct CIFFTests {
    /// A file with one heap whose records all refer to the heap itself.
    private func file(recordCount: Int) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let header = Array("II".utf8) + little(14, 4) + Array("HEAPCCDR".utf8)
        let length = 2 + recordCount * 10 + 4
        let records = (0..<recordCount).flatMap { _ in little(0x3004, 2) + little(length, 4) + little(0, 4) }
        return header + little(recordCount, 2) + records + little(0, 4)
    }

    @Test("Nested heaps are abandoned, however often they are referenced", arguments: [2, 40, 6000])
    func nested(recordCount: Int) throws {
        let heap = try file(recordCount: recordCount).withUnsafeBytes { try #require(CIFFFile($0)) }
        #expect(!heap.isWhole)
    }
}
