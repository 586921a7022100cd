import TIFF
import Pixels

/// A camera profile in fields of a DNG or DCP file (Adobe, 2023, "Digital Negative Specification" 1.7, chapters 5 and
/// 6).
struct CameraProfileFields {
    /// The first directory that has a field wins.
    let directories: [TIFFDirectory]

    struct Light {
        fileprivate let illuminant: Int?
        fileprivate let white: SIMD2<Double>?
        fileprivate let colour: Matrix3
        fileprivate let forward: Matrix3?
        fileprivate let hueSatMap: HueSatMap?
        /// Tag of the individual camera's calibration, which a DCP lacks.
        let calibration: TIFFTag

        /// - Parameter calibration: AnalogBalance × CameraCalibration.
        /// - Returns: nil if the product is not invertible.
        func matrix(calibration: Matrix3) -> CameraMatrix? {
            let product = calibration * colour
            guard product.isUsable else { return nil }
            var matrix = CameraMatrix(illuminant: illuminant, xyzToCamera: product)
            matrix.white = white
            if calibration.isUsable {
                matrix.forward = forward
                matrix.calibration = calibration
            }
            matrix.hueSatMap = hueSatMap
            return matrix
        }
    }

    private static let fields: [LightFields] = [
        LightFields(
            colour: .colorMatrix1, forward: .forwardMatrix1, calibration: .cameraCalibration1,
            illuminant: .calibrationIlluminant1, data: .illuminantData1, hueSatMap: .profileHueSatMapData1),
        LightFields(
            colour: .colorMatrix2, forward: .forwardMatrix2, calibration: .cameraCalibration2,
            illuminant: .calibrationIlluminant2, data: .illuminantData2, hueSatMap: .profileHueSatMapData2),
        LightFields(
            colour: .colorMatrix3, forward: .forwardMatrix3, calibration: .cameraCalibration3,
            illuminant: .calibrationIlluminant3, data: .illuminantData3, hueSatMap: .profileHueSatMapData3),
    ]

    private struct LightFields {
        let colour: TIFFTag
        let forward: TIFFTag
        let calibration: TIFFTag
        let illuminant: TIFFTag
        let data: TIFFTag
        let hueSatMap: TIFFTag
    }

    /// One to three lights. A light without ForwardMatrix or ProfileHueSatMap uses another light's. The third counts
    /// only if the other two exist and its illuminant is known.
    var lights: [Light] {
        let forward = Self.fields.map { field in matrix3(field.forward).flatMap { $0.isForward ? $0 : nil } }
        let maps = Self.fields.map { map(.profileHueSatMapDims, $0.hueSatMap, encoding: .profileHueSatMapEncoding) }
        let lights = Self.fields.enumerated().compactMap { index, field -> Light? in
            guard let colour = matrix3(field.colour), colour.isUsable else { return nil }
            let illuminant = integers(field.illuminant)?.first.flatMap { $0 == 0 ? nil : $0 }
            let white = illuminant == Self.otherLight ? chromaticity(field.data) : nil
            if index == 2, illuminant == nil || illuminant == Self.otherLight && white == nil { return nil }
            return Light(
                illuminant: illuminant, white: white, colour: colour,
                forward: forward[index] ?? forward.lazy.compactMap(\.self).first,
                hueSatMap: maps[index] ?? maps.lazy.compactMap(\.self).first, calibration: field.calibration)
        }
        let hasThird = lights.contains { $0.calibration == .cameraCalibration3 }
        return hasThird && lights.count < 3 ? lights.filter { $0.calibration != .cameraCalibration3 } : lights
    }

    /// EXIF's LightSource "other".
    private static let otherLight = 255

    /// Chromaticity from IlluminantData (DNG 1.6): the 16-bit number 0, then x and y as 32-bit fractions. Nil for a
    /// spectrum or an invalid light.
    private func chromaticity(_ tag: TIFFTag) -> SIMD2<Double>? {
        guard let directory = directories.first(where: { $0.has(tag) }), let bytes = directory.reader(of: tag),
            bytes.uint16(0) == 0
        else { return nil }
        func fraction(_ offset: Int) -> Double? {
            guard let above = bytes.uint32(offset), let below = bytes.uint32(offset + 4), below > 0 else { return nil }
            return Double(above) / Double(below)
        }
        guard let x = fraction(2), let y = fraction(10), (0.05...0.9).contains(x), (0.05...0.9).contains(y), x + y < 1
        else { return nil }
        return SIMD2(x, y)
    }

    /// False if a table does not match its size.
    var isWhole: Bool {
        let maps: [(TIFFTag, TIFFTag)] = [
            (.profileHueSatMapDims, .profileHueSatMapData1), (.profileHueSatMapDims, .profileHueSatMapData2),
            (.profileHueSatMapDims, .profileHueSatMapData3),
            (.profileLookTableDims, .profileLookTableData),
        ]
        return maps.allSatisfy { dims, data in
            reals(data) == nil || map(dims, data, encoding: .profileLookTableEncoding) != nil
        }
    }

    /// Fields that must be readable if present.
    static let tags: Set<TIFFTag> = [
        .colorMatrix1, .colorMatrix2, .colorMatrix3, .forwardMatrix1, .forwardMatrix2, .forwardMatrix3,
        .profileHueSatMapDims, .profileHueSatMapData1, .profileHueSatMapData2, .profileHueSatMapData3,
        .profileLookTableDims, .profileLookTableData,
    ]

    /// Nil if absent or invalid.
    var lookTable: HueSatMap? {
        map(.profileLookTableDims, .profileLookTableData, encoding: .profileLookTableEncoding)
    }

    private func map(_ dims: TIFFTag, _ data: TIFFTag, encoding: TIFFTag) -> HueSatMap? {
        guard let size = integers(dims), size.count == 2 || size.count == 3,
            let numbers = reals(data), numbers.count % 3 == 0
        else { return nil }
        let points = stride(from: 0, to: numbers.count, by: 3).map {
            HueSatMap.Point(Float(numbers[$0]), Float(numbers[$0 + 1]), Float(numbers[$0 + 2]))
        }
        return HueSatMap(
            hues: size[0], saturations: size[1], values: size.count == 3 ? size[2] : 1,
            encodesValue: integers(encoding)?.first == 1, points: points)
    }

    private func integers(_ tag: TIFFTag) -> [Int]? { directories.lazy.compactMap { $0.integers(tag) }.first }

    private func reals(_ tag: TIFFTag) -> [Double]? { directories.lazy.compactMap { $0.reals(tag) }.first }

    private func matrix3(_ tag: TIFFTag) -> Matrix3? {
        guard let values = reals(tag), values.count == 9, values.allSatisfy(\.isFinite) else { return nil }
        return Matrix3(values.map { Float($0) })
    }
}

extension Matrix3 {
    /// Whether the matrix maps white to a light, as a ForwardMatrix does.
    fileprivate var isForward: Bool {
        isUsable && [0, 3, 6].allSatisfy { elements[$0..<$0 + 3].reduce(Float(0), +) > 0.1 }
    }
}
