/// A function of light as a table (`LightIndex`): the result is the function at a cell's middle. For the curves here
/// that is within 0.2 of an 8-bit step.
///
/// Unchecked because of the pointer: what it points to is written once, in `init`, and freed with the table.
final class LightTable: @unchecked Sendable {
    private let entries: UnsafePointer<Float>

    /// - Parameter function: from light 0…16 to what the table gives; entry 0 is exactly `function(0)`.
    init(_ function: (SIMD8<Double>) -> SIMD8<Double>) {
        let table = UnsafeMutablePointer<Float>.allocate(capacity: LightIndex.count)
        for start in stride(from: 0, to: LightIndex.count, by: 8) {
            let last = min(start + 8, LightIndex.count) - 1
            var light = SIMD8<Double>.zero
            for i in start...last { light[i - start] = LightIndex.light(i) }
            let values = function(light)
            for i in start...last { table[i] = Float(values[i - start]) }
        }
        entries = UnsafePointer(table)
    }

    deinit { entries.deallocate() }

    /// One of `LightIndex.count` entries.
    subscript(index: Int) -> Float { entries[index] }

    /// The value for one light, not negative.
    func value(_ light: Float) -> Float { entries[Int(LightIndex.index(light))] }

    /// Maps `count` values of light, none negative; those of 16 and above count as just below 16.
    func map(_ light: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>, count: Int) {
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: Self.piece) { scratch in
            guard let indices = scratch.baseAddress else { return }
            for start in stride(from: 0, to: count, by: Self.piece) {
                let length = min(Self.piece, count - start)
                LightIndex.find(light + start, indices, length)
                fetch(indices, result + start, length)
            }
        }
    }

    private static let piece = 512

    private func fetch(_ indices: UnsafePointer<UInt16>, _ result: UnsafeMutablePointer<Float>, _ count: Int) {
        let entries = entries
        for x in 0..<count { result[x] = entries[Int(indices[x])] }
    }
}
