import DecodeKernels
import Pixels
import Testing

@Suite("Eight-bit samples mapped by tables") struct MappedSampleTests {
    private static let tables: [[UInt16]] = (1...3).map { factor in (0..<256).map { UInt16($0 * 80 * factor) } }
    private static let samples = (0..<72).map { UInt8(truncatingIfNeeded: $0 * 83) }

    @Test("Each sample of a pixel is mapped by its channel's table", arguments: 0...3)
    func channels(tables count: Int) throws {
        let tables = Array(Self.tables.prefix(count))
        // A tile of four by six pixels, of which three by five lie inside the plane.
        let plane = Plane<UInt16>(width: 9, height: 5)
        let slice = PlaneSlice(x: 0, y: 0, width: 12, height: 5)
        let target = try #require(SliceTarget([slice], in: SampleArea(plane)))
        guard let mapped = MappedSamples(by: tables, rowSamples: 12) else {
            #expect(count == 2)
            return
        }
        #expect(mapped.unpack(Self.samples, to: target))
        for y in 0..<5 {
            for x in 0..<9 {
                let sample = Self.samples[12 * y + x]
                let expected = tables.isEmpty ? UInt16(sample) : tables[x % count][Int(sample)]
                let found = plane.row(y)[x]
                #expect(found == expected)
            }
        }
    }

    @Test("Equal tables for all channels count as one table")
    func sameTables() throws {
        let once = try plane(by: 1)
        let thrice = try plane(by: 3)
        let difference = firstDifference(once, thrice)
        #expect(difference == nil)
    }

    private func plane(by count: Int) throws -> Plane<UInt16> {
        let plane = Plane<UInt16>(width: 12, height: 6)
        let slice = PlaneSlice(x: 0, y: 0, width: 12, height: 6)
        let target = try #require(SliceTarget([slice], in: SampleArea(plane)))
        let mapped = MappedSamples(by: [[UInt16]](repeating: Self.tables[2], count: count), rowSamples: 12)
        #expect(mapped?.unpack(Self.samples, to: target) == true)
        return plane
    }

    @Test("Too few samples, half rows, half pixels, and tables of another length are refused")
    func refusals() throws {
        let plane = Plane<UInt16>(width: 12, height: 6)
        let slice = PlaneSlice(x: 0, y: 0, width: 12, height: 6)
        let target = try #require(SliceTarget([slice], in: SampleArea(plane)))
        #expect(MappedSamples(by: [], rowSamples: 12)?.unpack(Array(Self.samples.dropLast()), to: target) == false)
        #expect(MappedSamples(by: [], rowSamples: 15)?.unpack(Self.samples, to: target) == false)
        #expect(MappedSamples(by: Self.tables, rowSamples: 16) == nil)
        #expect(MappedSamples(by: [], rowSamples: 0) == nil)
        #expect(MappedSamples(by: [[0]], rowSamples: 12) == nil)
    }
}
