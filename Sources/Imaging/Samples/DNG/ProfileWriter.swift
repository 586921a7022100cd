internal import TIFF
internal import Pixels

/// Writes camera profiles as DCP files (Adobe, 2023, "Digital Negative Specification" 1.7, chapter 6).
public struct ProfileWriter: Sendable {
    /// Camera of the profile; nil writes none.
    public var camera: String?
    /// Shift of hue, in degrees.
    public var hueShift: Float = 0
    /// Factor of saturation.
    public var saturation: Float = 1
    /// The byte order of the file.
    public var littleEndian = true
    /// Additional fields; they replace the standard ones.
    var fields: [TIFFTag: TIFFValue] = [:]

    /// - Parameter camera: camera of the profile; nil for none.
    public init(camera: String?) { self.camera = camera }

    /// The whole file.
    public func file() -> [UInt8] {
        let matrices = SampleCamera()
        var directory = ImageFileDirectory([
            .colorMatrix1: .signedRationals(matrices.matrixA.elements.map { Rational($0) }),
            .colorMatrix2: .signedRationals(matrices.matrixD65.elements.map { Rational($0) }),
            .calibrationIlluminant1: .shorts([17]), .calibrationIlluminant2: .shorts([21]),
            .profileName: .ascii("Rawmill sample"), .profileHueSatMapDims: .longs([6, 2, 1]),
            .profileHueSatMapData1: .signedRationals(
                [[Rational]](
                    repeating: [hueShift, saturation, 1].map { Rational($0, per: 1_000_000) }, count: 12
                ).flatMap(\.self)),
        ])
        directory[.uniqueCameraModel] = camera.map { .ascii($0) }
        directory.fields.merge(fields) { $1 }
        var file = TIFFBuilder(littleEndian: littleEndian, chunks: []).file(directory)
        file.replaceSubrange(2..<4, with: (littleEndian ? "RC" : "CR").utf8)
        return file
    }
}
