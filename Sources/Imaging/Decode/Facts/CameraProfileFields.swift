import Metadata
import Pixels

/// A camera profile as the fields of a DNG or a DCP file, which has the same ones (Adobe, 2023, "Digital Negative
/// Specification" 1.7, chapters 5 and 6).
struct CameraProfileFields {
    /// The first one that has a field counts.
    let directories: [TIFFDirectory]

    /// What was measured under one light.
    struct Light {
        fileprivate let illuminant: Int?
        fileprivate let colour: Matrix3
        fileprivate let forward: Matrix3?
        fileprivate let hueSatMap: HueSatMap?
        /// The field with the calibration of a single camera. It is the camera's, and not in a DCP.
        let calibration: TIFFTag

        /// - Parameter calibration: AnalogBalance × CameraCalibration.
        /// - Returns: nil where the product cannot be inverted.
        func matrix(calibration: Matrix3) -> CameraMatrix? {
            let product = calibration * colour
            guard product.isUsable else { return nil }
            var matrix = CameraMatrix(illuminant: illuminant, xyzToCamera: product)
            if calibration.isUsable {
                matrix.forward = forward
                matrix.calibration = calibration
            }
            matrix.hueSatMap = hueSatMap
            return matrix
        }
    }

    /// One or two. A light without a ForwardMatrix or ProfileHueSatMap of its own has the other's.
    var lights: [Light] {
        let forward = [TIFFTag.forwardMatrix1, .forwardMatrix2].map { tag in
            matrix3(tag).flatMap { $0.isForward ? $0 : nil }
        }
        let maps = [TIFFTag.profileHueSatMapData1, .profileHueSatMapData2].map {
            map(.profileHueSatMapDims, $0, encoding: .profileHueSatMapEncoding)
        }
        let fields: [(TIFFTag, TIFFTag, TIFFTag)] = [
            (.colorMatrix1, .cameraCalibration1, .calibrationIlluminant1),
            (.colorMatrix2, .cameraCalibration2, .calibrationIlluminant2),
        ]
        return fields.enumerated().compactMap { index, field in
            guard let colour = matrix3(field.0), colour.isUsable else { return nil }
            let light = integers(field.2)?.first.flatMap { $0 == 0 ? nil : $0 }
            return Light(
                illuminant: light, colour: colour, forward: forward[index] ?? forward[1 - index],
                hueSatMap: maps[index] ?? maps[1 - index], calibration: field.1)
        }
    }

    /// False where a table does not fit to its size.
    var isWhole: Bool {
        let maps: [(TIFFTag, TIFFTag)] = [
            (.profileHueSatMapDims, .profileHueSatMapData1), (.profileHueSatMapDims, .profileHueSatMapData2),
            (.profileLookTableDims, .profileLookTableData),
        ]
        return maps.allSatisfy { dims, data in
            reals(data) == nil || map(dims, data, encoding: .profileLookTableEncoding) != nil
        }
    }

    /// Those that a profile cannot do without where it has them.
    static let tags: Set<TIFFTag> = [
        .colorMatrix1, .colorMatrix2, .forwardMatrix1, .forwardMatrix2, .profileHueSatMapDims, .profileHueSatMapData1,
        .profileHueSatMapData2, .profileLookTableDims, .profileLookTableData,
    ]

    /// ProfileLookTable; nil where there is none that makes sense.
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
    /// Whether white becomes a light with it, which a ForwardMatrix makes of it.
    fileprivate var isForward: Bool {
        isUsable && [0, 3, 6].allSatisfy { elements[$0..<$0 + 3].reduce(Float(0), +) > 0.1 }
    }
}
