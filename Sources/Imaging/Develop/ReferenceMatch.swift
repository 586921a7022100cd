import ColourScience
internal import PictureFormat
import Pixels

/// Brings the neutral rendering to the brightness of the camera's own, and says how far the two agree.
///
/// What is compared is a survey of the sensor's samples, taken through the same levels, balance, matrix and tone curve
/// as every pixel: before any look, and before the picture is developed. All of it follows from the RAW's own bytes.
struct ReferenceMatch {
    let factor: Double
    let agreement: Agreement

    /// Stops the brightness may differ from what the camera exposed. Cameras underexpose by up to two stops to keep
    /// highlights, and lift their own picture by as much.
    private static let range = -2.0...3.0

    /// Between luma, which is how bright a picture looks, and its square, which is about the light it gives off: with
    /// tone curves that differ, no picture matches another in both.
    private static func brightness(_ colour: SIMD3<Float>) -> Float {
        let luma = Agreement.luma(colour)
        return luma + luma * luma
    }

    /// - Parameters:
    ///   - survey: in balanced camera colour, as the camera balanced it.
    ///   - gain: from balanced camera colour to light, as exposed.
    ///   - clip: balanced value of a sample saturated in all channels.
    init(
        _ picture: SmallPicture, facts: SensorFacts, survey: SensorSurvey, toSRGB: Matrix3x3, gain: Double,
        clip: Double, tables: DevelopTables
    ) {
        let view = SurveyView(survey: survey, toSRGB: toSRGB, gain: gain, clip: clip, tables: tables)
        let candidates = PicturePlacement.candidates(picture, facts).map { placement in
            (placement: placement, cells: placement.cells(picture))
        }
        // Which way round it lies is told by light and dark, whatever the brightness.
        let ranked = candidates.map { candidate in
            Agreement(stops: 0, pairs: view.cells(candidate.placement, factor: 1).pairs(candidate.cells)).structure ?? 0
        }
        let best = ranked.indices.max { ranked[$0] < ranked[$1] } ?? 0
        let (placement, cells) = candidates[best]
        var (low, high) = (Self.range.lowerBound, Self.range.upperBound)
        for _ in 0..<10 {
            let middle = (low + high) / 2
            let pairs = view.cells(placement, factor: DeterministicMath.exp2(middle)).pairs(cells)
            let difference = Agreement.mean(pairs.map { Self.brightness($0.0) - Self.brightness($0.1) })
            if difference < 0 { low = middle } else { high = middle }
        }
        let stops = (low + high) / 2
        factor = DeterministicMath.exp2(stops)
        agreement = Agreement(
            stops: Float(stops), pairs: view.cells(placement, factor: DeterministicMath.exp2(stops)).pairs(cells))
    }
}

/// A survey as it would come out of the neutral rendering.
private struct SurveyView {
    let survey: SensorSurvey
    let toSRGB: Matrix3x3
    let gain: Double
    let clip: Double
    let tables: DevelopTables

    func cells(_ placement: PicturePlacement, factor: Double) -> CellMeans {
        let curve = tables.tone(.sRGB, white: gain * factor * clip)
        let m = toSRGB.elements.map { Float($0 * gain * factor) }
        var means = CellMeans()
        for row in 0..<survey.down {
            let v = (Double(row) + 0.5) / Double(survey.down)
            for column in 0..<survey.across {
                guard let cell = placement.cell(u: (Double(column) + 0.5) / Double(survey.across), v: v) else {
                    continue
                }
                let colour = survey.colours[row * survey.across + column]
                let r = curve.value(max(m[0] * colour.x + m[1] * colour.y + m[2] * colour.z, 0))
                let g = curve.value(max(m[3] * colour.x + m[4] * colour.y + m[5] * colour.z, 0))
                let b = curve.value(max(m[6] * colour.x + m[7] * colour.y + m[8] * colour.z, 0))
                means.add(SIMD3(r, g, b), to: cell)
            }
        }
        return means
    }
}
