/// Where a value of light stands in a table that is indexed by the bits of a float: fine steps in the dark, relative
/// ones above, as the eye has it. One addition and one shift find the place, the same on every processor.
///
/// Cells are 2⁻¹⁷ wide at black and at most 0.2 % of the value.
enum LightIndex {
    static let offset: Float = 1.0 / 256
    private static let shift: UInt32 = 14
    private static let first = offset.bitPattern >> shift
    /// Light of 16 and above counts as just below 16.
    private static let ceiling: Float = 15.99

    /// Entries of a table.
    static let count = Int(((ceiling + offset).bitPattern >> shift) - first) + 1

    /// The light a table's entry stands for: the middle of its cell; exactly 0 for the first.
    static func light(_ index: Int) -> Double {
        if index == 0 { return 0 }
        let low = Float(bitPattern: (first + UInt32(index)) << shift)
        let high = Float(bitPattern: (first + UInt32(index) + 1) << shift)
        return (Double(low) + Double(high)) / 2 - Double(offset)
    }

    /// The entry of one light, not negative.
    @inline(__always)
    static func index(_ light: Float) -> UInt16 {
        let held = light < ceiling ? light : ceiling
        return UInt16(truncatingIfNeeded: ((held + offset).bitPattern >> shift) &- first)
    }

    /// The entries of `count` values. A loop apart from fetching, because only this one can be made of vectors.
    static func find(_ light: UnsafePointer<Float>, _ indices: UnsafeMutablePointer<UInt16>, _ count: Int) {
        for x in 0..<count { indices[x] = index(light[x]) }
    }
}
