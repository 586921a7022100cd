/// A function of linear light as a one-dimensional LUT (`LightLUTIndex`): the result is the function at the middle of a
/// cell, within 0.2 of an 8-bit step for the curves here.
///
/// `@unchecked Sendable`: the memory is written only in `init`, and freed with the LUT.
package final class LightLUT: LightMapping, @unchecked Sendable {
    private let entries: UnsafePointer<Float>

    /// The function is of light, 0…16. Entry 0 is exactly `function(0)`.
    package init(_ function: (SIMD8<Double>) -> SIMD8<Double>) {
        let table = UnsafeMutablePointer<Float>.allocate(capacity: LightLUTIndex.count)
        for start in stride(from: 0, to: LightLUTIndex.count, by: 8) {
            let last = min(start + 8, LightLUTIndex.count) - 1
            var light = SIMD8<Double>.zero
            for i in start...last { light[i - start] = LightLUTIndex.light(i) }
            let values = function(light)
            for i in start...last { table[i] = Float(values[i - start]) }
        }
        entries = UnsafePointer(table)
    }

    deinit { entries.deallocate() }

    /// One of `LightLUTIndex.count` entries.
    package subscript(index: Int) -> Float {
        guard (0..<LightLUTIndex.count).contains(index) else { return 0 }
        return entries[index]
    }

    package func map(_ light: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>, count: Int) {
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: Self.piece) { scratch in
            guard let indices = scratch.baseAddress else { return }
            for start in stride(from: 0, to: count, by: Self.piece) {
                let length = min(Self.piece, count - start)
                LightLUTIndex.find(light + start, indices, length)
                fetch(indices, result + start, length)
            }
        }
    }

    /// Replaces amounts of light, none negative, with their values.
    package func map(_ light: inout [Float]) {
        light.withUnsafeMutableBufferPointer { light in
            if let first = light.baseAddress { map(first, into: first, count: light.count) }
        }
    }

    private static let piece = 512

    private func fetch(_ indices: UnsafePointer<UInt16>, _ result: UnsafeMutablePointer<Float>, _ count: Int) {
        let entries = entries
        for x in 0..<count { result[x] = entries[Int(indices[x])] }
    }
}
