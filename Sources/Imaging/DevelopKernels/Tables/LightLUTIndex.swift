/// Index of linear light in a LUT, from the bits of a float: fixed steps in the dark and relative steps above, like the
/// eye's. One addition and one shift find it, with the same result on every processor. Cells are 2⁻¹⁷ wide at black and
/// at most 0.2 % of the value.
package enum LightLUTIndex {
    /// Added to light before its bits are taken.
    static let offset: Float = 1.0 / 256
    private static let shift: UInt32 = 14
    private static let first = offset.bitPattern >> shift
    /// Light of 16 and above counts as just below 16.
    private static let ceiling: Float = 15.99

    /// Entries of a LUT.
    package static let count = Int(((ceiling + offset).bitPattern >> shift) - first) + 1

    /// The light of an entry: the middle of its cell; exactly 0 for the first.
    package static func light(_ index: Int) -> Double {
        if index == 0 { return 0 }
        let low = Float(bitPattern: (first + UInt32(index)) << shift)
        let high = Float(bitPattern: (first + UInt32(index) + 1) << shift)
        return (Double(low) + Double(high)) / 2 - Double(offset)
    }

    /// The light at an entry's lower edge; 0 for the first.
    static func edge(_ index: Int) -> Double {
        Double(Float(bitPattern: (first + UInt32(index)) << shift)) - Double(offset)
    }

    /// Steps of a float in a cell.
    static let stepsPerCell: UInt32 = 1 << shift

    /// The index of non-negative light, and its position in the cell.
    @inline(__always)
    static func place(_ light: Float) -> (cell: UInt32, step: UInt32) {
        let clamped = light < ceiling ? light : ceiling
        let bits = (clamped + offset).bitPattern
        return ((bits >> shift) &- first, bits & (stepsPerCell - 1))
    }

    /// The index of non-negative light.
    @inline(__always)
    package static func index(_ light: Float) -> UInt16 {
        let clamped = light < ceiling ? light : ceiling
        return UInt16(truncatingIfNeeded: ((clamped + offset).bitPattern >> shift) &- first)
    }

    /// The indices of `count` amounts of light. Separate from fetching the entries, because only this loop can be
    /// vectorised.
    static func find(_ light: UnsafePointer<Float>, _ indices: UnsafeMutablePointer<UInt16>, _ count: Int) {
        for x in 0..<count { indices[x] = index(light[x]) }
    }
}
