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

    /// Maps `count` values of light, none negative; those of 16 and above count as just below 16.
    func map(_ light: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>, count: Int) {
        let entries = entries
        let first = Self.offset.bitPattern >> Self.shift
        for x in 0..<count {
            let v = light[x] < Self.ceiling ? light[x] : Self.ceiling
            let index = ((v + Self.offset).bitPattern >> Self.shift) &- first
            result[x] = entries[Int(truncatingIfNeeded: index)]
        }
    }
}
