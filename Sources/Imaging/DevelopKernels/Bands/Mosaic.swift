import PictureFormat
package import Pixels

/// Colour filter arrays by demosaicing method.
package enum Mosaic: Sendable {
    case bayer(BayerPhase)
    case xTrans(XTransPhase)
    /// One or three samples per pixel.
    case none

    /// Nil for an unsupported pattern.
    package init?(_ layout: SensorLayout) {
        switch layout {
        case .bayer(let pattern):
            guard let phase = BayerPhase(pattern) else { return nil }
            self = .bayer(phase)
        case .xTrans(let pattern):
            guard let phase = XTransPhase(pattern) else { return nil }
            self = .xTrans(phase)
        case .monochrome, .linearRGB: self = .none
        }
    }

    /// Nil if the picture is smaller than the pattern.
    func makeSource(
        _ samples: SensorSamples, levels: SampleLevels, highlights: HighlightReconstruction, detail: DetailLimits?,
        alignment: ColourAlignment?, lead: TileLead
    ) -> (any TileSource)? {
        switch self {
        case .bayer(let phase):
            return BayerRows(samples, phase: phase, levels: levels, highlights: highlights, alignment: alignment).map {
                BayerDemosaic($0, detail: detail)
            }
        case .xTrans(let phase):
            return XTransRows(samples, phase: phase, levels: levels).map {
                XTransTiles(
                    XTransDemosaic($0, highlights: highlights), detail: detail, size: samples.crop.size, lead: lead)
            }
        case .none:
            let source = NonMosaicSource(samples, levels: levels, highlights: highlights)
            guard let detail else { return source }
            return DetailFilter(source, limits: detail, clip: levels.clip, size: samples.crop.size, lead: lead)
        }
    }
}
