/// A function of light as a table that is indexed by the bits of a float: fine steps in the dark, relative ones above,
/// as the eye has it. One addition and one shift find the entry, the same on every processor.
///
/// Cells are 2⁻¹⁷ wide at black and at most 0.2 % of the value; the result is the function at a cell's middle. For the
/// curves here that is within 0.2 of an 8-bit step.
///
/// Unchecked because of the pointer: what it points to is written once, in `init`, and freed with the table.
final class LightTable: @unchecked Sendable {
    private static let offset: Float = 1.0 / 256
    private static let shift: UInt32 = 14
    private static let ceiling: Float = 15.99

    private let entries: UnsafePointer<Float>

    /// - Parameter function: from light 0…16 to what the table gives; entry 0 is exactly `function(0)`.
    init(_ function: (Double) -> Double) {
        let first = Self.offset.bitPattern >> Self.shift
        let count = Int(((Self.ceiling + Self.offset).bitPattern >> Self.shift) - first) + 1
        let table = UnsafeMutablePointer<Float>.allocate(capacity: count)
        for i in 0..<count {
            let low = Float(bitPattern: (first + UInt32(i)) << Self.shift)
            let high = Float(bitPattern: (first + UInt32(i) + 1) << Self.shift)
            let middle = (Double(low) + Double(high)) / 2 - Double(Self.offset)
            table[i] = Float(function(i == 0 ? 0 : middle))
        }
        entries = UnsafePointer(table)
    }

    deinit { entries.deallocate() }

    /// The value for one light, not negative.
    func value(_ light: Float) -> Float {
        let v = light < Self.ceiling ? light : Self.ceiling
        return entries[Int(((v + Self.offset).bitPattern >> Self.shift) &- (Self.offset.bitPattern >> Self.shift))]
    }

    /// Maps `count` values of light, none negative; those of 16 and above count as just below 16.
    func map(_ light: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>, count: Int) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.piece) { scratch in
            guard let indices = scratch.baseAddress else { return }
            for start in stride(from: 0, to: count, by: Self.piece) {
                let length = min(Self.piece, count - start)
                Self.find(light + start, indices, length)
                fetch(indices, result + start, length)
            }
        }
    }

    /// Finding and fetching are two loops, because only the first can be made of vectors.
    private static let piece = 512

    private static func find(_ light: UnsafePointer<Float>, _ indices: UnsafeMutablePointer<UInt32>, _ count: Int) {
        let first = offset.bitPattern >> shift
        for x in 0..<count {
            let v = light[x] < ceiling ? light[x] : ceiling
            indices[x] = ((v + offset).bitPattern >> shift) &- first
        }
    }

    private func fetch(_ indices: UnsafePointer<UInt32>, _ result: UnsafeMutablePointer<Float>, _ count: Int) {
        let entries = entries
        for x in 0..<count { result[x] = entries[Int(truncatingIfNeeded: indices[x])] }
    }
}
