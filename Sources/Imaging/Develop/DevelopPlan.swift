import ColourScience
import DevelopKernels
import PictureFormat
import Pixels

struct DevelopPlan {
    let mosaic: Mosaic
    let levels: SampleLevels
    let highlights: HighlightReconstruction
    /// From balanced camera colour to scene light, including exposure and colourfulness.
    let matrix: ColourMatrix
    let rendering: Rendering
    let previewRendering: Rendering
    let full: PicturePlan
    let preview: PicturePlan?
    /// Position of the tiles before resampling.
    let lead: TileLead
    /// Nil to keep colour noise.
    let noise: ChromaNoiseLimits?
    /// Nil to keep detail.
    let detail: DetailLimits?
    let gains: [SampleGain]
    /// The part of the plane to interpolate.
    let area: PixelRect
    /// Nil if all colours of a mosaic coincide.
    let alignment: ColourAlignment?
    /// Nil if pixels do not move.
    let warp: WarpField?
    /// The film's effects on light; nil for none.
    let film: FilmRows?
    /// The look's effect on the full-size picture before its outputs; nil for none.
    let effect: PictureEffect?
    /// From light to samples of a gain map; nil for none.
    let gain: LightCurve?
    let facts: DevelopFacts

    /// `SensorValidation` has checked the image, the settings and the preview's longer edge, which is in pixels.
    init(
        _ image: borrowing SensorImage, settings: DevelopSettings, look: any RowStage, preview: Int?,
        tables: DevelopTableCache
    ) {
        var facts = image.facts
        guard let mosaic = Mosaic(facts.layout) else { preconditionFailure("validation refuses other mosaics") }
        self.mosaic = mosaic
        let corrections =
            settings.correctsLens ? facts.corrections.completed(by: settings.lens) : facts.corrections.withoutLens
        let warp = tables.warps.plan(facts, corrections)
        gains = corrections.gains
        area = warp?.area ?? facts.crop
        self.warp = warp?.field
        alignment = warp?.alignment
        let black = facts.black.values.reduce(0, +) / Float(facts.black.values.count)
        let saturation = SaturationEstimate.shares(image, black: black)
        func survey(_ colour: CameraColour, _ facts: SensorFacts) -> SensorSurvey {
            SensorSurvey(
                image, levels: Self.levels(facts, colour, saturation), corrections: corrections,
                threads: settings.threads)
        }
        if facts.whiteBalanceIsEstimated {
            let match = BalanceMatch(estimate: facts) { facts in
                let colour = CameraColour(facts: facts, whiteBalance: .asShot)
                return Exposure.match(facts, settings, colour, saturation, tables) { survey($0, facts) }
            }
            facts.whiteBalance = match.whiteBalance ?? facts.whiteBalance
        }
        let colour = CameraColour(facts: facts, whiteBalance: settings.whiteBalance)
        levels = Self.levels(facts, colour, saturation)
        highlights = HighlightReconstruction(
            clip: levels.clip, hues: HighlightSurvey.hues(image, levels: levels, threads: settings.threads))
        let level = NoiseLevel(image)
        let reduction = settings.noiseReduction ?? level.strength
        noise =
            reduction > 0 && facts.layout != .monochrome
            ? ChromaNoiseLimits(deviation: level.deviation, strength: reduction, multipliers: colour.multipliers) : nil
        detail = DetailLimits(
            sharpening: settings.sharpening, deviation: level.deviation, noiseReduction: reduction, clip: levels.clip)
        let asShot = CameraColour(facts: facts, whiteBalance: .asShot)
        let exposure = Exposure(
            facts: facts, settings: settings, colour: colour, asShot: asShot, saturation: saturation, tables: tables
        ) { survey($0, facts) }
        self.facts = DevelopFacts(
            coloursAreGuessed: !colour.isKnown, whiteBalance: colour.multipliers, agreement: exposure.agreement,
            missingCorrections: corrections.complaint
                ?? (warp == nil && !facts.corrections.warps.isEmpty && settings.correctsLens
                    ? Self.impossibleWarp : nil),
            isWarped: warp != nil)
        let profile = ProfileMapping(
            hueSatMap: colour.hueSatMap, lookTable: colour.isKnown ? facts.lookTable : nil, gain: exposure.gain,
            colourfulness: exposure.colourfulness)
        let toLight = exposure.colourfulness.matrix * RGBPrimaries.rec2020.fromXYZ * colour.toXYZ * exposure.gain
        matrix = ColourMatrix(toLight)
        let source = HalationSource(
            size: facts.crop.size, levels: levels, matrix: toLight, white: exposure.white,
            corrections: warp == nil ? SensorCorrections(gains: corrections.gains) : corrections)
        film = look.film?.texture.flatMap {
            FilmPlan($0, image, light: source, templates: tables.templates, threads: settings.threads).rows
        }
        let crop = facts.crop.size
        func size(longEdge: Int?) -> PixelSize {
            PictureSize.square(crop: crop, pixelAspect: facts.pixelAspect, longEdge: longEdge)
        }
        let target = size(longEdge: settings.longEdge)
        let small = preview.map { size(longEdge: min($0, settings.longEdge ?? $0)) }
        // A look that depends on the position is rendered separately for each size.
        func plan(_ picture: PixelSize) -> RenderingPlan {
            RenderingPlan(
                look: look.placed(in: picture), output: settings.colourSpace, white: exposure.white,
                contrast: exposure.contrast, profile: profile, tables: tables)
        }
        let (depth, threads) = (settings.depth, settings.threads)
        let whole = plan(crop)
        let square = size(longEdge: nil)
        effect = whole.pictureEffect(
            OrientationTransform(facts.orientation, sensorSize: crop),
            scale: (Double(crop.width) / Double(square.width), Double(crop.height) / Double(square.height)), depth)
        if effect != nil {
            rendering = whole.finished(depth)
            previewRendering = depth == .eight ? rendering : whole.finished(.eight)
        } else {
            let plans = (full: plan(target), preview: look.colourKey == nil ? small.map(plan) : nil)
            rendering = plans.full.rendering(depth, threads: threads)
            previewRendering =
                depth == .eight && plans.preview == nil
                ? rendering : (plans.preview ?? plans.full).rendering(.eight, threads: threads)
        }
        // An effect that moves light invalidates a gain map of the scene's light, so the map is even.
        gain =
            settings.makesGainMap
            ? (effect == nil
                ? GainCurve(ToneCurve(white: exposure.white, contrast: exposure.contrast)).samples
                : LightCurve { _ in .zero }) : nil
        // Without resampling, the tiles are the squares of the upright picture.
        let lead =
            target == crop ? OrientationTransform(facts.orientation, sensorSize: crop).tileLead : TileLead.none
        self.lead = lead
        func picture(_ target: PixelSize) -> PicturePlan {
            PicturePlan(
                crop: crop, target: target, orientation: facts.orientation, lead: lead,
                sharpening: settings.sharpening, deviation: level.deviation)
        }
        full = picture(target)
        self.preview = small.map(picture)
    }

    private static let impossibleWarp =
        "The lens correction in the file is invalid and was not applied."

    private static func levels(_ facts: SensorFacts, _ colour: CameraColour, _ saturation: [Float]) -> SampleLevels {
        guard let levels = SampleLevels(facts: facts, multipliers: colour.multipliers, saturation: saturation) else {
            preconditionFailure("validation refuses white levels that are not above black")
        }
        return levels
    }
}
