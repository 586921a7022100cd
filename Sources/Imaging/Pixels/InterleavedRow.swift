/// Rows of whole pixels, red green blue and one unused number each: the form for work that reads pixels here and
/// there, while rows of planes are the form for work that goes straight along.
public enum InterleavedRow {
    /// Whole pixels to planes.
    ///
    /// A loop of its own, four pixels at a time: where the compiler sees that three of a vector's four numbers are
    /// used, it takes apart the arithmetic before.
    public static func split(
        _ pixels: UnsafePointer<SIMD4<Float>>, into red: UnsafeMutablePointer<Float>,
        _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>, count: Int
    ) {
        let whole = count & ~3
        for x in stride(from: 0, to: whole, by: 4) {
            let (a, b, c, d) = (pixels[x], pixels[x + 1], pixels[x + 2], pixels[x + 3])
            store(SIMD4(a.x, b.x, c.x, d.x), red + x)
            store(SIMD4(a.y, b.y, c.y, d.y), green + x)
            store(SIMD4(a.z, b.z, c.z, d.z), blue + x)
        }
        for x in whole..<count {
            red[x] = pixels[x].x
            green[x] = pixels[x].y
            blue[x] = pixels[x].z
        }
    }

    @inline(__always)
    private static func store(_ values: SIMD4<Float>, _ target: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(target).storeBytes(of: values, as: SIMD4<Float>.self)
    }
}
