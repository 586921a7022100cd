import ColourScience
import PictureFormat
import Pixels

/// Interprets LibRaw's numbers and rejects implausible ones.
extension LibRawFacts {
    /// Layout of the whole plane; nil if only LibRaw can develop it.
    var layout: SensorLayout? {
        if filters.isNone { return colourCount == 1 ? .monochrome : colourCount == 3 ? .linearRGB : nil }
        if let pattern = filters.xTransPattern { return .xTrans(pattern) }
        return filters.bayer(marginLeft: visible.x, marginTop: visible.y).map { .bayer($0) }
    }

    /// The visible area inside a plane of `size`.
    func visibleRect(in size: PixelSize) -> PixelRect? {
        guard visible.x < size.width, visible.y < size.height else { return nil }
        let width = min(visible.size.width, size.width - visible.x)
        let height = min(visible.size.height, size.height - visible.y)
        guard width > 0, height > 0 else { return nil }
        return PixelRect(x: visible.x, y: visible.y, size: PixelSize(width: width, height: height))
    }

    /// Maximum size of LibRaw's interpolated picture; nil if LibRaw would read beyond the sensor.
    var interpolatedSize: PixelSize? {
        guard let diagonal else { return visible.size }
        let fits =
            visible.x + diagonal.columns <= sensorSize.width && visible.y * 2 < sensorSize.height
            && diagonal.height < visible.size.height && diagonal.height < visible.size.width
        return fits ? visible.size : nil
    }

    /// As-shot multipliers with green 1; nil if absent or implausible.
    var whiteBalance: [Float]? { isWhiteBalanceApplied || isDeveloped ? [1, 1, 1] : recordedBalance }

    private var recordedBalance: [Float]? {
        let (red, green, blue) = (cameraMultipliers[0], cameraMultipliers[1], cameraMultipliers[2])
        let second = cameraMultipliers[3]
        guard red > 0.001, green > 0.001, blue > 0.001 else { return nil }
        let meanGreen = second > 0.001 ? (green + second) / 2 : green
        let normalised = [red / meanGreen, 1, blue / meanGreen]
        return normalised.allSatisfy({ $0.isFinite && (0.02...50).contains($0) }) ? normalised : nil
    }

    /// LibRaw's matrix for the camera's name, measured under D65 (Adobe's second colour matrix), else a matrix for
    /// balanced colour under any light.
    var matrix: CameraMatrix? {
        let named = Matrix3(xyzToCamera)
        if named.isUsable { return CameraMatrix(illuminant: 21, xyzToCamera: named) }
        return balancedMatrix
    }

    /// From the matrix to sRGB that a few old cameras have, or for sRGB data.
    private var balancedMatrix: CameraMatrix? {
        let toSRGB = Matrix3x3(cameraToSRGB)
        guard toSRGB != .identity || isDeveloped, let inverse = toSRGB.inverse else { return nil }
        let neutral = (whiteBalance ?? [1, 1, 1]).map { 1 / Double($0) }
        let toCamera = Matrix3x3.diagonal(neutral) * inverse * RGBPrimaries.rec709.fromXYZ
        let matrix = Matrix3(toCamera.elements.map(Float.init))
        return matrix.isUsable ? CameraMatrix(illuminant: 21, xyzToCamera: matrix) : nil
    }

    /// Whether the samples are a finished sRGB picture, as from Kodak's C330 and C603: three colours per pixel, no
    /// matrix in LibRaw's table and no recorded balance. LibRaw has undone the transfer function.
    private var isDeveloped: Bool {
        layout == .linearRGB && !Matrix3(xyzToCamera).isUsable && (isWhiteBalanceApplied || recordedBalance == nil)
    }

    /// Nil if not recorded.
    var sensitivity: Float? { iso.isFinite && iso > 0 && iso < 10_000_000 ? iso : nil }

    var pixelAspect: Double {
        statedAspect.isFinite && (0.1...10).contains(statedAspect) ? statedAspect : 1
    }

    /// Saturation of red, green and blue. If LibRaw's maximum is that of the bits, uses the camera's limit of
    /// linearity.
    var white: [Float] {
        let level = Float(max(maximum, 1))
        let isWholeRange = maximum & (maximum &+ 1) == 0
        return linearMaximum.prefix(3).map { linear in
            isWholeRange && linear > Int64(maximum / 2) && linear < Int64(maximum) ? Float(linear) : level
        }
    }
}

extension LibRawBlack {
    /// Levels of a whole plane; nil if LibRaw's block does not match the layout.
    func levels(_ layout: SensorLayout, _ facts: LibRawFacts) -> BlackLevels? {
        let (left, top) = (facts.visible.x, facts.visible.y)
        switch layout {
        case .bayer:
            return levels(marginLeft: left, marginTop: top) { facts.filters.colourIndex(row: $0, column: $1) }
        case .linearRGB:
            let values = (0..<3).map { level(row: 0, column: 0, colour: $0) }
            return BlackLevels(repeatSize: PixelSize(width: 3, height: 1), values: values)
        case .xTrans(let pattern):
            // LibRaw's block, if any, has the pattern's period.
            let period = XTransPattern.period
            let values = pattern.indices.map { index -> Float in
                let y = (index / period - top % period + period) % period
                let x = (index % period - left % period + period) % period
                return level(row: y, column: x, colour: Int(pattern[index].rawValue))
            }
            return BlackLevels(repeatSize: PixelSize(width: period, height: period), values: values)
        case .monochrome:
            return levels(marginLeft: left, marginTop: top) { _, _ in 0 }
        }
    }
}
