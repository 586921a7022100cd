import CLibRaw
import PictureFormat
import Pixels

extension Frame {
    /// What goes with plain samples; nil where the file's numbers contradict one another.
    func sensorFacts(_ layout: SensorLayout, size: PixelSize) -> SensorFacts? {
        dng.map { dngFacts($0, layout, size) } ?? libRawFacts(layout, size)
    }

    private func dngFacts(_ dng: DNGFacts, _ layout: SensorLayout, _ size: PixelSize) -> SensorFacts? {
        // LibRaw turns lossy and floating-point samples to numbers of its own.
        guard dng.hasPlainSamples else { return libRawFacts(layout, size) }
        guard let black = dng.black(in: size) else { return nil }
        return SensorFacts(
            layout: layout, crop: dng.crop(in: size), black: black, white: dng.white, whiteBalance: dng.whiteBalance,
            matrices: matrices, orientation: dng.orientation, pixelAspect: dng.pixelAspect,
            baselineExposure: dng.baselineExposure, isoSpeed: raw.facts.sensitivity)
    }

    private func libRawFacts(_ layout: SensorLayout, _ size: PixelSize) -> SensorFacts? {
        let facts = raw.facts
        guard let black = black(layout), let crop = visibleRect(in: size) else { return nil }
        return SensorFacts(
            layout: layout, crop: narrowed(crop), black: black, white: facts.white,
            whiteBalance: dng?.whiteBalance ?? facts.whiteBalance, matrices: matrices,
            orientation: dng?.orientation ?? facts.orientation, pixelAspect: facts.aspect,
            baselineExposure: dng?.baselineExposure ?? 0, isoSpeed: facts.sensitivity)
    }

    /// The file's own matrices, else LibRaw's table.
    var matrices: [CameraMatrix] {
        if let own = dng?.matrices, !own.isEmpty { return own }
        return raw.facts.tableMatrix.map { [$0] } ?? []
    }

    private func black(_ layout: SensorLayout) -> BlackLevels? {
        let facts = raw.facts
        let black = LibRawBlack(raw)
        let left = Int(facts.leftMargin)
        let top = Int(facts.topMargin)
        switch layout {
        case .bayer:
            let pattern = CFAPattern(facts)
            return black.levels(marginLeft: left, marginTop: top) { pattern.colourIndex(row: $0, column: $1) }
        case .linearRGB:
            let values = (0..<3).map { black.level(row: 0, column: 0, colour: $0) }
            return BlackLevels(repeatSize: PixelSize(width: 3, height: 1), values: values)
        case .xTrans(let pattern):
            // LibRaw's block, if any, is of the pattern's own period.
            let values = (0..<36).map { index -> Float in
                let y = (index / 6 - top % 6 + 6) % 6
                let x = (index % 6 - left % 6 + 6) % 6
                return black.level(row: y, column: x, colour: Int(pattern[index].rawValue))
            }
            return BlackLevels(repeatSize: PixelSize(width: 6, height: 6), values: values)
        case .monochrome:
            return black.levels(marginLeft: left, marginTop: top) { _, _ in 0 }
        }
    }

    private func visibleRect(in size: PixelSize) -> PixelRect? {
        let facts = raw.facts
        let left = Int(facts.leftMargin)
        let top = Int(facts.topMargin)
        guard left < size.width, top < size.height else { return nil }
        let width = min(Int(facts.width), size.width - left)
        let height = min(Int(facts.height), size.height - top)
        guard width > 0, height > 0 else { return nil }
        return PixelRect(x: left, y: top, size: PixelSize(width: width, height: height))
    }
}

extension CLibRawFacts {
    var sensitivity: Float? { iso.isFinite && iso > 0 && iso < 10_000_000 ? iso : nil }

    var aspect: Double { pixelAspect.isFinite && (0.1...10).contains(pixelAspect) ? pixelAspect : 1 }

    /// LibRaw's saturation; where that is only what the bits can hold, the camera's own limit of linearity.
    var white: [Float] {
        let (first, second, third, _) = linearMaximum
        let level = Float(max(maximum, 1))
        let isWholeRange = maximum & (maximum &+ 1) == 0
        return [first, second, third].map { linear in
            isWholeRange && linear > Int64(maximum / 2) && linear < Int64(maximum) ? Float(linear) : level
        }
    }
}
