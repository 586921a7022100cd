import ColourScience
import DevelopKernels
internal import PictureFormat
internal import PixelKernels
import Pixels

/// Matches the neutral rendering to the brightness, contrast and colourfulness of the camera's preview, and measures
/// their agreement.
///
/// Compares the preview with a survey of the sensor's samples, processed like every pixel: levels, balance, matrix and
/// tone curve, but no look. The result is known before developing and depends only on the RAW's bytes.
struct BrightnessMatch {
    /// Factor of the gain.
    let factor: Double
    /// The preview's, within ``Contrast/range``.
    let contrast: Contrast
    /// The preview's, within ``Colourfulness/range``.
    let colourfulness: Colourfulness
    let agreement: PreviewAgreement
    /// Ratio of the preview's light to the rendering's in middle tones, for red, green and blue; nil if there are none.
    let cast: SIMD3<Float>?

    /// Range of the brightness correction, in stops. Cameras underexpose by up to two stops to keep highlights, and
    /// brighten their rendering by as much.
    private static let range = -2.0...3.0

    /// Mean of luma, the perceived brightness, and of its square, approximately the emitted light. Pictures with
    /// different tone curves cannot match in both.
    private static func brightness(_ colour: SIMD3<Float>) -> Float {
        let luma = PreviewAgreement.luma(colour)
        return luma + luma * luma
    }

    /// The survey is in balanced camera colour with the camera's own balance, to which `colour` belongs. `gain` is from
    /// balanced camera colour to light, as exposed; `clip` is the balanced light of a sample that is saturated in all
    /// channels.
    init(
        _ picture: SmallPicture, facts: SensorFacts, survey: SensorSurvey, colour: CameraColour, gain: Double,
        clip: Double, tables: DevelopTableCache
    ) {
        let rendering = SurveyRendering(
            survey: survey, colour: colour, lookTable: colour.isKnown ? facts.lookTable : nil, gain: gain, clip: clip,
            tables: tables)
        let candidates = PreviewAlignment.candidates(picture, facts).map { alignment in
            (alignment: alignment, cells: alignment.cells(picture))
        }
        // Light and dark reveal the orientation at any brightness.
        let structures = candidates.map { candidate in
            PreviewAgreement(
                stops: 0,
                pairs: rendering.cells(candidate.alignment, factor: 1, contrast: .usual).pairs(candidate.cells)
            ).structure ?? 0
        }
        let best = structures.indices.max { structures[$0] < structures[$1] } ?? 0
        let (alignment, cells) = candidates[best]
        let usual = Self.stops(rendering, alignment, cells, .usual)
        contrast = Self.contrast(rendering, alignment, cells, stops: usual)
        let stops = contrast == .usual ? usual : Self.stops(rendering, alignment, cells, contrast)
        factor = DeterministicMath.exp2(stops)
        colourfulness = Self.colourfulness(rendering, alignment, cells, factor, contrast)
        let pairs = rendering.cells(alignment, factor: factor, contrast: contrast, colourfulness).pairs(cells)
        agreement = PreviewAgreement(stops: Float(stops), pairs: pairs)
        cast = Self.cast(pairs)
    }

    /// The preview's light divided by the rendering's. Nearly black or white cells have no colour to compare.
    private static func cast(_ pairs: [(SIMD3<Float>, SIMD3<Float>)]) -> SIMD3<Float>? {
        func light(_ colour: SIMD3<Float>) -> SIMD3<Float> {
            SIMD3((0..<3).map { Float(TransferFunction.decode(Double(colour[$0]), .sRGB)) })
        }
        func isMiddle(_ colour: SIMD3<Float>) -> Bool { colour.min() > 0.02 && colour.max() < 0.9 }
        var (ours, theirs) = (SIMD3<Float>.zero, SIMD3<Float>.zero)
        for pair in pairs where isMiddle(pair.0) && isMiddle(pair.1) {
            ours += light(pair.0)
            theirs += light(pair.1)
        }
        return ours.min() > 0 && theirs.min() > 0 ? theirs / ours : nil
    }

    private static func stops(
        _ rendering: SurveyRendering, _ alignment: PreviewAlignment, _ cells: CellMeans, _ contrast: Contrast
    ) -> Double {
        var (low, high) = (range.lowerBound, range.upperBound)
        for _ in 0..<10 {
            let middle = (low + high) / 2
            let factor = DeterministicMath.exp2(middle)
            let pairs = rendering.cells(alignment, factor: factor, contrast: contrast).pairs(cells)
            let difference = PreviewAgreement.mean(pairs.map { brightness($0.0) - brightness($0.1) })
            if difference < 0 { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// The lowest contrast at which the rendering's light and dark parts are at least as far apart as the preview's.
    /// Ignores a flat, possibly damaged preview.
    private static func contrast(
        _ rendering: SurveyRendering, _ alignment: PreviewAlignment, _ cells: CellMeans, stops: Double
    ) -> Contrast {
        let factor = DeterministicMath.exp2(stops)
        let usual = rendering.cells(alignment, factor: factor, contrast: .usual).pairs(cells)
        guard PreviewAgreement.spread(usual.map(\.1)) > PreviewAgreement.flat else { return .usual }
        var (strong, weak) = (Contrast.range.lowerBound.steps, Contrast.range.upperBound.steps)
        while strong < weak {
            let middle = Contrast(steps: (strong + weak + 1) >> 1)
            let pairs = rendering.cells(alignment, factor: factor, contrast: middle).pairs(cells)
            let (ours, theirs) = (PreviewAgreement.spread(pairs.map(\.0)), PreviewAgreement.spread(pairs.map(\.1)))
            if ours >= theirs { strong = middle.steps } else { weak = middle.steps - 1 }
        }
        return Contrast(steps: strong)
    }

    /// The lowest colourfulness at which the rendering is at least as colourful as the preview. Ignores a preview
    /// without colours or with other ones.
    private static func colourfulness(
        _ rendering: SurveyRendering, _ alignment: PreviewAlignment, _ cells: CellMeans, _ factor: Double,
        _ contrast: Contrast
    ) -> Colourfulness {
        func pairs(_ colourfulness: Colourfulness) -> [(SIMD3<Float>, SIMD3<Float>)] {
            rendering.cells(alignment, factor: factor, contrast: contrast, colourfulness).pairs(cells)
        }
        let usual = PreviewAgreement(stops: 0, pairs: pairs(.usual))
        guard !usual.isImplausible, let hue = usual.hue, hue >= Self.minHue else { return .usual }
        let theirs = PreviewAgreement.meanChroma(pairs(.usual).map(\.1))
        var (low, high) = (Colourfulness.range.lowerBound.steps, Colourfulness.range.upperBound.steps)
        while low < high {
            let middle = Colourfulness(steps: (low + high) >> 1)
            if PreviewAgreement.meanChroma(pairs(middle).map(\.0)) >= theirs {
                high = middle.steps
            } else {
                low = middle.steps + 1
            }
        }
        return Colourfulness(steps: low)
    }

    /// Minimum hue correlation of two pictures with the same colours.
    private static let minHue: Float = 0.6
}

private struct SurveyRendering {
    private let survey: SensorSurvey
    /// From balanced camera colour to Rec. 2020.
    private let toScene: Matrix3x3
    private let hueSatMap: HueSatMap?
    private let lookTable: HueSatMap?
    private let gain: Double
    private let clip: Double
    private let tables: DevelopTableCache

    init(
        survey: SensorSurvey, colour: CameraColour, lookTable: HueSatMap?, gain: Double, clip: Double,
        tables: DevelopTableCache
    ) {
        self.survey = survey
        toScene = RGBPrimaries.rec2020.fromXYZ * colour.toXYZ
        hueSatMap = colour.hueSatMap
        self.lookTable = lookTable
        self.gain = gain
        self.clip = clip
        self.tables = tables
    }

    /// Mean display-encoded colours of an alignment's cells; `factor` applies to the gain.
    func cells(
        _ alignment: PreviewAlignment, factor: Double, contrast: Contrast, _ colourfulness: Colourfulness = .usual
    ) -> CellMeans {
        let tone = tables.lookup(.sRGB, white: gain * factor * clip, contrast: contrast)
        let display = tables.display(.sRGB, .eight)
        let exposed = exposed(gain * factor, colourfulness)
        var means = CellMeans()
        for row in 0..<survey.down {
            let colours = exposed[row * survey.across..<(row + 1) * survey.across]
            var (red, green, blue) = (colours.map(\.x), colours.map(\.y), colours.map(\.z))
            tone.map(&red)
            tone.map(&green)
            tone.map(&blue)
            display.apply(&red, &green, &blue)
            let v = (Double(row) + 0.5) / Double(survey.down)
            for column in 0..<survey.across {
                let u = (Double(column) + 0.5) / Double(survey.across)
                guard let cell = alignment.cell(u: u, v: v) else { continue }
                means.add(SIMD3(red[column], green[column], blue[column]), to: cell)
            }
        }
        return means
    }

    /// Scene light without negative values.
    private func exposed(_ gain: Double, _ colourfulness: Colourfulness) -> [SIMD3<Float>] {
        let m = (colourfulness.matrix * toScene).elements.map { Float($0 * gain) }
        let light = survey.colours.map { colour in
            SIMD3(
                max(m[0] * colour.x + m[1] * colour.y + m[2] * colour.z, 0),
                max(m[3] * colour.x + m[4] * colour.y + m[5] * colour.z, 0),
                max(m[6] * colour.x + m[7] * colour.y + m[8] * colour.z, 0))
        }
        let profile = ProfileMapping(
            hueSatMap: hueSatMap, lookTable: lookTable, gain: gain, colourfulness: colourfulness)
        guard let profile else { return light }
        return light.map { SIMD3<Float>(profile(SIMD3<Double>($0))) }
    }
}
