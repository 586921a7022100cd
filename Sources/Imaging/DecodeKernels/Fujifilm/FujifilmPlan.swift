/// What the lines above say of a line's samples before any of its codes is read: vectors of it.
///
/// A sample in an even column is predicted from the line above and the one above that alone, so that its prediction and the
/// gradient by which its code is read are known; of one in an odd column, the half of them.
enum FujifilmPlan {
    /// An even column's prediction in the lower half, the gradient's magnitude above, and its sign in the highest bit.
    typealias Even = UInt32
    /// An odd column's northern neighbour in the lower half, in the next byte 1 where that is above both its own neighbours or
    /// below, and in the highest byte nine times the step to it.
    typealias Odd = UInt32

    static let gradientCount = 41
    private static let thresholds: (Int32, Int32, Int32) = (0x12, 0x43, 0x114)

    /// A step in nine classes: -4 to 4.
    @inline(__always)
    static func quantised(_ step: Int32) -> Int32 {
        let size = abs(step)
        // Signs instead of comparisons, of which the compiler would make masks that it has to keep in memory.
        let level =
            isLess(0, size) &+ isLess(thresholds.0 &- 1, size) &+ isLess(thresholds.1 &- 1, size)
            &+ isLess(thresholds.2 &- 1, size)
        let sign = step &>> 31
        return sign &- (level ^ sign)
    }

    /// All ones or none.
    @inline(__always)
    private static func isLess(_ one: Int32, _ other: Int32) -> Int32 { (one &- other) &>> 31 }

    /// A sample, and the one behind it above its 16 bits.
    @inline(__always)
    private static func two(_ line: UnsafePointer<UInt16>, _ x: Int) -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(line + x).loadUnaligned(as: UInt32.self))
    }

    @inline(__always)
    private static func low(_ two: UInt32) -> Int32 { Int32(bitPattern: two & 0xffff) }

    /// - Parameters:
    ///   - above: the line above, with a sample more at each end.
    ///   - farAbove: the line above that.
    ///   - count: how many even columns there are, and odd ones.
    static func make(
        above: UnsafePointer<UInt16>, farAbove: UnsafePointer<UInt16>, count: Int,
        even: UnsafeMutablePointer<Even>, odd: UnsafeMutablePointer<Odd>
    ) {
        for index in 0..<count {
            let here = two(above, 2 &* index)
            let (north, east) = (low(here), low(here &>> 16))
            let west = low(two(above, 2 &* index &- 1))
            let farNorth = low(two(farAbove, 2 &* index))
            let (westStep, farStep, eastStep) = (abs(west &- north), abs(farNorth &- north), abs(east &- north))
            // The neighbour that is the least alike does not count.
            let leastAlike =
                farNorth ^ ((farNorth ^ west) & isLess(max(farStep, eastStep), westStep))
                ^ ((farNorth ^ east) & isLess(max(farStep, westStep), eastStep))
            let prediction = (west &+ east &+ farNorth &- leastAlike &+ 2 &* north) &>> 2
            let gradient = 9 &* quantised(north &- farNorth) &+ quantised(west &- north)
            even[index] =
                UInt32(bitPattern: prediction) | UInt32(bitPattern: abs(gradient)) &<< 16
                | UInt32(bitPattern: gradient) & 1 &<< 31
        }
        for index in 0..<count {
            let here = two(above, 2 &* index)
            let (west, north) = (low(here), low(here &>> 16))
            let east = low(two(above, 2 &* index &+ 2))
            let isExtreme = isLess(max(west, east), north) | isLess(north, min(west, east))
            let gradient = 9 &* quantised(north &- west)
            odd[index] =
                UInt32(bitPattern: north) | UInt32(bitPattern: isExtreme & 1 &<< 16) | UInt32(bitPattern: gradient)
                &<< 24
        }
    }

    /// Makes predictions of even columns the samples. Odd columns become 0.
    static func store(_ even: UnsafePointer<Even>, count: Int, to line: UnsafeMutablePointer<UInt16>) {
        let pairs = UnsafeMutableRawPointer(line)
        for index in 0..<count {
            pairs.storeBytes(of: (even[index] & 0xffff).littleEndian, toByteOffset: 4 &* index, as: UInt32.self)
        }
    }
}
