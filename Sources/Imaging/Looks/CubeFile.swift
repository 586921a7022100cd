/// The tables of a `.cube` file (Adobe, 2013, "Cube LUT Specification" 1.0, with what other programs write).
///
/// Read are also: a byte order mark, any line end, tabs, keywords in lower case, the input ranges of DaVinci Resolve,
/// and a one-dimensional table before a three-dimensional one in the same file, whose input the 3-D table's is.
struct CubeFile: Equatable {
    /// The range of values a table covers; values outside are held to its ends.
    struct Domain: Equatable {
        var minimum: [Float] = [0, 0, 0]
        var maximum: [Float] = [1, 1, 1]
    }

    /// Rows of red, green, blue; each channel has its own curve.
    struct Curves: Equatable {
        var size: Int
        var domain: Domain
        var values: [Float]
    }

    /// Rows of red, green, blue; red of the input runs fastest.
    struct Cube: Equatable {
        var size: Int
        var domain: Domain
        var values: [Float]
    }

    var curves: Curves?
    var cube: Cube?

    /// Larger files are refused unread.
    static let maximumBytes = 128 << 20

    init(_ bytes: [UInt8]) throws(CubeError) {
        guard bytes.count <= Self.maximumBytes else {
            throw CubeError(
                "the file has more than \(Self.maximumBytes >> 20) MB", "use a table of fewer points, 33 or 65 an edge")
        }
        var reader = CubeReader()
        var failure: CubeError?
        bytes.withUnsafeBufferPointer { buffer in
            do throws(CubeError) { try reader.read(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
        self = try reader.finish()
    }

    init(curves: Curves?, cube: Cube?) {
        self.curves = curves
        self.cube = cube
    }
}
