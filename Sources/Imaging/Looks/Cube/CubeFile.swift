/// The tables of a `.cube` file (Adobe, 2013, "Cube LUT Specification" 1.0, with what other programs write).
///
/// Beyond the specification it may have a byte order mark, any line end, tabs, keywords in lower case, the input ranges
/// of DaVinci Resolve, and a one-dimensional table before a three-dimensional one: the shaper, whose output is the 3-D
/// table's input.
struct CubeFile: Equatable {
    /// The range of values that a table covers, by channel; values outside are clamped to it.
    struct Domain: Equatable {
        var minimum: SIMD3<Float> = .zero
        var maximum: SIMD3<Float> = .one
    }

    /// A one-dimensional table: `size` rows of red, green, blue; each channel has its own curve.
    struct Curves: Equatable {
        var size: Int
        var domain: Domain
        var values: [Float]
    }

    /// A three-dimensional table: `size³` rows of red, green, blue; the input's red runs fastest.
    struct Cube: Equatable {
        var size: Int
        var domain: Domain
        var values: [Float]
    }

    var curves: Curves?
    var cube: Cube?

    /// Larger files are refused unread.
    static let maxBytes = 128 << 20

    /// - Throws: `CubeError` naming the line.
    init(_ bytes: [UInt8]) throws(CubeError) {
        guard bytes.count <= Self.maxBytes else {
            throw CubeError(
                "the file has more than \(Self.maxBytes >> 20) MB", "use a table of fewer points, 33 or 65 an edge")
        }
        var parser = CubeParser()
        try parser.parse(bytes)
        self = try parser.finish()
    }

    init(curves: Curves?, cube: Cube?) {
        self.curves = curves
        self.cube = cube
    }
}
