/// Size, precision and predictor of a lossless JPEG (ITU-T T.81, annexes B and H).
public struct LosslessJPEGShape: Hashable, Sendable {
    /// Pixels of a row.
    public let width: Int
    /// Number of rows.
    public let height: Int
    /// Samples of a pixel.
    public let components: Int
    /// Bits of a sample.
    public let precision: Int
    /// Predictor of table H.1, 1 to 7.
    public let predictor: Int

    /// Proves that T.81 allows each number, and that there are at most four components and 2²⁹ samples.
    public init?(width: Int, height: Int, components: Int, precision: Int, predictor: Int) {
        let edges = 1...65_535
        guard edges.contains(width), edges.contains(height), (1...4).contains(components),
            (2...16).contains(precision), (1...7).contains(predictor),
            width * height * components <= SliceTarget.maxSamples
        else { return nil }
        self.width = width
        self.height = height
        self.components = components
        self.precision = precision
        self.predictor = predictor
    }

    /// Samples of a row.
    public var samplesPerRow: Int { width * components }
}

/// A lossless JPEG, ready for decoding.
public struct LosslessJPEGScan {
    let shape: LosslessJPEGShape
    let entropyCoded: UnsafeRawBufferPointer
    let tables: [DifferenceTable]
    let target: SliceTarget
    /// Form of the fast path; nil for unusual scans. Usual scans predict from the left and have two or four components
    /// with one table or two alternating ones, or three components. Nearly all cameras and converters write these;
    /// Adobe's encoder makes a table for each component of each tile.
    var fastForm: FastRowDecoder.Form?

    /// Proves that each component has a table, and that there are samples for the whole target.
    ///
    /// - Parameters:
    ///   - shape: from the JPEG's headers.
    ///   - entropyCoded: bytes after the scan header; must stay valid until the scan is decoded.
    ///   - tables: one per component.
    ///   - target: destination of the samples.
    public init?(
        _ shape: LosslessJPEGShape, entropyCoded: UnsafeRawBufferPointer, tables: [DifferenceTable],
        target: SliceTarget
    ) {
        guard tables.count == shape.components, shape.samplesPerRow * shape.height >= target.sampleCount else {
            return nil
        }
        self.shape = shape
        self.entropyCoded = entropyCoded
        self.tables = tables
        self.target = target
        let alternate = tables.indices.allSatisfy { tables[$0] === tables[$0 % 2] }
        switch shape.components {
        case 2 where shape.predictor == 1 && alternate, 4 where shape.predictor == 1 && alternate:
            fastForm = FastRowDecoder.Form(components: shape.components, alternates: tables[0] !== tables[1])
        case 3 where shape.predictor == 1: fastForm = FastRowDecoder.Form(components: 3, alternates: true)
        default: fastForm = nil
        }
    }

    /// Whether the scan is long enough for `DifferenceStream`.
    var isLongStream: Bool {
        fastForm?.alternates == false && shape.samplesPerRow * shape.height >= DifferenceStream.worthwhileCount
    }

    /// Whether two usual scans can be decoded in parallel.
    func hasSize(of other: LosslessJPEGScan) -> Bool {
        shape.width == other.shape.width && shape.components == other.shape.components
            && shape.height == other.shape.height
    }
}
